-- The ids of locations and session profiles in other systems.
alter table locations add external_id text; -- in another system
create unique index locations_external on locations (tenant_id, external_id) where external_id is not null;
alter table profiles add external_id text; -- in another system
create unique index profiles_external on profiles (tenant_id, external_id) where external_id is not null;
