create table integrations (
  tenant_id uuid not null,
  id uuid not null,
  location_id uuid not null,
  kind text not null,
  name text not null,
  connection text not null,
  fields jsonb not null,
  last_worked_at timestamptz,
  last_tried_at timestamptz,
  last_error text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, location_id) references locations on delete cascade
);
comment on column integrations.connection is 'encrypted with SECRET_KEY';
create index integrations_location on integrations (tenant_id, location_id, id desc);
create index integrations_due on integrations (last_tried_at nulls first);
call isolate('integrations');
create trigger announce after insert or delete or update of name, last_worked_at, last_error on integrations
  for each row execute function announce('integrations', 'location_id');

/* Whom an integration has brought: found again by what the other system knows them by. */
alter table visitors add column integration_id uuid;
alter table visitors add column external_id text;
alter table visitors add foreign key (tenant_id, integration_id) references integrations on delete set null (integration_id);
create unique index visitors_external on visitors (tenant_id, integration_id, external_id) where integration_id is not null;
