/* location_id null: a portal of the tenant, to be given to locations; a reseller's own by created_by. */
create table portals (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  location_id uuid,
  created_by uuid,
  name text not null,
  styles jsonb not null default '{}',
  providers jsonb not null default '[]',
  messages jsonb not null default '{}',
  agreements jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, location_id) references locations on delete cascade,
  foreign key (tenant_id, created_by) references users on delete set null (created_by)
);
create index portals_location on portals (tenant_id, location_id, id desc);
call isolate('portals');

alter table locations add foreign key (tenant_id, portal_id) references portals on delete set null (portal_id);
alter table networks add foreign key (tenant_id, portal_id) references portals on delete set null (portal_id);
