-- A guest does not delete such a visitor with its own data. Who made the visitors before is not known.
alter table visitors add column made_by_staff boolean not null default false;
