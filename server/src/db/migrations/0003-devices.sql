/* Brands are the product's own data: the same for every tenant, written by migrations only. */
create table brands (
  id uuid primary key,
  slug text not null unique,
  name text not null,
  logo text not null,
  guides jsonb not null default '[]',
  position int not null
);
create table brand_models (
  id uuid primary key,
  brand_id uuid not null references brands,
  name text not null,
  slug text not null,
  logo text not null,
  unique (brand_id, slug)
);
grant select on brands, brand_models to portico_app, portico_system;

insert into brands (id, slug, name, logo, guides, position) values
  ('0b0a0000-0000-4000-8000-000000000001', 'mikrotik', 'MikroTik', '/brands/mikrotik.svg',
    '[{"id":"mikrotik-hotspot","title":"MikroTik hotspot","slug":"mikrotik"}]', 1),
  ('0b0a0000-0000-4000-8000-000000000002', 'sophos', 'Sophos', '/brands/sophos.svg',
    '[{"id":"sophos-captive-portal","title":"Sophos captive portal","slug":"sophos"}]', 2),
  ('0b0a0000-0000-4000-8000-000000000003', 'watchguard', 'WatchGuard', '/brands/watchguard.svg',
    '[{"id":"watchguard-external-guest","title":"WatchGuard external guest authentication","slug":"watchguard"}]', 3);
insert into brand_models (id, brand_id, name, slug, logo)
  select gen_random_uuid(), b.id, m.name, m.slug, b.logo from brands b join (values
    ('mikrotik', 'hAP ax²', 'hap-ax2'), ('mikrotik', 'hEX S', 'hex-s'), ('mikrotik', 'RB4011', 'rb4011'), ('mikrotik', 'RB5009', 'rb5009'),
    ('mikrotik', 'CCR2004', 'ccr2004'), ('mikrotik', 'CHR', 'chr'),
    ('sophos', 'XGS 87', 'xgs-87'), ('sophos', 'XGS 116', 'xgs-116'), ('sophos', 'XGS 2100', 'xgs-2100'), ('sophos', 'SFOS virtual', 'sfos-virtual'),
    ('watchguard', 'Firebox T25', 'firebox-t25'), ('watchguard', 'Firebox T45', 'firebox-t45'), ('watchguard', 'Firebox M290', 'firebox-m290'), ('watchguard', 'FireboxV', 'firebox-v')
  ) m(brand, name, slug) on m.brand = b.slug;

create table devices (
  tenant_id uuid not null,
  id uuid not null,
  location_id uuid not null,
  brand_id uuid not null references brands,
  model_id uuid references brand_models,
  name text not null,
  mac_address text not null,
  nas_identifier text not null check (nas_identifier ~ '^[a-z0-9]{8,16}$'),
  secret text not null,
  connection text,
  logging_enabled boolean not null default true,
  hotspot_status boolean not null default true,
  hotspot_address text,
  license_end_at timestamptz,
  trial_end_at timestamptz not null,
  last_seen_at timestamptz,
  last_address inet,
  coa_port int not null default 3799,
  message_authenticator boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, location_id) references locations on delete cascade
);
comment on column devices.secret is 'encrypted with SECRET_KEY';
comment on column devices.connection is 'encrypted with SECRET_KEY';
comment on column devices.mac_address is 'the serial number for brands without a MAC (WatchGuard)';
/* A router is known by this before its tenant is, so it is unique over all tenants. */
create unique index devices_nas_identifier on devices (nas_identifier);
create unique index devices_mac on devices (tenant_id, mac_address);
create index devices_location on devices (tenant_id, location_id, id desc);
call isolate('devices');

create table networks (
  tenant_id uuid not null,
  id uuid not null,
  device_id uuid not null,
  name text not null,
  start_ip inet not null,
  subnet int not null check (subnet between 1 and 32),
  portal_id uuid,
  profile_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, device_id) references devices on delete cascade,
  foreign key (tenant_id, profile_id) references profiles on delete set null (profile_id)
);
create index networks_device on networks (tenant_id, device_id, id);
call isolate('networks');

create table mac_rules (
  tenant_id uuid not null,
  id uuid not null,
  device_id uuid not null,
  mac macaddr not null,
  type text not null check (type in ('bypassed', 'blocked')),
  networks uuid[] not null default '{}',
  comment text not null default '',
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, device_id) references devices on delete cascade
);
create unique index mac_rules_device on mac_rules (tenant_id, device_id, type, mac);
create index mac_rules_newest on mac_rules (tenant_id, device_id, type, id desc);
call isolate('mac_rules');
