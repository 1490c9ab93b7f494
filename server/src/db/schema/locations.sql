-- Locations: the venues of a tenant, with their licence, default limits and MAC lists.

create table locations (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  name text not null,
  country text not null default '',
  city text not null default '',
  district text not null default '',
  portal_id uuid,
  default_profile_id uuid,
  available_providers text[] not null default '{}',
  sms_limit int not null default 1000, -- messages that the location may send
  sms_used int not null default 0, -- messages sent so far, never reset
  time_zone text not null default 'Europe/Istanbul',
  license_end_at timestamptz,
  trial_end_at timestamptz not null,
  owner_id uuid, -- the reseller whose customer this location is
  time_limit int not null default 10,
  time_limit_unit text not null default 'hour',
  time_limit_enabled boolean not null default false,
  daily_bandwidth double precision not null default 1, -- a volume per guest and local day, not a rate
  daily_bandwidth_unit text not null default 'gb',
  daily_bandwidth_enabled boolean not null default false,
  download_limit double precision not null default 10, -- Mbit/s
  download_limit_enabled boolean not null default false,
  upload_limit double precision not null default 10, -- Mbit/s
  upload_limit_enabled boolean not null default false,
  mac_whitelist macaddr[] not null default '{}',
  mac_whitelist_enabled boolean not null default false,
  mac_blacklist macaddr[] not null default '{}',
  mac_blacklist_enabled boolean not null default false,
  suspended_at timestamptz,
  -- who suspended it: a reseller cannot resume what an administrator suspended
  suspended_by text check (suspended_by in ('reseller', 'tenant-admin')),
  external_id text, -- in another system
  portal_periods jsonb not null default '[]', -- when it shows another portal: see contract/src/portal-periods.ts
  licence_told text, -- the last end of the licence, and how near it was, that the webhooks of the tenant were told of
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  check ((suspended_at is null) = (suspended_by is null)),
  foreign key (tenant_id, owner_id) references users on delete set null (owner_id)
);
create index locations_owner on locations (tenant_id, owner_id, id desc);
create index locations_with_periods on locations (tenant_id) where portal_periods <> '[]';
create index locations_name on locations using gin (name gin_trgm_ops);
-- For the orders of the list.
create index locations_by_name on locations (tenant_id, fold_text(name), id);
create index locations_by_name_of_owner on locations (tenant_id, owner_id, fold_text(name), id) where owner_id is not null;
call have_external_ids('locations', '{owner_id}');
create index locations_folded_name on locations using gin (fold_text(name) gin_trgm_ops);
