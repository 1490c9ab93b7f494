/* location_id null: a role of the whole tenant. ready_made: what a reset brings back, and what its name is translated by. */
alter table roles
  add column location_id uuid,
  add column ready_made text check (ready_made in ('manager', 'reception', 'technician', 'viewer')),
  add foreign key (tenant_id, location_id) references locations on delete cascade,
  add check (ready_made is null or location_id is null);
-- Forced row-level security would hide every row from an owner who is no superuser.
alter table roles no force row level security;
update roles set ready_made = case name
  when 'Manager' then 'manager' when 'Reception desk' then 'reception' when 'Technician' then 'technician' when 'Viewer' then 'viewer' end;
alter table roles force row level security;
drop index roles_name;
create unique index roles_name on roles (tenant_id, location_id, lower(name)) nulls not distinct;
create trigger announce after insert or delete or update on roles for each row execute function announce('team', 'location_id');

/* What a role of the tenant stands for at one location. */
create table role_adjustments (
  tenant_id uuid not null,
  location_id uuid not null,
  role_id uuid not null,
  permissions text[] not null,
  primary key (tenant_id, location_id, role_id),
  foreign key (tenant_id, location_id) references locations on delete cascade,
  foreign key (tenant_id, role_id) references roles on delete cascade
);
create index role_adjustments_role on role_adjustments (tenant_id, role_id);
call isolate('role_adjustments');
create trigger announce after insert or delete or update on role_adjustments for each row execute function announce('team', 'location_id');
