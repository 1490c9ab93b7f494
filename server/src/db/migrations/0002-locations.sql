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
  sms_limit int not null default 1000,
  sms_used int not null default 0,
  time_zone text not null default 'Europe/Istanbul',
  license_end_at timestamptz,
  trial_end_at timestamptz not null,
  owner_id uuid,
  time_limit int not null default 10,
  time_limit_unit text not null default 'hour',
  time_limit_enabled boolean not null default false,
  daily_bandwidth int not null default 1,
  daily_bandwidth_unit text not null default 'gb',
  daily_bandwidth_enabled boolean not null default false,
  download_limit int not null default 10,
  download_limit_enabled boolean not null default false,
  upload_limit int not null default 10,
  upload_limit_enabled boolean not null default false,
  mac_whitelist macaddr[] not null default '{}',
  mac_whitelist_enabled boolean not null default false,
  mac_blacklist macaddr[] not null default '{}',
  mac_blacklist_enabled boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, owner_id) references users on delete set null (owner_id)
);
create index locations_owner on locations (tenant_id, owner_id, id desc);
create index locations_name on locations using gin (name gin_trgm_ops);
call isolate('locations');

alter table users add foreign key (tenant_id, active_location_id)
  references locations on delete set null (active_location_id);

/* Named sets of permissions, offered in the permission modal. */
create table roles (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  name text not null,
  guard_name text not null default 'web',
  permissions text[] not null,
  primary key (tenant_id, id)
);
create unique index roles_name on roles (tenant_id, name);
call isolate('roles');

/* device_ids null: every device of the location. */
create table location_members (
  tenant_id uuid not null,
  location_id uuid not null,
  user_id uuid not null,
  permissions text[] not null,
  device_ids uuid[],
  role_ids uuid[] not null default '{}',
  created_at timestamptz not null default now(),
  primary key (tenant_id, location_id, user_id),
  foreign key (tenant_id, location_id) references locations on delete cascade,
  foreign key (tenant_id, user_id) references users on delete cascade
);
create index location_members_user on location_members (tenant_id, user_id, location_id);
call isolate('location_members');

create table profiles (
  tenant_id uuid not null,
  id uuid not null,
  location_id uuid not null,
  name text not null,
  shared_user int not null default 1,
  session_duration jsonb not null,
  max_upload jsonb not null,
  max_download jsonb not null,
  paid_sale jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, location_id) references locations on delete cascade
);
create index profiles_location on profiles (tenant_id, location_id, id desc);
call isolate('profiles');

alter table locations add foreign key (tenant_id, default_profile_id)
  references profiles on delete set null (default_profile_id);

/* What a limit {is_active, option, value} comes to: seconds, and bits per second; null when it is off. */
create function limit_seconds(l jsonb) returns bigint language sql immutable parallel safe as $$
  select case when (l->>'is_active')::boolean then (l->>'value')::bigint *
    case l->>'option' when 'minute' then 60 when 'hour' then 3600 when 'day' then 86400 end end $$;
create function limit_bps(l jsonb) returns bigint language sql immutable parallel safe as $$
  select case when (l->>'is_active')::boolean then (l->>'value')::bigint *
    case l->>'option' when 'kbps' then 1000 when 'mbps' then 1000000 when 'gbps' then 1000000000 end end $$;
