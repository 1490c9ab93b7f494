-- The migrations of 0.1.0 to 0.5.0, one section each, for databases that are older than the baseline (migrations/0101-baseline.sql).
-- Frozen: a section never changes (migrations/landed.txt holds its checksum). New installations run the files in schema/ instead.
-- migration 0001-tenancy
-- Two roles that own nothing: every request of a tenant runs as portico_app behind row-level security,
-- the few system tasks named in withSystem's callers run as portico_system.
do $$ begin
  if not exists (select from pg_roles where rolname = 'portico_app') then create role portico_app nologin; end if;
exception when duplicate_object or unique_violation then null; end $$;
do $$ begin
  if not exists (select from pg_roles where rolname = 'portico_system') then create role portico_system nologin; end if;
exception when duplicate_object or unique_violation then null; end $$;
do $$ begin
  execute format('grant portico_app, portico_system to %I', current_user);
exception when others then null; end $$;

create extension if not exists pg_trgm;
grant usage on schema public to portico_app, portico_system;

/* The tenant of this transaction; null (so: nothing visible) when none was set. */
create function current_tenant() returns uuid language sql stable parallel safe
as $$ select nullif(current_setting('portico.tenant', true), '')::uuid $$;

/* Puts the fourth wall around a table that has a tenant_id: forced row-level security for portico_app. */
create procedure isolate(t regclass) language plpgsql as $$ begin
  execute format('alter table %s alter column tenant_id set default current_tenant()', t);
  execute format('alter table %s enable row level security', t);
  execute format('alter table %s force row level security', t);
  execute format('create policy tenant on %s to portico_app using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())', t);
  execute format('create policy system on %s to portico_system using (true) with check (true)', t);
  execute format('grant select, insert, update, delete on %s to portico_app, portico_system', t);
end $$;

create table tenants (
  id uuid primary key,
  slug text not null unique check (slug ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
  brand_name text not null,
  brand_long_name text not null,
  primary_color text not null default '#2f71f2',
  landing_logo text,
  landing_background text,
  landing_background_image text,
  landing_title jsonb not null default '{}',
  landing_slogan jsonb not null default '{}',
  landing_copyright jsonb not null default '{}',
  password_min int not null default 6 check (password_min between 6 and 64),
  require_second_factor boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
alter table tenants enable row level security;
alter table tenants force row level security;
create policy tenant on tenants to portico_app using (id = current_tenant()) with check (id = current_tenant());
create policy system on tenants to portico_system using (true) with check (true);
grant select, update on tenants to portico_app;
grant select, insert, update, delete on tenants to portico_system;

/* Host names that lead to a tenant; looked up before the tenant is known. */
create table tenant_domains (
  tenant_id uuid not null references tenants on delete cascade,
  host text not null primary key check (host = lower(host)),
  variant text not null default 'standard' check (variant in ('standard', 'reseller')),
  created_at timestamptz not null default now()
);
call isolate('tenant_domains');

create table users (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  email text not null check (email = lower(email)),
  first_name text not null,
  last_name text not null,
  phone_number text not null default '',
  password_hash text,
  role text not null default 'member' check (role in ('tenant-admin', 'reseller', 'auditor', 'member')),
  active_location_id uuid,
  language text not null default 'en' check (language in ('tr', 'en')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create unique index users_email on users (tenant_id, email);
call isolate('users');

create table tokens (
  tenant_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  hash bytea not null,
  name text not null default '',
  ip inet,
  user_agent text not null default '',
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users on delete cascade
);
create unique index tokens_hash on tokens (tenant_id, hash);
create index tokens_user on tokens (tenant_id, user_id, last_used_at desc);
call isolate('tokens');
-- migration 0002-locations
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
-- migration 0003-devices
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
-- migration 0004-portals
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
-- migration 0005-visitors
create table visitors (
  tenant_id uuid not null,
  id uuid not null,
  location_id uuid not null,
  profile_id uuid,
  device_id uuid,
  name text not null,
  provider_type text not null check (provider_type in ('citizen-id', 'room-number', 'sms', 'username', 'temp', 'email')),
  username text,
  password text,
  citizen_id text,
  citizen_id_hash bytea,
  room_number text,
  birth_date text,
  email text,
  phone text,
  session_start_at timestamptz,
  session_end_at timestamptz,
  special_profile boolean not null default false,
  shared_user int not null default 1,
  session_duration jsonb not null,
  max_upload jsonb not null,
  max_download jsonb not null,
  total_paid_day int not null default 0,
  blocked boolean not null default false,
  email_confirmed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, location_id) references locations on delete cascade,
  foreign key (tenant_id, profile_id) references profiles on delete set null (profile_id),
  foreign key (tenant_id, device_id) references devices on delete set null (device_id)
);
comment on column visitors.password is 'encrypted with SECRET_KEY';
comment on column visitors.citizen_id is 'encrypted with SECRET_KEY; found by citizen_id_hash';
comment on column visitors.birth_date is 'encrypted with SECRET_KEY';
create unique index visitors_username on visitors (tenant_id, location_id, username) where username is not null;
create unique index visitors_citizen on visitors (tenant_id, location_id, citizen_id_hash) where citizen_id_hash is not null;
create index visitors_room on visitors (tenant_id, location_id, room_number) where room_number is not null;
create index visitors_phone on visitors (tenant_id, location_id, phone) where phone is not null;
create index visitors_email on visitors (tenant_id, location_id, email) where email is not null;
create index visitors_location on visitors (tenant_id, location_id, id desc);
create index visitors_profile on visitors (tenant_id, profile_id);
create index visitors_search on visitors using gin
  ((name || ' ' || coalesce(username, '') || ' ' || coalesce(email, '') || ' ' || coalesce(phone, '') || ' ' || coalesce(room_number, '')) gin_trgm_ops);
call isolate('visitors');
-- migration 0006-sessions-1-tables
-- Sessions and sign-in decisions. What the routers tell us is written by the functions of the two files after this one
-- and by nothing else; everybody else reads.

/* A UUIDv7 (RFC 9562), as the application makes them: PostgreSQL has its own from version 18 only. */
create function new_id() returns uuid language sql volatile parallel safe as $$
  select encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1), 'hex')::uuid $$;

/*
 * Open sessions: one row per guest device that is online. No index holds a column that an interim update changes, and the
 * pages keep room, so that an update stays on its page and touches no index (HOT).
 * No foreign keys on sessions: they outlive their visitor, device and location.
 */
create table online_sessions (
  tenant_id uuid not null,
  id uuid not null default new_id(),
  accounting_id bytea not null,
  location_id uuid not null,
  device_id uuid not null,
  network_id uuid,
  visitor_id uuid,
  profile_id uuid,
  user_name text not null default '',
  acct_session_id text not null,
  class text,
  client_mac macaddr,
  client_ip inet,
  started_at timestamptz not null,
  updated_at timestamptz not null,
  seconds bigint not null default 0,
  upload bigint not null default 0,
  download bigint not null default 0,
  interim int not null,
  reopened boolean not null default false,
  day date not null,
  day_ends_at timestamptz not null,
  day_seconds bigint not null default 0,
  day_upload bigint not null default 0,
  day_download bigint not null default 0,
  primary key (tenant_id, id)
) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.05);
comment on column online_sessions.user_name is 'as the router knows it, for Disconnect: a used ticket or a user name';
comment on column online_sessions.interim is 'seconds between updates; learned when a router turns out to be slower than asked';
comment on column online_sessions.day is 'the local day that use is counted on now; day_* is what earlier days already hold';
create unique index online_sessions_accounting on online_sessions (accounting_id);
create unique index online_sessions_guest on online_sessions (tenant_id, device_id, client_mac);
create index online_sessions_newest on online_sessions (tenant_id, started_at desc, id desc);
create index online_sessions_location on online_sessions (tenant_id, location_id, started_at desc, id desc);
create index online_sessions_visitor on online_sessions (tenant_id, visitor_id) where visitor_id is not null;
call isolate('online_sessions');
revoke insert, update, delete on online_sessions from portico_app;

/* Closed sessions, one partition a month. */
create table session_history (
  tenant_id uuid not null,
  id uuid not null,
  accounting_id bytea not null,
  location_id uuid not null,
  device_id uuid not null,
  network_id uuid,
  visitor_id uuid,
  profile_id uuid,
  user_name text not null,
  acct_session_id text not null,
  class text,
  client_mac macaddr,
  client_ip inet,
  started_at timestamptz not null,
  ended_at timestamptz not null,
  seconds bigint not null,
  upload bigint not null,
  download bigint not null,
  interim int not null,
  reopened boolean not null,
  day date not null,
  close_reason text not null check (close_reason in ('stop', 'replaced', 'stale', 'restart')),
  terminate_cause text,
  primary key (tenant_id, id, started_at)
) partition by range (started_at);
comment on column session_history.close_reason is
  'stop: the router said so; replaced: the guest device began another; stale: no update for three intervals; restart: the router went on or off';
comment on column session_history.terminate_cause is 'Acct-Terminate-Cause by its name, RFC 2866 section 5.10';
create index session_history_accounting on session_history (accounting_id);
create index session_history_newest on session_history (tenant_id, started_at desc, id desc);
create index session_history_location on session_history (tenant_id, location_id, started_at desc, id desc);
create index session_history_device on session_history (tenant_id, device_id, started_at desc);
create index session_history_mac on session_history (tenant_id, client_mac, started_at desc);
create index session_history_ip on session_history (tenant_id, client_ip, started_at desc);
create index session_history_visitor on session_history (tenant_id, visitor_id, started_at desc) where visitor_id is not null;
call isolate('session_history');
revoke insert, update, delete on session_history from portico_app;

/* Takes what no month's partition covers, so that a router with a wrong clock cannot stop the others. */
create table session_history_other partition of session_history default;
alter table session_history_other enable row level security;
alter table session_history_other force row level security;

/* Makes the partitions of the months from `behind` ago to `ahead` from now; answers how many were missing. Partitions are
   reached through session_history only: nobody is granted anything on them, and their own row-level security lets nothing by. */
create function ensure_partitions(ahead int, behind int default 1) returns int
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  first date;
  made int := 0;
  part text;
begin
  perform pg_advisory_xact_lock(hashtext('portico.partitions'));
  for first in select generate_series(date_trunc('month', now() at time zone 'UTC') - make_interval(months => behind),
                                      date_trunc('month', now() at time zone 'UTC') + make_interval(months => ahead), '1 month')
  loop
    part := 'session_history_' || to_char(first, 'YYYY_MM');
    continue when to_regclass(part) is not null;
    -- Filled before it is attached, as a month whose rows went to the default partition could not be attached otherwise.
    execute format('create table %I (like session_history including defaults including constraints)', part);
    execute format('with late as (delete from session_history_other where started_at >= %L and started_at < %L returning *)
                    insert into %I select * from late', first::text || ' 00:00+00', (first + interval '1 month')::date::text || ' 00:00+00', part);
    execute format('alter table %I enable row level security', part);
    execute format('alter table %I force row level security', part);
    execute format('alter table session_history attach partition %I for values from (%L) to (%L)',
                   part, first::text || ' 00:00+00', (first + interval '1 month')::date::text || ' 00:00+00');
    made := made + 1;
  end loop;
  return made;
end $$;
revoke execute on function ensure_partitions from public;
grant execute on function ensure_partitions to portico_system;
select ensure_partitions(3);

/* Roll-ups, kept up in the transaction that changes the sessions. A day is one of the location's time zone. What open sessions
   used today is not in them yet: that is online_sessions, upload - day_upload and so on, where day is today. */
create table session_days (
  tenant_id uuid not null,
  location_id uuid not null,
  device_id uuid not null,
  day date not null,
  sessions bigint not null,
  seconds bigint not null,
  upload bigint not null,
  download bigint not null,
  primary key (tenant_id, location_id, day, device_id)
) with (fillfactor = 70);
create index session_days_tenant on session_days (tenant_id, day, location_id);
call isolate('session_days');
revoke insert, update, delete on session_days from portico_app;

create table visitor_days (
  tenant_id uuid not null,
  location_id uuid not null,
  day date not null,
  visitor_id uuid not null,
  sessions int not null,
  upload bigint not null,
  download bigint not null,
  primary key (tenant_id, location_id, day, visitor_id)
) with (fillfactor = 80);
create index visitor_days_tenant on visitor_days (tenant_id, day, visitor_id);
create index visitor_days_visitor on visitor_days (tenant_id, visitor_id, day);
call isolate('visitor_days');
revoke insert, update, delete on visitor_days from portico_app;

/* Each guest device that was ever at a location, with how often and its latest session. */
create table guest_devices (
  tenant_id uuid not null,
  location_id uuid not null,
  client_mac macaddr not null,
  sessions int not null,
  device_id uuid not null,
  visitor_id uuid,
  session_id uuid not null,
  session_started_at timestamptz not null,
  primary key (tenant_id, location_id, client_mac)
) with (fillfactor = 80);
create index guest_devices_often on guest_devices (tenant_id, sessions desc, client_mac) include (device_id) where sessions > 1;
create index guest_devices_location on guest_devices (tenant_id, location_id, sessions desc, client_mac) include (device_id) where sessions > 1;
call isolate('guest_devices');
revoke insert, update, delete on guest_devices from portico_app;

/* An accepted sign-in that waits for its accounting. It counts as a device in use until expires_at, and is kept longer only
   to tell whose session it is when the accounting comes late. One per guest device: a newer sign-in takes the place.
   Written at every sign-in and gone after a day: what is not asked for often has no index, and there are no foreign keys. */
create table admissions (
  tenant_id uuid not null,
  id uuid not null default new_id(),
  class text not null,
  location_id uuid not null,
  device_id uuid not null,
  client_mac macaddr,
  visitor_id uuid,
  profile_id uuid,
  network_id uuid,
  interim int not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (tenant_id, id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
create unique index admissions_class on admissions (tenant_id, device_id, class);
create unique index admissions_guest on admissions (tenant_id, device_id, client_mac) where client_mac is not null;
create index admissions_visitor on admissions (tenant_id, visitor_id) where visitor_id is not null;
call isolate('admissions');
revoke insert, update, delete on admissions from portico_app;

/* What the portal gives a guest to sign in at the router with, as user name and password: once, soon, there and from that device. */
create table tickets (
  tenant_id uuid not null,
  id uuid not null,
  hash bytea not null,
  location_id uuid not null,
  device_id uuid not null,
  visitor_id uuid not null,
  client_mac macaddr,
  provider_slug text not null,
  redirect text not null default '',
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  used_by text,
  class text,
  primary key (tenant_id, id),
  foreign key (tenant_id, location_id) references locations on delete cascade,
  foreign key (tenant_id, device_id) references devices on delete cascade,
  foreign key (tenant_id, visitor_id) references visitors on delete cascade
);
comment on column tickets.hash is 'SHA-256 of the ticket';
comment on column tickets.used_by is 'the request that used it, so that its retransmission gets the same answer';
create unique index tickets_hash on tickets (tenant_id, hash);
create index tickets_visitor on tickets (tenant_id, visitor_id);
create index tickets_expired on tickets (expires_at);
call isolate('tickets');

create table failed_logins (
  tenant_id uuid not null,
  id uuid not null default new_id(),
  location_id uuid not null,
  device_id uuid,
  client_mac macaddr,
  client_ip inet,
  provider_slug text not null,
  params text,
  reason text not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, location_id) references locations on delete cascade,
  foreign key (tenant_id, device_id) references devices on delete set null (device_id)
);
comment on column failed_logins.params is 'what was typed, passwords as dots; JSON encrypted with SECRET_KEY';
create index failed_logins_newest on failed_logins (tenant_id, created_at desc);
create index failed_logins_location on failed_logins (tenant_id, location_id, created_at desc);
call isolate('failed_logins');

/* Orders to routers to end a session. requested_by null: ordered by the rules (reason), not by a person. */
create table kicks (
  tenant_id uuid not null,
  id uuid not null default new_id(),
  session_id uuid not null,
  location_id uuid not null,
  device_id uuid not null,
  state text not null default 'requested' check (state in ('requested', 'acknowledged', 'refused', 'no-answer', 'confirmed')),
  words text not null default '',
  reason text not null check (reason in ('operator', 'licence')),
  requested_by uuid,
  requested_at timestamptz not null default now(),
  sent_at timestamptz,
  answered_at timestamptz,
  confirmed_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, device_id) references devices on delete cascade,
  foreign key (tenant_id, requested_by) references users on delete set null (requested_by)
);
comment on column kicks.words is 'what the router answered';
create index kicks_session on kicks (tenant_id, session_id, requested_at desc);
create index kicks_waiting on kicks (requested_at) where state = 'requested';
call isolate('kicks');
-- migration 0006-sessions-2-authorize
-- Sign-in: one place decides, for our listener (whole batches) and for a stock FreeRADIUS alike.
-- Locks are taken in one order everywhere, so that no two batches can wait for each other: visitors, tickets, admissions, each sorted.

/* A text from a packet as an address, or null when it is none: a bad packet must not fail the batch it came in. */
create function mac_of(t text) returns macaddr language sql immutable parallel safe as $$
  select case when t ~* '^[0-9a-f]{2}([:-][0-9a-f]{2}){5}$' then t::macaddr end $$;
create function ip_of(t text) returns inet language sql immutable parallel safe as $$
  select case when t ~ '^((25[0-5]|2[0-4]\d|1?\d?\d)(\.|$)){4}$' then t::inet end $$;

/* The lock on one thing in one transaction; `what` keeps the kinds apart. */
create function lock_of(what text, of text) returns bigint language sql immutable parallel safe as $$
  select hashtextextended(of, hashtext(what)) $$;

create function local_day(zone text) returns date language sql stable parallel safe as $$
  select (now() at time zone zone)::date $$;

/* The network of a device that holds an address, if any: the narrowest. */
create function network_of(p_tenant uuid, p_device uuid, p_ip inet) returns setof networks language sql stable parallel safe as $$
  select * from networks
  where tenant_id = p_tenant and device_id = p_device and p_ip <<= set_masklen(start_ip, subnet)
  order by subnet desc limit 1 $$;

/* Bytes that a visitor used today at a location: closed sessions, and of the open ones what is of today. */
create function used_today(p_tenant uuid, p_location uuid, p_visitor uuid, p_day date) returns numeric language sql stable as $$
  select coalesce((select upload + download from visitor_days
                   where (tenant_id, location_id, day, visitor_id) = (p_tenant, p_location, p_day, p_visitor)), 0)
       + coalesce((select sum(upload + download - case when day = p_day then day_upload + day_download else upload + download end)
                   from online_sessions where tenant_id = p_tenant and visitor_id = p_visitor and location_id = p_location), 0) $$;

/* How many guest devices of a visitor are in use, but for this one: online, or let in and not yet online. */
create function devices_in_use(p_tenant uuid, p_visitor uuid, p_mac macaddr) returns table (used bigint) language sql stable as $$
  select count(*) from (
    select coalesce(client_mac::text, id::text) from online_sessions
    where tenant_id = p_tenant and visitor_id = p_visitor and client_mac is distinct from p_mac
    union
    select coalesce(client_mac::text, id::text) from admissions
    where tenant_id = p_tenant and visitor_id = p_visitor and client_mac is distinct from p_mac and expires_at > now()) in_use $$;

/* What lets one guest device in, once the decision is made. */
create type admission_grant as (
  tenant_id uuid, location_id uuid, device_id uuid, visitor_id uuid, profile_id uuid, network_id uuid,
  mac macaddr, interim int, shared_user int);

/*
 * Lets guest devices in, but for those whose visitor has too many in use; answers the Class of each or null, in the order of
 * the grants. No two may be of one visitor or one guest device. The caller holds the visitors' locks.
 */
create function take_admissions(grants admission_grant[]) returns table (place bigint, class text) language plpgsql as $$ begin
  return query
  with asked as (
    select g.*, replace(gen_random_uuid()::text, '-', '') as new_class
    from unnest(grants) with ordinality as g(tenant_id, location_id, device_id, visitor_id, profile_id, network_id, mac, interim, shared_user, n)
  ), fitting as (
    select a.* from asked a cross join lateral devices_in_use(a.tenant_id, a.visitor_id, a.mac) u
    where a.visitor_id is null or a.shared_user is null or u.used < a.shared_user
  ), taken as (
    insert into admissions (tenant_id, class, location_id, device_id, client_mac, visitor_id, profile_id, network_id, interim, expires_at)
    select f.tenant_id, f.new_class, f.location_id, f.device_id, f.mac, f.visitor_id, f.profile_id, f.network_id, f.interim, now() + interval '2 minutes'
    from fitting f order by f.device_id, f.mac
    on conflict (tenant_id, device_id, client_mac) where client_mac is not null do update set
      class = excluded.class, location_id = excluded.location_id, visitor_id = excluded.visitor_id, profile_id = excluded.profile_id,
      network_id = excluded.network_id, interim = excluded.interim, created_at = excluded.created_at, expires_at = excluded.expires_at
  )
  select a.n, f.new_class from asked a left join fitting f on f.n = a.n order by a.n;
end $$;

/* Uses a ticket up for one request; that request's retransmission gets its class again. Answers a class or a reason. */
create function use_ticket(p_tenant uuid, p_ticket uuid, p_key text, giving admission_grant, out given text, out refused text)
language plpgsql as $$
declare
  t tickets;
begin
  -- Read anew: two requests with one ticket can stand in one batch.
  select * into t from tickets where tenant_id = p_tenant and id = p_ticket;
  if t.used_at is not null then
    if t.used_by = p_key then given := t.class; else refused := 'wrong_credentials'; end if;
    return;
  end if;
  given := (select taken.class from take_admissions(array[giving]) taken);
  if given is null then
    refused := 'over_limit';
    return;
  end if;
  update tickets set used_at = now(), used_by = p_key, class = given where tenant_id = p_tenant and id = p_ticket;
end $$;

/* Why a guest's device is refused whatever is typed on it, or null. */
create function device_refusal(d devices, l locations, blocked boolean) returns text language sql stable as $$
  select case
    when d.id is null then 'unknown_device'
    -- A device is stopped when its own licence and its location's are both over.
    when greatest(d.license_end_at, d.trial_end_at, l.license_end_at, l.trial_end_at) <= now() then 'license_over'
    when not d.hotspot_status then 'hotspot_off'
    when blocked then 'blocked'
  end $$;

create type sign_in_request as (tenant uuid, device uuid, user_name text, mac text, ip text, key text, same boolean);
create type sign_in_decision as (
  n bigint, outcome text, reason text, password text, granting admission_grant, class text, provider_slug text, ticket boolean,
  session_timeout bigint, idle_timeout int, interim int, upload_bps bigint, download_bps bigint, total_bytes bigint);

/*
 * Decides a batch of Access-Requests: [{tenant, device, user_name, mac, ip, key, same}], where `same` says that the password proved
 * equal to the user name (as a ticket's is) and `key` tells a request from all but its own retransmission. One row per
 * request, numbered from 1 by its place in the batch:
 *   accept  let in; `class` and the limits hold
 *   check   the caller compares the password with `password` (encrypted), then calls admit() with `granting`; where
 *           `reason` is set, even the right password is refused, with it; a wrong one must not learn it
 *   reject  for `reason`
 * Limits: seconds, bits per second, bytes; null is unlimited.
 */
create function authorize(requests jsonb) returns setof sign_in_decision
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  hashes bytea[];
  r record;
  o sign_in_decision;
begin
  hashes := array(select sha256(convert_to(q.user_name, 'UTF8')) from jsonb_populate_recordset(null::sign_in_request, requests) q where q.same);
  if hashes <> '{}' then
    perform pg_advisory_xact_lock(lock_of('visitor', v.visitor_id::text))
    from (select distinct visitor_id from tickets where hash = any(hashes) order by 1) v;
    perform from tickets where hash = any(hashes) order by hash for update;
  end if;

  for r in
    select q.n, q.mac, q.key, d.tenant_id, d.location_id, d.id as device_id, n.id as network_id, p.id as profile_id,
      v.id as visitor_id, v.password, t.id as ticket_id, coalesce(t.provider_slug, 'username') as provider_slug,
      b.bypassed, local_day(l.time_zone) as today,
      device_refusal(d, l, b.blocked) as refused,
      case
        when v.id is null or t.device_id <> d.id or t.client_mac <> q.mac then 'wrong_credentials'
        when t.used_at is null and t.expires_at <= now() then 'wrong_credentials'
      end as unproven,
      case
        when v.blocked then 'blocked'
        when v.session_start_at > now() then 'not_yet'
        when v.session_end_at <= now() then 'expired'
      end as unwelcome,
      -- Whose limits hold: the visitor's own, then a profile's, then the location's. Off means unlimited there.
      case when v.special_profile then v.shared_user else p.shared_user end as shared_user,
      least(ceil(extract(epoch from v.session_end_at - now()))::bigint,
        case when v.special_profile then limit_seconds(v.session_duration)
             when p.id is not null then limit_seconds(p.session_duration)
             when l.time_limit_enabled then limit_seconds(jsonb_build_object('is_active', true, 'option', l.time_limit_unit, 'value', l.time_limit)) end) as seconds,
      case when v.special_profile then limit_bps(v.max_upload)
           when p.id is not null then limit_bps(p.max_upload)
           when l.upload_limit_enabled then l.upload_limit * 1000000::bigint end as upload_bps,
      case when v.special_profile then limit_bps(v.max_download)
           when p.id is not null then limit_bps(p.max_download)
           when l.download_limit_enabled then l.download_limit * 1000000::bigint end as download_bps,
      -- No profile knows a daily amount, so the location's holds for all its guests.
      case when l.daily_bandwidth_enabled then l.daily_bandwidth * case l.daily_bandwidth_unit
        when 'mb' then 1000000::bigint when 'tb' then 1000000000000 else 1000000000 end end as daily_bytes
    from (select x.n, x.tenant, x.device, x.user_name, mac_of(x.mac) as mac, ip_of(x.ip) as ip, x.key, x.same
          from jsonb_populate_recordset(null::sign_in_request, requests)
            with ordinality as x(tenant, device, user_name, mac, ip, key, same, n)) q
    left join devices d on d.tenant_id = q.tenant and d.id = q.device
    left join locations l on l.tenant_id = d.tenant_id and l.id = d.location_id
    left join lateral network_of(d.tenant_id, d.id, q.ip) n on true
    left join lateral (
      -- A list for some networks blocks an address that is in none as well, but lets pass only one that is surely in them.
      select coalesce(bool_or(m.type = 'blocked' and (m.networks = '{}' or n.id is null or n.id = any(m.networks))), false)
               or (l.mac_blacklist_enabled and q.mac = any(l.mac_blacklist)) is true as blocked,
             coalesce(bool_or(m.type = 'bypassed' and (m.networks = '{}' or n.id = any(m.networks))), false)
               or (l.mac_whitelist_enabled and q.mac = any(l.mac_whitelist)) is true as bypassed
      from mac_rules m
      where m.tenant_id = d.tenant_id and m.device_id = d.id and m.type in ('blocked', 'bypassed') and m.mac = q.mac) b on true
    left join tickets t on q.same and t.tenant_id = d.tenant_id and t.hash = sha256(convert_to(q.user_name, 'UTF8'))
    left join lateral (
      select x.* from visitors x where t.id is not null and x.tenant_id = t.tenant_id and x.id = t.visitor_id
      union all
      select x.* from visitors x
      where t.id is null and x.tenant_id = d.tenant_id and x.location_id = d.location_id and x.username = q.user_name) v on true
    left join profiles p on p.tenant_id = d.tenant_id and p.id = coalesce(v.profile_id, n.profile_id, l.default_profile_id)
    order by d.id, q.mac, q.n
  loop
    o := null;
    o.n := r.n;
    o.provider_slug := r.provider_slug;
    o.ticket := r.ticket_id is not null;
    o.idle_timeout := 900;
    o.interim := 60;
    o.granting := row(r.tenant_id, r.location_id, r.device_id, r.visitor_id, r.profile_id, r.network_id, r.mac, o.interim, r.shared_user);

    if r.refused is not null then
      o.outcome := 'reject';
      o.reason := r.refused;
    elsif r.bypassed then
      o.outcome := 'accept';
      o.granting := row(r.tenant_id, r.location_id, r.device_id, null, null, r.network_id, r.mac, o.interim, null);
      o.class := (select taken.class from take_admissions(array[o.granting]) taken);
    elsif r.unproven is not null or (r.ticket_id is null and r.password is null) then
      o.outcome := 'reject';
      o.reason := 'wrong_credentials';
    else
      o.reason := r.unwelcome;
      o.session_timeout := r.seconds;
      o.upload_bps := r.upload_bps;
      o.download_bps := r.download_bps;
      if r.daily_bytes is not null then
        o.total_bytes := r.daily_bytes - used_today(r.tenant_id, r.location_id, r.visitor_id, r.today);
        if o.total_bytes <= 0 then o.reason := coalesce(o.reason, 'over_quota'); end if;
      end if;
      if r.ticket_id is null then
        o.outcome := 'check';
        o.password := r.password;
      else
        if o.reason is null then
          select * into o.class, o.reason from use_ticket(r.tenant_id, r.ticket_id, r.key, o.granting);
        end if;
        o.outcome := case when o.reason is null then 'accept' else 'reject' end;
      end if;
    end if;
    return next o;
  end loop;
end $$;

/*
 * Lets in a batch of guests whose password was right: [granting of authorize()]. One class per guest, numbered from 1; null: too
 * many devices. Guests who share a visitor or a guest device are let in one after another, the others together before them.
 */
create function admit(grants jsonb) returns table (n bigint, class text)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  places bigint[];
  these admission_grant[];
begin
  perform pg_advisory_xact_lock(lock_of('visitor', v.visitor_id::text))
  from (select distinct x.visitor_id from jsonb_populate_recordset(null::admission_grant, grants) x order by 1) v;
  for places, these in
    select array_agg(x.place order by x.place), array_agg(x.granting order by x.place)
    from (
      select q.place, row(tenant_id, location_id, device_id, visitor_id, profile_id, network_id, mac, interim, shared_user)::admission_grant as granting,
        case when count(*) over (partition by visitor_id) > 1 or count(*) over (partition by device_id, mac) > 1 then q.place else 0 end as round
      from jsonb_populate_recordset(null::admission_grant, grants)
        with ordinality as q(tenant_id, location_id, device_id, visitor_id, profile_id, network_id, mac, interim, shared_user, place)) x
    group by x.round order by x.round
  loop
    return query select places[t.place], t.class from take_admissions(these) t;
  end loop;
end $$;

-- Who calls these becomes portico_system for the call: it may not be able to look into the tables itself (FreeRADIUS).
revoke execute on function authorize, admit, use_ticket, take_admissions from public;
grant create on schema public to portico_system;
alter function authorize owner to portico_system;
alter function admit owner to portico_system;
alter function use_ticket owner to portico_system;
alter function take_admissions owner to portico_system;
revoke create on schema public from portico_system;
-- migration 0006-sessions-3-account
-- Accounting: what is true about sessions. Whoever changes the sessions of a guest device holds its lock, and that of its router
-- as a sharer (exclusively when the router went on or off), all taken first and sorted: batches never wait in a circle.

create type accounting_record as (
  tenant uuid, device uuid, status text, session text, class text, user_name text, mac text, ip text,
  at timestamptz, seconds bigint, upload bigint, download bigint, cause text);

/* What was used on one day, to be added to the roll-ups. */
create type usage_delta as (
  tenant_id uuid, location_id uuid, device_id uuid, visitor_id uuid, day date, sessions int, seconds bigint, upload bigint, download bigint);
create type session_closing as (tenant_id uuid, id uuid, ended_at timestamptz, close_reason text, terminate_cause text);

/* An accounting record with its device. `round`: records of one guest device are applied one after another, others together. */
create type accounting_fact as (
  round bigint, status text, tenant_id uuid, location_id uuid, device_id uuid, zone text, stopped boolean, accounting_id bytea,
  session text, class text, user_name text, mac macaddr, ip inet, at timestamptz, began_at timestamptz,
  seconds bigint, upload bigint, download bigint, cause text);

/* What is known of its session: open, closed, or another open one of the same guest device (the rival); and what is to be done. */
create type accounting_match as (
  fact accounting_fact, action text, open online_sessions, closed session_history, rival online_sessions);

/* Unique accounting id: what no two sessions of all routers have in common. */
create function accounting_id(device uuid, session text, user_name text, mac text, class text) returns bytea language sql stable parallel safe as $$
  select substring(sha256(convert_to(jsonb_build_array(device, session, user_name, mac, class)::text, 'UTF8')) for 16) $$;

/* The end of a day of a time zone. */
create function day_end(day date, zone text) returns timestamptz language sql stable parallel safe as $$
  select (day + 1)::timestamp at time zone zone $$;

create procedure add_usage(deltas usage_delta[]) language plpgsql as $$ begin
  insert into session_days (tenant_id, location_id, day, device_id, sessions, seconds, upload, download)
  select tenant_id, location_id, day, device_id, sum(sessions), sum(seconds), sum(upload), sum(download)
  from unnest(deltas) group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (tenant_id, location_id, day, device_id) do update set
    sessions = session_days.sessions + excluded.sessions, seconds = session_days.seconds + excluded.seconds,
    upload = session_days.upload + excluded.upload, download = session_days.download + excluded.download;
  insert into visitor_days (tenant_id, location_id, day, visitor_id, sessions, upload, download)
  select tenant_id, location_id, day, visitor_id, sum(sessions), sum(upload), sum(download)
  from unnest(deltas) where visitor_id is not null group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (tenant_id, location_id, day, visitor_id) do update set
    sessions = visitor_days.sessions + excluded.sessions,
    upload = visitor_days.upload + excluded.upload, download = visitor_days.download + excluded.download;
end $$;

/* Moves open sessions into the history; answers what they used since their last day was counted. */
create function close_sessions(closings session_closing[]) returns setof usage_delta language plpgsql as $$ begin
  return query
  with gone as (
    delete from online_sessions o using unnest(closings) c where o.tenant_id = c.tenant_id and o.id = c.id
    returning o.*, greatest(c.ended_at, o.started_at) as ended_at, c.close_reason, c.terminate_cause
  ), kept as (
    insert into session_history (tenant_id, id, accounting_id, location_id, device_id, network_id, visitor_id, profile_id, user_name, acct_session_id,
      class, client_mac, client_ip, started_at, ended_at, seconds, upload, download, interim, reopened, day, close_reason, terminate_cause)
    select tenant_id, id, accounting_id, location_id, device_id, network_id, visitor_id, profile_id, user_name, acct_session_id,
      class, client_mac, client_ip, started_at, ended_at, seconds, upload, download, interim, reopened, day, close_reason, terminate_cause
    from gone
  ), kicked as (
    update kicks k set state = 'confirmed', confirmed_at = now()
    from gone where k.tenant_id = gone.tenant_id and k.session_id = gone.id and gone.close_reason = 'stop'
      and k.state in ('requested', 'acknowledged', 'no-answer')
  )
  select tenant_id, location_id, device_id, visitor_id, day, 0, seconds - day_seconds, upload - day_upload, download - day_download from gone;
end $$;

/* Tells the screens, once a location. */
create procedure tell_sessions_changed(deltas usage_delta[]) language plpgsql as $$ begin
  perform pg_notify('portico', json_build_object('tenant', tenant_id, 'location', location_id, 'topic', 'sessions')::text)
  from (select distinct tenant_id, location_id from unnest(deltas)) x;
end $$;

/* Whose session it is: by the Class of the sign-in, else by the guest device's last sign-in there, else by the user name. */
create function guest_of(f accounting_fact)
returns table (visitor_id uuid, profile_id uuid, network_id uuid, interim int, admission_id uuid) language sql stable as $$
  select case when a.id is null then v.id else a.visitor_id end, case when a.id is null then v.profile_id else a.profile_id end,
    case when a.id is null then n.id else a.network_id end, coalesce(a.interim, 60), a.id
  from (select) one
  left join admissions c on c.tenant_id = f.tenant_id and c.device_id = f.device_id and c.class = f.class
  left join admissions m on c.id is null and m.tenant_id = f.tenant_id and m.device_id = f.device_id and m.client_mac = f.mac
  left join lateral (select (coalesce(c, m)).*) a on true
  left join visitors v on a.id is null and v.tenant_id = f.tenant_id and v.location_id = f.location_id and v.username = f.user_name
  left join lateral network_of(f.tenant_id, f.device_id, f.ip) n on a.id is null $$;

/*
 * Applies a batch of Accounting-Requests, in the order of the array: [{tenant, device, status, session, class, user_name, mac, ip,
 * at, seconds, upload, download, cause}], status one of start, interim, stop, on, off. Applying one twice changes nothing.
 */
create function account(records jsonb) returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare
  facts accounting_fact[];
  matches accounting_match[];
  closings session_closing[];
  now_used usage_delta[];
  deltas usage_delta[] := '{}';
  begun guest_devices[] := '{}';
  now_begun guest_devices[];
  used_up uuid[] := '{}';
  this bigint;
begin
  perform case when whole then pg_advisory_xact_lock(key)::text else pg_advisory_xact_lock_shared(key)::text end
  from (select lock_of('router', device::text) as key, bool_or(status in ('on', 'off')) as whole
        from jsonb_populate_recordset(null::accounting_record, records) group by 1 order by 1) x;
  perform pg_advisory_xact_lock(key)
  from (select distinct lock_of('guest', device || coalesce(mac, session)) as key
        from jsonb_populate_recordset(null::accounting_record, records) where status not in ('on', 'off') order by 1) x;

  facts := array(
    select row(
        r.restarts * 1000000 + case when r.status in ('on', 'off') then 0
          else row_number() over (partition by r.device, r.restarts, coalesce(r.mac, r.session) order by r.n) end,
        r.status, d.tenant_id, d.location_id, d.id, l.time_zone,
        coalesce(greatest(d.license_end_at, d.trial_end_at, l.license_end_at, l.trial_end_at) <= now(), false),
        accounting_id(d.id, r.session, r.user_name, r.mac, r.class), r.session, r.class, coalesce(r.user_name, ''), mac_of(r.mac), ip_of(r.ip),
        least(r.at, now()), least(r.at, now()) - make_interval(secs => r.seconds), r.seconds, r.upload, r.download, r.cause)::accounting_fact
    from (select x.*, count(*) filter (where x.status in ('on', 'off')) over (partition by x.device order by x.n) as restarts
          from jsonb_populate_recordset(null::accounting_record, records) with ordinality
            as x(tenant, device, status, session, class, user_name, mac, ip, at, seconds, upload, download, cause, n)) r
    join devices d on d.tenant_id = r.tenant and d.id = r.device
    join locations l on l.tenant_id = d.tenant_id and l.id = d.location_id);

  for this in select distinct round from unnest(facts) order by 1 loop
    -- The router went on or off: its sessions ended when they were last heard of. Others' did not, nor those begun since.
    closings := array(
      select row(o.tenant_id, o.id, o.updated_at, 'restart', null)::session_closing
      from unnest(facts) f join online_sessions o on o.tenant_id = f.tenant_id and o.device_id = f.device_id and o.updated_at <= f.at
      where f.round = this and f.status in ('on', 'off'));
    if closings <> '{}' then
      deltas := deltas || array(select c from close_sessions(closings) c);
    end if;

    matches := array(
      select row(f, case
          when o.id is not null then case f.status when 'stop' then 'stop' else 'update' end
          -- Closed stays closed, unless we had given it up for lost and it lives.
          when h.id is not null then case
            when f.status = 'start' then 'none'
            when f.status = 'interim' and h.close_reason = 'stale' and f.at > h.ended_at and r.id is null then 'reopen'
            else 'amend' end
          -- Older than the session that the guest device has now: late, so its own is over.
          when f.status = 'stop' or f.at < r.started_at then 'keep'
          else 'open' end, o, h, r)::accounting_match
      from unnest(facts) f
      left join online_sessions o on o.accounting_id = f.accounting_id
      left join online_sessions r on r.tenant_id = f.tenant_id and r.device_id = f.device_id and r.client_mac = f.mac
        and r.accounting_id <> f.accounting_id
      left join lateral (
        select * from session_history x
        where o.id is null and x.accounting_id = f.accounting_id and x.started_at > least(now() - interval '62 days', f.began_at - interval '2 days') limit 1) h on true
      where f.round = this and f.status in ('start', 'interim', 'stop'));
    continue when matches = '{}';

    -- A new day began for these: what they used until then goes to the day that ended.
    deltas := deltas || array(
      select row((open).tenant_id, (open).location_id, (open).device_id, (open).visitor_id, (open).day, 0,
        (open).seconds - (open).day_seconds, (open).upload - (open).day_upload, (open).download - (open).day_download)::usage_delta
      from unnest(matches) m where action in ('update', 'stop') and (fact).at >= (open).day_ends_at);
    update online_sessions o set
      updated_at = greatest(o.updated_at, f.at), seconds = greatest(o.seconds, f.seconds),
      upload = greatest(o.upload, f.upload), download = greatest(o.download, f.download),
      client_ip = case when f.at < o.updated_at then o.client_ip else coalesce(f.ip, o.client_ip) end,
      day = case when f.at < o.day_ends_at then o.day else (f.at at time zone f.zone)::date end,
      day_ends_at = case when f.at < o.day_ends_at then o.day_ends_at else day_end((f.at at time zone f.zone)::date, f.zone) end,
      day_seconds = case when f.at < o.day_ends_at then o.day_seconds else o.seconds end,
      day_upload = case when f.at < o.day_ends_at then o.day_upload else o.upload end,
      day_download = case when f.at < o.day_ends_at then o.day_download else o.download end
    from (select (open).id, (fact).* from unnest(matches) m where action in ('update', 'stop')) f
    where o.tenant_id = f.tenant_id and o.id = f.id;

    closings := array(
      select row((open).tenant_id, (open).id, (fact).at, 'stop', (fact).cause)::session_closing from unnest(matches) m where action = 'stop'
      union all
      select row((rival).tenant_id, (rival).id, (rival).updated_at, 'replaced', null)::session_closing
      from unnest(matches) m where action = 'open' and (rival).id is not null);
    if closings <> '{}' then
      deltas := deltas || array(select c from close_sessions(closings) c);
    end if;

    if exists (select from unnest(matches) m where action in ('open', 'keep')) then
      with new as (
        select new_id() as id, m.action, (m.fact).*, g.visitor_id, g.profile_id, g.network_id, g.interim, g.admission_id,
          ((m.fact).began_at at time zone (m.fact).zone)::date as first_day, ((m.fact).at at time zone (m.fact).zone)::date as day
        from unnest(matches) m cross join lateral guest_of(m.fact) g
        where m.action in ('open', 'keep')
      ), opened as (
        insert into online_sessions (tenant_id, id, accounting_id, location_id, device_id, network_id, visitor_id, profile_id, user_name, acct_session_id,
          class, client_mac, client_ip, started_at, updated_at, seconds, upload, download, interim, day, day_ends_at)
        select tenant_id, id, accounting_id, location_id, device_id, network_id, visitor_id, profile_id, user_name, session,
          class, mac, ip, began_at, at, seconds, upload, download, interim, day, day_end(day, zone)
        from new where action = 'open'
      ), kept as (
        insert into session_history (tenant_id, id, accounting_id, location_id, device_id, network_id, visitor_id, profile_id, user_name, acct_session_id,
          class, client_mac, client_ip, started_at, ended_at, seconds, upload, download, interim, reopened, day, close_reason, terminate_cause)
        select tenant_id, id, accounting_id, location_id, device_id, network_id, visitor_id, profile_id, user_name, session,
          class, mac, ip, began_at, at, seconds, upload, download, interim, false, day, case status when 'stop' then 'stop' else 'replaced' end, cause
        from new where action = 'keep'
      )
      select array_agg(row(tenant_id, location_id, device_id, visitor_id, first_day, 1, 0, 0, 0)::usage_delta)
          || coalesce(array_agg(row(tenant_id, location_id, device_id, visitor_id, day, 0, seconds, upload, download)::usage_delta) filter (where action = 'keep'), '{}'),
        coalesce(array_agg(row(tenant_id, location_id, mac, 1, device_id, visitor_id, id, began_at)::guest_devices) filter (where mac is not null), '{}'),
        used_up || coalesce(array_agg(admission_id) filter (where admission_id is not null), '{}')
      into now_used, now_begun, used_up from new;
      deltas := deltas || now_used;
      begun := begun || now_begun;
    end if;

    if exists (select from unnest(matches) m where action in ('reopen', 'amend')) then
      with gone as (
        delete from session_history h
        using (select (fact).*, (closed).id as closed_id, (closed).started_at as closed_start from unnest(matches) m where action = 'reopen') f
        where h.tenant_id = f.tenant_id and h.id = f.closed_id and h.started_at = f.closed_start
        returning h.*, f.at, f.zone, f.ip as new_ip, f.seconds as new_seconds, f.upload as new_upload, f.download as new_download
      )
      -- A router slower than it was asked to be is expected at its own pace from now on.
      insert into online_sessions (tenant_id, id, accounting_id, location_id, device_id, network_id, visitor_id, profile_id, user_name, acct_session_id,
        class, client_mac, client_ip, started_at, updated_at, seconds, upload, download, interim, reopened, day, day_ends_at, day_seconds, day_upload, day_download)
      select tenant_id, id, accounting_id, location_id, device_id, network_id, visitor_id, profile_id, user_name, acct_session_id,
        class, client_mac, coalesce(new_ip, client_ip), started_at, at, greatest(seconds, new_seconds), greatest(upload, new_upload), greatest(download, new_download),
        least(900, greatest(interim, extract(epoch from at - ended_at)::int)), true, (at at time zone zone)::date, day_end((at at time zone zone)::date, zone),
        seconds, upload, download
      from gone;
      deltas := deltas || array(
        select row((closed).tenant_id, (closed).location_id, (closed).device_id, (closed).visitor_id, (closed).day, 0,
          case action when 'amend' then greatest(0, (fact).seconds - (closed).seconds) else 0 end,
          case action when 'amend' then greatest(0, (fact).upload - (closed).upload) else 0 end,
          case action when 'amend' then greatest(0, (fact).download - (closed).download) else 0 end)::usage_delta
        from unnest(matches) m where action in ('reopen', 'amend'));
      update session_history h set
        seconds = greatest(h.seconds, f.seconds), upload = greatest(h.upload, f.upload), download = greatest(h.download, f.download),
        ended_at = case when f.found then greatest(h.ended_at, f.at) else h.ended_at end,
        close_reason = case when f.found then 'stop' else h.close_reason end, terminate_cause = coalesce(h.terminate_cause, f.cause)
      from (
        -- The true end of a session that we had given up for lost.
        select (fact).*, (closed).id, (closed).started_at, (fact).status = 'stop' and (closed).close_reason = 'stale'
          and ((rival).id is null or (fact).at < (rival).started_at) as found
        from unnest(matches) m where action = 'amend') f
      where h.tenant_id = f.tenant_id and h.id = f.id and h.started_at = f.started_at;
    end if;

    -- Licences over: running sessions end at their interim update.
    if exists (select from unnest(matches) m where (fact).stopped and (fact).status = 'interim') then
      insert into kicks (tenant_id, session_id, location_id, device_id, reason)
      select o.tenant_id, o.id, o.location_id, o.device_id, 'licence'
      from unnest(matches) m join online_sessions o on o.accounting_id = (fact).accounting_id
      where (fact).stopped and (fact).status = 'interim' and not exists (
        select from kicks k where k.tenant_id = o.tenant_id and k.session_id = o.id and k.requested_at > now() - interval '10 minutes');
    end if;
  end loop;

  if deltas <> '{}' then
    delete from admissions a using (
      select tenant_id, id from admissions where id = any(used_up) order by device_id, client_mac for update) u
    where a.tenant_id = u.tenant_id and a.id = u.id;
    insert into guest_devices
    select tenant_id, location_id, client_mac, count(*), (array_agg(device_id order by session_started_at desc))[1],
      (array_agg(visitor_id order by session_started_at desc))[1], (array_agg(session_id order by session_started_at desc))[1], max(session_started_at)
    from unnest(begun) group by 1, 2, 3 order by 1, 2, 3
    on conflict (tenant_id, location_id, client_mac) do update set
      sessions = guest_devices.sessions + excluded.sessions, device_id = excluded.device_id, visitor_id = excluded.visitor_id,
      session_id = excluded.session_id, session_started_at = excluded.session_started_at;
    call add_usage(deltas);
    call tell_sessions_changed(deltas);
  end if;
end $$;

/* Closes at their last update the sessions that missed three; answers how many. One who comes late is left for the next time. */
create function close_stale() returns int language plpgsql security definer set search_path = public, pg_temp as $$
declare
  held uuid[];
  closings session_closing[];
  deltas usage_delta[];
begin
  held := array(
    select id from (
      select id, device_id, client_mac, acct_session_id from online_sessions
      where updated_at < now() - make_interval(secs => 3 * interim) limit 500 offset 0) o
    where pg_try_advisory_xact_lock(lock_of('guest', o.device_id || coalesce(upper(o.client_mac::text), o.acct_session_id))));
  closings := array(
    select row(tenant_id, id, updated_at, 'stale', null)::session_closing from online_sessions
    where id = any(held) and updated_at < now() - make_interval(secs => 3 * interim));
  if closings = '{}' then return 0; end if;
  deltas := array(select c from close_sessions(closings) c);
  call add_usage(deltas);
  call tell_sessions_changed(deltas);
  return cardinality(closings);
end $$;

revoke execute on function account, close_stale, close_sessions, guest_of from public;
revoke execute on procedure add_usage, tell_sessions_changed from public;
grant create on schema public to portico_system;
alter function account owner to portico_system;
alter function close_stale owner to portico_system;
alter function close_sessions owner to portico_system;
alter function guest_of owner to portico_system;
alter procedure add_usage owner to portico_system;
alter procedure tell_sessions_changed owner to portico_system;
revoke create on schema public from portico_system;
-- migration 0007-sales
/* What paid session profiles brought in. A sale outlives its visitor and profile, so it keeps price and currency itself. */
create table sales (
  tenant_id uuid not null,
  id uuid not null,
  location_id uuid not null,
  visitor_id uuid,
  profile_id uuid,
  days int not null check (days > 0),
  unit_price int not null check (unit_price >= 0),
  currency text not null check (currency in ('eur', 'usd', 'gbp', 'try')),
  total bigint not null,
  sold_at timestamptz not null default now(),
  sold_on date not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, location_id) references locations on delete cascade,
  foreign key (tenant_id, visitor_id) references visitors on delete set null (visitor_id),
  foreign key (tenant_id, profile_id) references profiles on delete set null (profile_id)
);
comment on column sales.sold_on is 'the day at the location, in its time zone';
create index sales_day on sales (tenant_id, location_id, sold_on) include (currency, total);
create index sales_visitor on sales (tenant_id, visitor_id) include (days);
create index sales_profile on sales (tenant_id, profile_id);
call isolate('sales');
-- migration 0007-visitor-search
/*
 * The newest visitors of this tenant that match a LIKE pattern, at most `most`, and only those older than `after`. Under row-level security a condition that
 * is not leakproof, as ILIKE is, may not use an index; portico_system sees all rows, so here it may. The other conditions
 * are those of the list; null means no condition. Executed as text, because the plan depends on the pattern.
 */
create function search_visitors(pattern text, places uuid[], devices uuid[], providers text[], after uuid, most int)
returns setof uuid language plpgsql stable security definer set search_path = public, pg_temp as $$ begin
  return query execute $query$
    select v.id from visitors v
    where v.tenant_id = $1 and ($3 is null or v.location_id = any($3))
      and ($4 is null or v.device_id is null or v.device_id = any($4)) and ($5 is null or v.provider_type = any($5))
      and ($6 is null or v.id < $6)
      and (v.name || ' ' || coalesce(v.username, '') || ' ' || coalesce(v.email, '') || ' ' || coalesce(v.phone, '') || ' ' || coalesce(v.room_number, ''))
        ilike $2
    order by v.id desc limit $7 $query$ using current_tenant(), pattern, places, devices, providers, after, most;
end $$;
revoke execute on function search_visitors from public;
grant execute on function search_visitors to portico_app;
grant create on schema public to portico_system;
alter function search_visitors owner to portico_system;
revoke create on schema public from portico_system;

/* For sign-in methods that few visitors have. */
create index visitors_provider on visitors (tenant_id, provider_type, id desc);
-- migration 0008-portals
-- What is nested in a portal: advertisements, surveys and rules.

create table portal_ads (
  tenant_id uuid not null,
  id uuid not null,
  portal_id uuid not null,
  name text not null,
  type text not null check (type in ('image', 'embed')),
  images text[] not null default '{}',
  embed_code text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, portal_id) references portals on delete cascade
);
comment on column portal_ads.images is 'paths under /uploads/ of the guest origin, as pictures are kept everywhere';
create index portal_ads_portal on portal_ads (tenant_id, portal_id, id);
call isolate('portal_ads');

create table portal_surveys (
  tenant_id uuid not null,
  id uuid not null,
  portal_id uuid not null,
  name text not null,
  questions jsonb not null default '[]',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, portal_id) references portals on delete cascade
);
create unique index portal_surveys_portal on portal_surveys (tenant_id, portal_id, id);
call isolate('portal_surveys');

/* A rule can only lead to a survey of its own portal, and goes when that goes. */
create table portal_rules (
  tenant_id uuid not null,
  id uuid not null,
  portal_id uuid not null,
  position int not null,
  state text not null check (state in ('before_login', 'login_successful', 'login_failed')),
  action text not null check (action in ('redirect_to_survey', 'redirect_to_url')),
  survey_id uuid,
  url text,
  language text check (language in ('tr', 'en', 'de', 'ru', 'ar')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, portal_id) references portals on delete cascade,
  foreign key (tenant_id, portal_id, survey_id) references portal_surveys (tenant_id, portal_id, id) on delete cascade,
  check ((action = 'redirect_to_survey') = (survey_id is not null) and (action = 'redirect_to_url') = (url is not null))
);
create index portal_rules_portal on portal_rules (tenant_id, portal_id, position, id);
create index portal_rules_survey on portal_rules (tenant_id, survey_id) where survey_id is not null;
call isolate('portal_rules');
-- migration 0009-mail-team
/* Mails to be sent. What they say is encrypted (codes and links are keys) and dropped once they are on their way. */
create table outbox_mails (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  address text not null,
  language text not null check (language in ('tr', 'en')),
  template text not null,
  data text,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
  attempts int not null default 0,
  next_at timestamptz not null default now(),
  last_error text,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  primary key (tenant_id, id)
);
comment on column outbox_mails.data is 'encrypted with SECRET_KEY; null once sent or given up';
create index outbox_mails_due on outbox_mails (next_at) where state = 'waiting';
create index outbox_mails_old on outbox_mails (created_at) where state <> 'waiting';
call isolate('outbox_mails');

/* The code of a forgotten password: one per user, five tries; `sent` counts the codes of an hour. */
create table reset_codes (
  tenant_id uuid not null,
  user_id uuid not null,
  hash bytea not null,
  attempts int not null default 0,
  sent int not null default 1,
  sent_since timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references users on delete cascade
);
call isolate('reset_codes');

/* Links that confirm an address: the new one of a panel user, or a visitor's. */
create table email_confirmations (
  tenant_id uuid not null,
  id uuid not null,
  user_id uuid,
  visitor_id uuid,
  email text not null,
  hash bytea not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  confirmed_at timestamptz,
  primary key (tenant_id, id),
  check (num_nonnulls(user_id, visitor_id) = 1),
  foreign key (tenant_id, user_id) references users on delete cascade,
  foreign key (tenant_id, visitor_id) references visitors on delete cascade
);
create unique index email_confirmations_hash on email_confirmations (tenant_id, hash);
create index email_confirmations_user on email_confirmations (tenant_id, user_id) where user_id is not null;
create index email_confirmations_visitor on email_confirmations (tenant_id, visitor_id) where visitor_id is not null;
create index email_confirmations_old on email_confirmations (expires_at);
call isolate('email_confirmations');

/* device_ids null: every device of the location. */
create table invitations (
  tenant_id uuid not null,
  id uuid not null,
  location_id uuid not null,
  email text not null check (email = lower(email)),
  first_name text not null default '',
  last_name text not null default '',
  permissions text[] not null,
  device_ids uuid[],
  role_ids uuid[] not null default '{}',
  token_hash bytea not null,
  invited_by uuid,
  created_at timestamptz not null default now(),
  sent_at timestamptz not null default now(),
  times_sent int not null default 1,
  expires_at timestamptz not null,
  closed_as text check (closed_as in ('accepted', 'denied', 'cancelled')),
  closed_at timestamptz,
  primary key (tenant_id, id),
  check ((closed_as is null) = (closed_at is null)),
  foreign key (tenant_id, location_id) references locations on delete cascade,
  foreign key (tenant_id, invited_by) references users on delete set null (invited_by)
);
create unique index invitations_token on invitations (tenant_id, token_hash);
create unique index invitations_open on invitations (tenant_id, location_id, email) where closed_as is null;
create index invitations_email on invitations (tenant_id, email) where closed_as is null;
call isolate('invitations');

/* What a user is told in the panel. `once`: a key under which the same is told only one time. */
create table notifications (
  tenant_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  location_id uuid,
  device_id uuid,
  kind text not null,
  data jsonb not null default '{}',
  once text,
  read_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users on delete cascade,
  foreign key (tenant_id, location_id) references locations on delete cascade
);
create index notifications_newest on notifications (tenant_id, user_id, id desc);
create index notifications_unread on notifications (tenant_id, user_id) where read_at is null;
create unique index notifications_once on notifications (tenant_id, user_id, once) where once is not null;
call isolate('notifications');

/* Who did what. Rows are added and never changed, also by those who could: no foreign keys, as they outlive what they tell of. */
create table audit_log (
  tenant_id uuid not null,
  id uuid not null,
  created_at timestamptz not null default now(),
  user_id uuid,
  user_name text not null,
  user_email text not null,
  ip inet,
  verb text not null,
  subject_type text not null,
  subject_id uuid,
  subject_name text not null default '',
  location_id uuid,
  device_id uuid,
  before jsonb,
  after jsonb,
  primary key (tenant_id, id)
);
create index audit_log_location on audit_log (tenant_id, location_id, id desc);
create index audit_log_user on audit_log (tenant_id, user_id, id desc);
call isolate('audit_log');
revoke update, delete, truncate on audit_log from portico_app, portico_system;
create function refuse_change() returns trigger language plpgsql as $$ begin
  raise exception '% is append-only', tg_table_name;
end $$;
create trigger append_only before update or delete or truncate on audit_log for each statement execute function refuse_change();

/* email_confirmed_at null: they registered by themselves and have not shown yet that the address is theirs. */
alter table users
  add column email_confirmed_at timestamptz default now(),
  add column totp_secret text,
  add column totp_enabled boolean not null default false,
  add column totp_step bigint not null default 0,
  add column recovery_codes bytea[] not null default '{}';
comment on column users.totp_secret is 'encrypted with SECRET_KEY';
comment on column users.totp_step is 'the 30-second step of the last code used: an older or equal one is a replay';
-- migration 0010-logs
-- What routers log. The lines themselves are files (DATA_DIR/logs); here is how far they were read, what they add up to, and the
-- register of the legal record. Written by the intake and the jobs only. No foreign keys: the record outlives its device.

/* How far the stream of a device's raw lines was read; the counts below hold exactly the lines before `position`. */
create table log_streams (
  tenant_id uuid not null,
  device_id uuid not null,
  position bigint not null,
  day date,
  day_position bigint,
  sealing_until timestamptz not null default '-infinity',
  chain_length int not null default 0,
  chain_head text not null default '',
  stamped_length int not null default 0,
  primary key (tenant_id, device_id)
) with (fillfactor = 70);
comment on column log_streams.day is 'the local day that lines are counted to now, which began at day_position';
comment on column log_streams.sealing_until is 'a process seals or erases files of this device; it lost its claim when this has passed';
comment on column log_streams.chain_head is 'the last hash of the chain of files, as in chain.jsonl';
call isolate('log_streams');
revoke insert, update, delete on log_streams from portico_app;

/* The part of a stream that makes one local day. A day that comes again (a clock was set back) is another part of it. */
create table log_days (
  tenant_id uuid not null,
  device_id uuid not null,
  start_position bigint not null,
  end_position bigint,
  day date not null,
  part int not null,
  sealed_at timestamptz,
  primary key (tenant_id, device_id, start_position),
  unique (tenant_id, device_id, day, part)
);
create index log_days_unsealed on log_days (end_position) where sealed_at is null;
call isolate('log_days');
revoke insert, update, delete on log_days from portico_app;

/* The register: one file per device, type and day. Until it is sealed its lines are in the raw stream. */
create table log_files (
  tenant_id uuid not null,
  id uuid not null default new_id(),
  device_id uuid not null,
  start_position bigint not null,
  type text not null check (type in ('firewall', 'dhcp', 'proxy', 'dns', 'other')),
  day date not null,
  part int not null,
  lines bigint not null,
  bytes bigint not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  sealed_at timestamptz,
  path text,
  file_bytes bigint,
  sha256 text,
  chain_number int,
  chain_previous text,
  erased_at timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, device_id, start_position, type)
);
comment on column log_files.bytes is 'of the lines; file_bytes are those of the compressed file';
create index log_files_device on log_files (tenant_id, device_id, day desc, type, part) where erased_at is null;
create index log_files_age on log_files (day) where erased_at is null;
call isolate('log_files');
revoke insert, update, delete on log_files from portico_app;

/* Lines per minute, sixty to a row: a day of minutes is 24 rows. */
create table log_hours (
  tenant_id uuid not null,
  device_id uuid not null,
  hour timestamptz not null,
  lines bigint not null,
  minutes int[] not null check (cardinality(minutes) = 60),
  primary key (tenant_id, device_id, hour)
) with (fillfactor = 50);
call isolate('log_hours');
revoke insert, update, delete on log_hours from portico_app;

/* What guests used, per device and day: all of today's, later the most used only. */
create table log_tops (
  tenant_id uuid not null,
  device_id uuid not null,
  day date not null,
  kind text not null check (kind in ('website', 'application', 'country')),
  name text not null,
  recv bigint not null,
  sent bigint not null,
  connections bigint not null,
  primary key (tenant_id, device_id, kind, day, name)
) with (fillfactor = 70);
create index log_tops_age on log_tops (day);
call isolate('log_tops');
revoke insert, update, delete on log_tops from portico_app;

/* Sums two lists of sixty. */
create function add_minutes(a int[], b int[]) returns int[] language sql immutable parallel safe
as $$ select array_agg(x + y order by i) from unnest(a, b) with ordinality as t(x, y, i) $$;
-- migration 0011-announce
/*
 * Tells screens what changed, in the transaction that changed it: topic, and the location it belongs to (the column
 * named by the second argument; none: the whole tenant). PostgreSQL sends equal words of one transaction once, so a
 * thousand new visitors are one message.
 */
create function announce() returns trigger language plpgsql as $$
declare
  it jsonb := to_jsonb(case when tg_op = 'DELETE' then old else new end);
begin
  perform pg_notify('portico', json_build_object(
    'tenant', it->>'tenant_id', 'location', case when tg_nargs > 1 then it->>tg_argv[1] end, 'topic', tg_argv[0])::text);
  return null;
end $$;

create trigger announce after insert or delete or update on locations for each row execute function announce('locations', 'id');
create trigger announce after insert or delete or update on profiles for each row execute function announce('profiles', 'location_id');
create trigger announce after insert or delete or update on portals for each row execute function announce('portals', 'location_id');
create trigger announce after insert or delete or update on visitors for each row execute function announce('visitors', 'location_id');
-- Not when a device was merely heard of: that happens all the time.
create trigger announce after insert or delete or update of name, location_id, secret, mac_address, hotspot_status, license_end_at,
  trial_end_at, coa_port, logging_enabled on devices for each row execute function announce('devices', 'location_id');
create trigger announce after insert or delete or update on networks for each row execute function announce('devices');
create trigger announce after insert or delete or update on mac_rules for each row execute function announce('devices');
-- migration 0012-statistics
/* What guests sign in with, per local day: platform, browser and kind of device, of each sign-in on the portal. */
create table guest_agent_days (
  tenant_id uuid not null,
  location_id uuid not null,
  device_id uuid not null,
  day date not null,
  kind text not null check (kind in ('platform', 'browser', 'device')),
  value text not null,
  sign_ins int not null,
  primary key (tenant_id, location_id, day, device_id, kind, value),
  foreign key (tenant_id, location_id) references locations on delete cascade
) with (fillfactor = 80);
create index guest_agent_days_tenant on guest_agent_days (tenant_id, kind, day);
call isolate('guest_agent_days');
-- migration 0013-qr-menu
create table menu_categories (
  tenant_id uuid not null,
  id uuid not null,
  location_id uuid not null,
  title text not null,
  title_en text not null default '',
  description text not null default '',
  description_en text not null default '',
  status int not null default 1 check (status in (0, 1)),
  position int not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, location_id) references locations on delete cascade
);
create index menu_categories_order on menu_categories (tenant_id, location_id, position, id);
call isolate('menu_categories');

create table menu_products (
  tenant_id uuid not null,
  id uuid not null,
  location_id uuid not null,
  title text not null,
  title_en text not null default '',
  description text not null default '',
  description_en text not null default '',
  description_long text not null default '',
  description_long_en text not null default '',
  ingredients text[] not null default '{}',
  ingredients_en text[] not null default '{}',
  allergens text[] not null default '{}',
  allergens_en text[] not null default '{}',
  product_time int,
  calorie int,
  price numeric(12, 2),
  currency text not null default 'try',
  status int not null default 1 check (status in (0, 1)),
  position int not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, location_id) references locations on delete cascade
);
create index menu_products_order on menu_products (tenant_id, location_id, position, id);
call isolate('menu_products');

create table menu_product_categories (
  tenant_id uuid not null,
  product_id uuid not null,
  category_id uuid not null,
  primary key (tenant_id, product_id, category_id),
  foreign key (tenant_id, product_id) references menu_products on delete cascade,
  foreign key (tenant_id, category_id) references menu_categories on delete cascade
);
create index menu_product_categories_category on menu_product_categories (tenant_id, category_id);
call isolate('menu_product_categories');

/* A row of desks that share a title: prefix + number_start … number_end. */
create table menu_desks (
  tenant_id uuid not null,
  id uuid not null,
  location_id uuid not null,
  title text not null,
  description text not null default '',
  prefix text not null default '',
  number_start int not null default 1,
  number_end int not null default 1,
  number int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, location_id) references locations on delete cascade
);
create index menu_desks_newest on menu_desks (tenant_id, location_id, id desc);
call isolate('menu_desks');

create trigger announce after insert or delete or update on menu_categories for each row execute function announce('qr-menu', 'location_id');
create trigger announce after insert or delete or update on menu_products for each row execute function announce('qr-menu', 'location_id');
create trigger announce after insert or delete or update on menu_desks for each row execute function announce('qr-menu', 'location_id');
-- migration 0014-integrations
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
-- migration 0016-guest-sign-in
/* Messages to phones. What they say is encrypted and dropped once they are on their way; whom by a keyed hash, to count by. */
create table sms_messages (
  tenant_id uuid not null,
  id uuid not null,
  location_id uuid not null,
  phone_hash bytea not null,
  client_mac macaddr,
  address inet,
  data text,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
  attempts int not null default 0,
  next_at timestamptz not null default now(),
  last_error text,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, location_id) references locations on delete cascade
);
comment on column sms_messages.data is 'encrypted with SECRET_KEY; null once sent or given up';
create index sms_messages_due on sms_messages (next_at) where state = 'waiting';
create index sms_messages_phone on sms_messages (tenant_id, phone_hash, created_at);
create index sms_messages_mac on sms_messages (tenant_id, client_mac, created_at);
create index sms_messages_address on sms_messages (tenant_id, address, created_at);
create index sms_messages_location on sms_messages (tenant_id, location_id);
create index sms_messages_old on sms_messages (created_at);
call isolate('sms_messages');

/* The code that a guest device waits for: good for that device only, so that nobody else can use or spoil it. */
create table sms_codes (
  tenant_id uuid not null,
  location_id uuid not null,
  phone_hash bytea not null,
  client_mac macaddr not null,
  hash bytea not null,
  tries int not null default 0,
  expires_at timestamptz not null,
  primary key (tenant_id, location_id, phone_hash, client_mac),
  foreign key (tenant_id, location_id) references locations on delete cascade
);
create index sms_codes_old on sms_codes (expires_at);
call isolate('sms_codes');

/* The device of a visitor with free access: one visitor per device, for each of these methods. */
alter table visitors add column portal_mac macaddr;
create unique index visitors_portal_mac on visitors (tenant_id, location_id, provider_type, portal_mac) where portal_mac is not null;

/* What guests agreed to, word for word, by a hash of it. */
create table agreement_versions (
  tenant_id uuid not null references tenants on delete cascade,
  version text not null,
  texts jsonb not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, version)
);
call isolate('agreement_versions');

/* Who agreed to it, when first, on which device and in which language. */
create table consents (
  tenant_id uuid not null,
  visitor_id uuid not null,
  client_mac macaddr not null,
  version text not null,
  location_id uuid not null,
  language text not null check (language in ('tr', 'en', 'de', 'ru', 'ar')),
  created_at timestamptz not null default now(),
  primary key (tenant_id, visitor_id, client_mac, version),
  foreign key (tenant_id, visitor_id) references visitors on delete cascade,
  foreign key (tenant_id, location_id) references locations on delete cascade,
  foreign key (tenant_id, version) references agreement_versions
);
create index consents_version on consents (tenant_id, version);
create index consents_location on consents (tenant_id, location_id);
call isolate('consents');
-- migration 0017-roles
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
-- migration 0020-suspension
/*
 * A customer whose service was stopped by hand: as if its licences were over, whatever they still hold. `suspended_by` is the
 * role of who did it: what an administrator stopped, a reseller cannot set going again.
 */
alter table locations
  add column suspended_at timestamptz,
  add column suspended_by text check (suspended_by in ('reseller', 'tenant-admin')),
  add check ((suspended_at is null) = (suspended_by is null));

/* Whether guests are let in at a device no more: its location is suspended, or both licences are over. */
create function out_of_service(d devices, l locations) returns boolean language sql stable as $$
  select coalesce(l.suspended_at is not null
    or greatest(d.license_end_at, d.trial_end_at, l.license_end_at, l.trial_end_at) <= now(), false) $$;

create or replace function device_refusal(d devices, l locations, blocked boolean) returns text language sql stable as $$
  select case
    when d.id is null then 'unknown_device'
    when out_of_service(d, l) then 'license_over'
    when not d.hotspot_status then 'hotspot_off'
    when blocked then 'blocked'
  end $$;

-- Accounting ends running sessions by the same rule. The rest of the function stays word for word what it is.
do $$
declare
  was text := pg_get_functiondef('account(jsonb)'::regprocedure);
  now_is text := replace(was,
    'coalesce(greatest(d.license_end_at, d.trial_end_at, l.license_end_at, l.trial_end_at) <= now(), false)', 'out_of_service(d, l)');
begin
  if now_is = was then raise exception 'account() has no rule about licences to replace'; end if;
  execute now_is;
end $$;
-- migration 0023-session-changes
/* An order to a router can also hold a running session to other limits, when a visitor was changed. */
alter table kicks add column kind text not null default 'end' check (kind in ('end', 'change'));
-- migration 0024-failed-logins-of-visitors
/* Whose attempt it was, where the username told; others are known by the guest device that the visitor uses. */
alter table failed_logins add column visitor_id uuid;
alter table failed_logins add foreign key (tenant_id, visitor_id) references visitors on delete set null (visitor_id);
create index failed_logins_visitor on failed_logins (tenant_id, visitor_id, created_at desc) where visitor_id is not null;
create index failed_logins_mac on failed_logins (tenant_id, client_mac, created_at desc) where client_mac is not null;
-- migration 0025-visitor-devices
/* The device of a visitor that an operator made is the one where it was online first: lists show it, and members limited to
   devices see the guests of theirs. Visitors from a portal have theirs already. */
create function note_visitor_device() returns trigger language plpgsql as $$
begin
  -- Locked in one order, so that no two batches can wait for each other.
  perform from visitors v
  where (v.tenant_id, v.id) in (select f.tenant_id, f.visitor_id from fresh f) and v.device_id is null order by v.id for no key update;
  update visitors v set device_id = f.device_id
  from (select distinct on (x.tenant_id, x.visitor_id) x.tenant_id, x.visitor_id, x.device_id, x.location_id from fresh x
        where x.visitor_id is not null order by x.tenant_id, x.visitor_id, x.started_at) f
  where v.tenant_id = f.tenant_id and v.id = f.visitor_id and v.location_id = f.location_id and v.device_id is null;
  return null;
end $$;
create trigger note_visitor_device after insert on online_sessions
  referencing new table as fresh for each statement execute function note_visitor_device();

update visitors v set device_id = g.device_id
from (select distinct on (x.tenant_id, x.visitor_id) x.tenant_id, x.visitor_id, x.device_id, x.location_id
      from guest_devices x join devices d on d.tenant_id = x.tenant_id and d.id = x.device_id
      where x.visitor_id is not null order by x.tenant_id, x.visitor_id, x.session_started_at desc) g
where v.tenant_id = g.tenant_id and v.id = g.visitor_id and v.location_id = g.location_id and v.device_id is null;
-- migration 0026-signing-keys
/* What a tenant signs its reports with. Made at the first report. */
create table signing_keys (
  tenant_id uuid not null references tenants on delete cascade,
  private_key text not null,
  certificate bytea not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id)
);
comment on column signing_keys.private_key is 'PKCS#8, encrypted with SECRET_KEY';
comment on column signing_keys.certificate is 'X.509, signed by the key itself';
call isolate('signing_keys');
-- migration 0027-report-mails
/* Reports that go out by mail once a week or a month of their location is over. */
create table report_mails (
  tenant_id uuid not null,
  id uuid not null,
  location_id uuid not null,
  name text not null,
  frequency text not null check (frequency in ('weekly', 'monthly')),
  reports text[] not null,
  recipients text[] not null,
  language text not null check (language in ('tr', 'en')),
  with_names boolean not null,
  is_active boolean not null default true,
  done_until date not null,
  last_sent_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, location_id) references locations on delete cascade
);
comment on column report_mails.done_until is 'the local day on which the last period that was mailed, or that is not asked for, ended (exclusive)';
create index report_mails_location on report_mails (tenant_id, location_id, id desc);
create index report_mails_due on report_mails (done_until) where is_active;
call isolate('report_mails');
create trigger announce after insert or delete or update on report_mails for each row execute function announce('report-mails', 'location_id');
-- migration 0029-router-commands
/*
 * Orders for routers, written down in the transaction of what they carry out and sent after it. `key` says what an order is
 * about (a guest device, the hotspot): of each there is one open order at most, and the newest takes the place of older ones.
 */
create table router_commands (
  tenant_id uuid not null,
  id uuid not null,
  location_id uuid not null,
  device_id uuid not null,
  key text not null,
  action text not null check (action in ('block', 'bypass', 'release', 'hotspot-on', 'hotspot-off', 'logout')),
  wish jsonb not null,
  state text not null default 'queued' check (state in ('queued', 'sent', 'done', 'failed', 'replaced')),
  words text not null default '',
  driver text check (driver in ('rest', 'api', 'api-ssl', 'poll')),
  attempts int not null default 0,
  requested_by uuid,
  created_at timestamptz not null default now(),
  next_at timestamptz not null default now(),
  sent_at timestamptz,
  answered_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, device_id) references devices on delete cascade
);
comment on column router_commands.answered_at is 'null with a sent_at: somebody is talking to the router about it';
create index router_commands_device on router_commands (tenant_id, device_id, id desc);
create unique index router_commands_open on router_commands (tenant_id, device_id, key) where state in ('queued', 'sent');
create index router_commands_old on router_commands (created_at);
call isolate('router_commands');
create trigger announce after insert or delete or update on router_commands
  for each row execute function announce('router-commands', 'location_id');

alter table devices
  add column certificate text,
  add column poll_tokens bytea[] not null default '{}',
  add column polled_at timestamptz,
  add column router_version text;
comment on column devices.certificate is 'SHA-256 of the certificate that its REST or API showed first';
comment on column devices.poll_tokens is 'hashes of the tokens in its latest scripts, the newest last';
create trigger announce_connection after update of connection, certificate, router_version on devices
  for each row execute function announce('devices', 'location_id');

/* Whom a device blocks goes offline now, not when the session happens to end. */
alter table kicks drop constraint kicks_reason_check;
alter table kicks add constraint kicks_reason_check check (reason in ('operator', 'licence', 'blocked'));
create function kick_blocked() returns trigger language plpgsql as $$ begin
  insert into kicks (tenant_id, session_id, location_id, device_id, reason)
  select o.tenant_id, o.id, o.location_id, o.device_id, 'blocked' from online_sessions o
  where o.tenant_id = new.tenant_id and o.device_id = new.device_id and o.client_mac = new.mac
    and (new.networks = '{}' or o.network_id is null or o.network_id = any(new.networks));
  return null;
end $$;
create trigger kick_blocked after insert on mac_rules for each row when (new.type = 'blocked') execute function kick_blocked();
-- migration 0030-device-watch
/*
 * Whether a device is there. `expected_within`: so many seconds after it was last heard of, something must come (a poll, an
 * interim update of a guest's session); null: nothing need come, as it has no guests and does not poll.
 */
alter table devices
  add column expected_within int,
  add column down_since timestamptz,
  add column up_since timestamptz,
  add column offline_told boolean not null default false,
  add column offline_told_at timestamptz;
comment on column devices.down_since is 'when it was last heard of before it missed three polls or interims; null: it is there';
create trigger announce_watch after update of down_since on devices for each row execute function announce('devices', 'location_id');
-- migration 0032-guest-surveys
-- What guests answered to surveys, and how often surveys and advertisements were shown to them.

/* One row per guest device and survey: it answered, or skipped it (answers null), and is not asked again. */
create table survey_responses (
  tenant_id uuid not null,
  id uuid not null,
  survey_id uuid not null,
  location_id uuid not null,
  device_id uuid not null,
  client_mac macaddr not null,
  visitor_id uuid,
  session_id uuid,
  language text not null check (language in ('tr', 'en', 'de', 'ru', 'ar')),
  answers jsonb,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, survey_id) references portal_surveys on delete cascade,
  foreign key (tenant_id, location_id) references locations on delete cascade,
  foreign key (tenant_id, visitor_id) references visitors on delete set null (visitor_id)
);
comment on column survey_responses.answers is 'by question: the ids of the answers chosen, or the text written';
comment on column survey_responses.visitor_id is 'null where the guest was asked before it signed in';
create unique index survey_responses_once on survey_responses (tenant_id, survey_id, client_mac);
create index survey_responses_newest on survey_responses (tenant_id, survey_id, id desc) where answers is not null;
create index survey_responses_visitor on survey_responses (tenant_id, visitor_id) where visitor_id is not null;
create index survey_responses_location on survey_responses (tenant_id, location_id);
call isolate('survey_responses');

/* Roll-ups, kept in the transaction that counts. answer_id '': how many answered the question. */
create table survey_counts (
  tenant_id uuid not null,
  survey_id uuid not null,
  question_id text not null,
  answer_id text not null,
  location_id uuid not null,
  device_id uuid not null,
  count bigint not null,
  primary key (tenant_id, survey_id, question_id, answer_id, device_id),
  foreign key (tenant_id, survey_id) references portal_surveys on delete cascade,
  foreign key (tenant_id, location_id) references locations on delete cascade
) with (fillfactor = 70);
create index survey_counts_location on survey_counts (tenant_id, location_id);
call isolate('survey_counts');

create table survey_days (
  tenant_id uuid not null,
  survey_id uuid not null,
  day date not null,
  location_id uuid not null,
  device_id uuid not null,
  shown bigint not null default 0,
  answered bigint not null default 0,
  skipped bigint not null default 0,
  primary key (tenant_id, survey_id, day, device_id),
  foreign key (tenant_id, survey_id) references portal_surveys on delete cascade,
  foreign key (tenant_id, location_id) references locations on delete cascade
) with (fillfactor = 70);
create index survey_days_location on survey_days (tenant_id, location_id);
call isolate('survey_days');

create table ad_days (
  tenant_id uuid not null,
  ad_id uuid not null,
  day date not null,
  location_id uuid not null,
  device_id uuid not null,
  views bigint not null,
  primary key (tenant_id, ad_id, day, device_id),
  foreign key (tenant_id, ad_id) references portal_ads on delete cascade,
  foreign key (tenant_id, location_id) references locations on delete cascade
) with (fillfactor = 70);
create index ad_days_location on ad_days (tenant_id, location_id);
call isolate('ad_days');

-- Questions and answers get names of their own, so that what was answered stays with them when they are moved about.
alter table portal_surveys no force row level security;
update portal_surveys s set questions = (
  select coalesce(jsonb_agg(q || jsonb_build_object('id', 'q' || n, 'answers', (
    select coalesce(jsonb_agg(a || jsonb_build_object('id', 'a' || m) order by m), '[]')
    from jsonb_array_elements(coalesce(q->'answers', '[]')) with ordinality as x(a, m))) order by n), '[]')
  from jsonb_array_elements(s.questions) with ordinality as y(q, n));
alter table portal_surveys force row level security;
-- migration 0033-remembered-guests
/* Guests who may go straight on when they come again: one per guest device and location, the latest sign-in. */
create table remembered_guests (
  tenant_id uuid not null,
  id uuid not null,
  location_id uuid not null,
  visitor_id uuid not null,
  client_mac macaddr not null,
  token_hash bytea not null,
  provider_slug text not null,
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, location_id) references locations on delete cascade,
  foreign key (tenant_id, visitor_id) references visitors on delete cascade
);
comment on column remembered_guests.token_hash is 'SHA-256 of what the cookie of the guest''s browser holds';
create unique index remembered_guests_device on remembered_guests (tenant_id, location_id, client_mac);
create unique index remembered_guests_token on remembered_guests (tenant_id, token_hash);
create index remembered_guests_visitor on remembered_guests (tenant_id, visitor_id);
create index remembered_guests_old on remembered_guests (seen_at);
call isolate('remembered_guests');
-- migration 0035-log-record-state
-- What the daily check of the legal record found, and what was lost of a device's lines before they could be kept.

alter table log_streams add column checked_at timestamptz, add column problem text, add column problem_where text;
comment on column log_streams.problem is 'the first thing that the last check found, or null; problem_where: in which file or link';
alter table log_files add column problem text check (problem in ('missing', 'changed'));

create table log_losses (
  tenant_id uuid not null,
  device_id uuid not null,
  day date not null,
  reason text not null check (reason in ('flood', 'disk_full', 'memory_full', 'device_full', 'unnamed', 'cut', 'logging_off')),
  lines bigint not null,
  last_at timestamptz not null,
  primary key (tenant_id, device_id, day, reason)
);
comment on column log_losses.reason is 'cut: the beginning of the line was kept; unnamed: it came from an address that several devices share';
create index log_losses_age on log_losses (day);
call isolate('log_losses');
revoke insert, update, delete on log_losses from portico_app;

/* Datagrams that the kernel dropped at the log door: whose they were is not known. */
create table log_overflow (
  day date primary key,
  lines bigint not null
);
grant select on log_overflow to portico_app;
grant select, insert, update, delete on log_overflow to portico_system;
-- migration 0036-log-store
-- How far the files of a device's chain were brought into the store of LOG_STORE_URL.

alter table log_streams add column stored_length int not null default 0;
-- migration 0038-integration-kinds
/* Integrations of every kind: what keeps one from working in plain words, and whom and what passes through it. */
alter table integrations alter column fields drop not null;
alter table integrations add column problem text;
alter table integrations add column events text[] not null default '{}';
alter table integrations add column doubted boolean not null default false;
comment on column integrations.connection is 'encrypted with SECRET_KEY, with the secrets';
comment on column integrations.problem is 'a key of integrationProblems; last_error is what the other side said';
comment on column integrations.events is 'what a webhook tells of';
comment on column integrations.doubted is 'the last read brought nobody, where there had been guests';
create index integrations_webhooks on integrations (tenant_id, location_id) where kind = 'webhook';
create unique index integrations_one_sms on integrations (tenant_id, location_id)
  where kind in ('netgsm', 'iletimerkezi', 'twilio', 'vonage', 'sms-http');
create unique index integrations_one_smtp on integrations (tenant_id, location_id) where kind = 'smtp';

/* Sessions end at check-out, whatever the router was told when they began. */
alter table kicks drop constraint kicks_reason_check;
alter table kicks add constraint kicks_reason_check check (reason in ('operator', 'licence', 'blocked', 'stay-over'));

/* The location's own gateway, and what it says of a message. */
alter table sms_messages drop constraint sms_messages_state_check;
alter table sms_messages add constraint sms_messages_state_check check (state in ('waiting', 'sent', 'delivered', 'failed'));
alter table sms_messages add column integration_id uuid;
alter table sms_messages add column gateway_id text;
alter table sms_messages add column recipient text;
alter table sms_messages add column problem text;
alter table sms_messages add column check_at timestamptz;
alter table sms_messages add column delivered_at timestamptz;
alter table sms_messages add foreign key (tenant_id, integration_id) references integrations on delete set null (integration_id);
comment on column sms_messages.recipient is 'masked';
comment on column sms_messages.check_at is 'when the gateway is next asked whether it was delivered';
create index sms_messages_integration on sms_messages (tenant_id, integration_id, id desc) where integration_id is not null;
create index sms_messages_check on sms_messages (check_at) where check_at is not null;

/* A guest's mail goes by the mail server of its location, if that has one. */
alter table outbox_mails add column location_id uuid;
alter table outbox_mails add foreign key (tenant_id, location_id) references locations on delete set null (location_id);
create index outbox_mails_location on outbox_mails (tenant_id, location_id) where location_id is not null;

/* Notifications tell the reason in the reader's language. */
update notifications set data = data || jsonb_build_object('reason_en', data->'reason', 'reason_tr', data->'reason')
where kind = 'integration_failing' and data ? 'reason';

/* Sign-in with an account elsewhere: what stands on the button, readable without opening what is encrypted. */
alter table integrations add column label text;
create index integrations_social on integrations (tenant_id, location_id) where kind = 'openid';
-- migration 0039-webhooks
/* What webhooks are told, once for each that listens: written in the transaction of what it tells of, sent by a job. */
create table webhook_deliveries (
  tenant_id uuid not null,
  id uuid not null,
  location_id uuid not null,
  integration_id uuid not null,
  event text not null,
  body text not null,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
  attempts int not null default 0,
  status int,
  problem text,
  last_error text,
  created_at timestamptz not null default now(),
  next_at timestamptz not null default now(),
  delivered_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, integration_id) references integrations on delete cascade
);
create index webhook_deliveries_due on webhook_deliveries (next_at) where state = 'waiting';
create index webhook_deliveries_log on webhook_deliveries (tenant_id, integration_id, id desc);
create index webhook_deliveries_old on webhook_deliveries (created_at);
call isolate('webhook_deliveries');
create trigger announce after insert or update on webhook_deliveries for each row execute function announce('webhooks', 'location_id');

/* Tells the webhooks of a location that listen to this event. */
create function emit_event(tenant uuid, location uuid, event_name text, content jsonb) returns void language sql as $$
  insert into webhook_deliveries (tenant_id, id, location_id, integration_id, event, body)
  select i.tenant_id, new_id(), i.location_id, i.id, event_name,
    json_build_object('type', event_name, 'timestamp', to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'data', content)::text
  from integrations i
  where i.tenant_id = tenant and i.location_id = location and i.kind = 'webhook' and event_name = any(i.events) $$;

/* Whether anybody listens there: most locations have no webhook, and then nothing else is to be done. */
create function has_webhook(tenant uuid, location uuid) returns boolean language sql stable as $$
  select exists (select from integrations i where i.tenant_id = tenant and i.location_id = location and i.kind = 'webhook') $$;

create function tell_guest_online() returns trigger language plpgsql as $$ begin
  perform emit_event(s.tenant_id, s.location_id, 'guest.online', jsonb_build_object(
    'session_id', s.id, 'location_id', s.location_id, 'device_id', s.device_id, 'mac', upper(s.client_mac::text), 'ip', host(s.client_ip),
    'started_at', s.started_at, 'visitor', case when v.id is not null then jsonb_build_object('id', v.id, 'name', v.name, 'room_number', v.room_number) end))
  from added s left join visitors v on v.tenant_id = s.tenant_id and v.id = s.visitor_id
  where not s.reopened and has_webhook(s.tenant_id, s.location_id);
  return null;
end $$;
create trigger tell_guest_online after insert on online_sessions referencing new table as added
  for each statement execute function tell_guest_online();

create function tell_guest_offline() returns trigger language plpgsql as $$ begin
  perform emit_event(s.tenant_id, s.location_id, 'guest.offline', jsonb_build_object(
    'session_id', s.id, 'location_id', s.location_id, 'device_id', s.device_id, 'mac', upper(s.client_mac::text), 'ip', host(s.client_ip),
    'started_at', s.started_at, 'seconds', s.seconds, 'upload_bytes', s.upload, 'download_bytes', s.download,
    'visitor', case when v.id is not null then jsonb_build_object('id', v.id, 'name', v.name, 'room_number', v.room_number) end))
  from removed s left join visitors v on v.tenant_id = s.tenant_id and v.id = s.visitor_id
  where has_webhook(s.tenant_id, s.location_id);
  return null;
end $$;
create trigger tell_guest_offline after delete on online_sessions referencing old table as removed
  for each statement execute function tell_guest_offline();

create function tell_visitor_created() returns trigger language plpgsql as $$ begin
  perform emit_event(v.tenant_id, v.location_id, 'visitor.created', jsonb_build_object(
    'id', v.id, 'location_id', v.location_id, 'name', v.name, 'provider_type', v.provider_type, 'room_number', v.room_number,
    'session_start_at', v.session_start_at, 'session_end_at', v.session_end_at))
  from added v where has_webhook(v.tenant_id, v.location_id);
  return null;
end $$;
create trigger tell_visitor_created after insert on visitors referencing new table as added
  for each statement execute function tell_visitor_created();

create function tell_sale_created() returns trigger language plpgsql as $$ begin
  perform emit_event(s.tenant_id, s.location_id, 'sale.created', jsonb_build_object(
    'id', s.id, 'location_id', s.location_id, 'visitor_id', s.visitor_id, 'profile_id', s.profile_id, 'days', s.days,
    'unit_price', s.unit_price, 'total', s.total, 'currency', s.currency, 'sold_at', s.sold_at))
  from added s where has_webhook(s.tenant_id, s.location_id);
  return null;
end $$;
create trigger tell_sale_created after insert on sales referencing new table as added
  for each statement execute function tell_sale_created();

create function tell_survey_answered() returns trigger language plpgsql as $$ begin
  perform emit_event(r.tenant_id, r.location_id, 'survey.answered', jsonb_build_object(
    'id', r.id, 'survey_id', r.survey_id, 'location_id', r.location_id, 'device_id', r.device_id, 'visitor_id', r.visitor_id,
    'language', r.language, 'answers', r.answers))
  from added r where r.answers is not null and has_webhook(r.tenant_id, r.location_id);
  return null;
end $$;
create trigger tell_survey_answered after insert on survey_responses referencing new table as added
  for each statement execute function tell_survey_answered();
-- migration 0040-personal-tokens
/* Tokens for other people's software, beside those of sign-ins: for some permissions, in one location or (for those who may) all. */
alter table tokens add column scopes text[];
alter table tokens add column location_id uuid;
alter table tokens add foreign key (tenant_id, location_id) references locations on delete cascade;
comment on column tokens.scopes is 'of a personal token: the permissions it may use, of those its owner has; null: a sign-in';
create index tokens_location on tokens (tenant_id, location_id) where location_id is not null;
-- migration 0042-qr-menu-codes
/* Where the printed code of a desk leads: unique among all tenants, as a guest's phone knows no tenant. */
alter table menu_desks add code text;
update menu_desks set code = substr(replace(gen_random_uuid()::text, '-', ''), 1, 12);
alter table menu_desks alter code set not null, add check (code ~ '^[a-z0-9]{10,16}$');
create unique index menu_desks_code on menu_desks (code);

/* A picture's path without its ending: it is kept in two sizes. */
alter table menu_products add image text;

create table menu_scans (
  tenant_id uuid not null,
  desk_id uuid not null,
  number int not null,
  day date not null,
  scans int not null default 1,
  last_scanned_at timestamptz not null default now(),
  primary key (tenant_id, desk_id, number, day),
  foreign key (tenant_id, desk_id) references menu_desks on delete cascade
);
call isolate('menu_scans');
-- migration 0044-portal-versions
/* A draft is a whole content that guests do not see: {styles, providers, messages, agreements}. */
alter table portals add draft jsonb, add draft_at timestamptz;

/* What guests saw, version by version; the newest is what they see. */
create table portal_versions (
  tenant_id uuid not null,
  id uuid not null,
  portal_id uuid not null,
  number int not null,
  name text not null,
  content jsonb not null,
  changes text[] not null default '{}',
  published_by uuid,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, portal_id) references portals on delete cascade,
  foreign key (tenant_id, published_by) references users on delete set null (published_by)
);
create unique index portal_versions_number on portal_versions (tenant_id, portal_id, number desc);
call isolate('portal_versions');

insert into portal_versions (tenant_id, id, portal_id, number, name, content, published_by, created_at)
select tenant_id, gen_random_uuid(), id, 1, name,
  jsonb_build_object('styles', styles, 'providers', providers, 'messages', messages, 'agreements', agreements), created_by, updated_at
from portals;
-- migration 0047-script-links
/* One-time addresses of routers' scripts. The script names secrets, so it is encrypted, and gone once it was fetched. */
create table script_links (
  tenant_id uuid not null,
  id uuid not null,
  device_id uuid not null,
  hash bytea not null,
  script text not null,
  expires_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, device_id) references devices on delete cascade
);
comment on column script_links.hash is 'SHA-256 of the token in the address';
comment on column script_links.script is 'encrypted with SECRET_KEY';
/* Asked for before the tenant is known. */
create unique index script_links_hash on script_links (hash);
create unique index script_links_device on script_links (tenant_id, device_id);
call isolate('script_links');
-- migration 0048-device-doctor
/* What a device was last heard to do, so that its doctor can say what is missing. */
alter table devices
  add column auth_seen_at timestamptz,
  add column acct_seen_at timestamptz,
  add column clock_skew int,
  add column distrusted_at timestamptz,
  add column distrusted_address inet,
  add column arrived_at timestamptz,
  add column page_version text;
comment on column devices.clock_skew is 'seconds that its clock is ahead, by its latest accounting';
comment on column devices.distrusted_at is 'when a packet came in its name that its secret does not fit';
comment on column devices.arrived_at is 'when it last sent a guest to the portal';
comment on column devices.page_version is 'of the sign-in page that sent the guest';
-- migration 0050-personal-data-ends
-- What is personal ends after a time: visitors nobody has heard of for long, and what was typed at failed sign-ins.

alter table visitors add column erased_at timestamptz;
comment on column visitors.erased_at is 'who it was is gone; sessions, sales and counts stay';
create index visitors_idle on visitors (updated_at) where erased_at is null;

create index failed_logins_inputs on failed_logins (created_at) where params is not null;
-- migration 0053-deliveries-end-with-visitors
-- What webhooks were told of somebody is kept no longer than what we know of them ourselves.

alter table webhook_deliveries add column visitor_id uuid, add column response_id uuid;
comment on column webhook_deliveries.visitor_id is 'whom it tells of; no key, as a delivery may come after its visitor is gone';

create or replace function emit_event(tenant uuid, location uuid, event_name text, content jsonb) returns void language sql as $$
  insert into webhook_deliveries (tenant_id, id, location_id, integration_id, event, body, visitor_id, response_id)
  select i.tenant_id, new_id(), i.location_id, i.id, event_name,
    json_build_object('type', event_name, 'timestamp', to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'data', content)::text,
    case when event_name = 'visitor.created' then content->>'id' else coalesce(content->'visitor'->>'id', content->>'visitor_id') end::uuid,
    case when event_name = 'survey.answered' then (content->>'id')::uuid end
  from integrations i
  where i.tenant_id = tenant and i.location_id = location and i.kind = 'webhook' and event_name = any(i.events) $$;

update webhook_deliveries d set
  visitor_id = case when event = 'visitor.created' then it->>'id' else coalesce(it->'visitor'->>'id', it->>'visitor_id') end::uuid,
  response_id = case when event = 'survey.answered' then (it->>'id')::uuid end
from (select tenant_id, id, body::jsonb->'data' as it from webhook_deliveries) b
where d.tenant_id = b.tenant_id and d.id = b.id and event <> 'test';

create index webhook_deliveries_visitor on webhook_deliveries (tenant_id, visitor_id) where visitor_id is not null;
create index webhook_deliveries_response on webhook_deliveries (tenant_id, response_id) where response_id is not null;

create function forget_deliveries_of_visitor() returns trigger language plpgsql as $$ begin
  delete from webhook_deliveries where tenant_id = old.tenant_id and visitor_id = old.id;
  return null;
end $$;
create trigger forget_deliveries after delete on visitors for each row execute function forget_deliveries_of_visitor();
create trigger forget_deliveries_of_erased after update of erased_at on visitors for each row
  when (new.erased_at is not null and old.erased_at is null) execute function forget_deliveries_of_visitor();

create function forget_deliveries_of_response() returns trigger language plpgsql as $$ begin
  delete from webhook_deliveries where tenant_id = old.tenant_id and response_id = old.id;
  return null;
end $$;
create trigger forget_deliveries after delete on survey_responses for each row execute function forget_deliveries_of_response();
-- migration 0055-log-tops-of-hours
/* What guests used, per device and hour of the location's clocks: the days in log_tops are read where a period holds whole days. */
create table log_top_hours (
  tenant_id uuid not null,
  device_id uuid not null,
  day date not null,
  hour smallint not null check (hour between 0 and 23),
  kind text not null check (kind in ('website', 'application', 'country')),
  name text not null,
  recv bigint not null,
  sent bigint not null,
  connections bigint not null,
  primary key (tenant_id, device_id, kind, day, hour, name)
) with (fillfactor = 70);
create index log_top_hours_age on log_top_hours (day);
call isolate('log_top_hours');
revoke insert, update, delete on log_top_hours from portico_app;
-- migration 0056-log-outbox
/*
 * Counts of log lines on their way to ClickHouse (LOG_DATABASE_URL): written in the transaction that moves the streams, and taken
 * away when they have arrived. The id is the token by which ClickHouse knows what it has already.
 */
create table log_outbox (
  id uuid primary key default new_id(),
  created_at timestamptz not null default now(),
  minutes text not null,
  tops text not null
);
comment on column log_outbox.minutes is 'rows as JSONCompactEachRow, a line each';
create index log_outbox_order on log_outbox (created_at, id);
grant select, insert, delete on log_outbox to portico_system;
-- migration 0057-survey-addresses
-- Answers of guests whom no router vouches for are limited by where they come from.

alter table survey_responses add address_hash bytea;
comment on column survey_responses.address_hash is 'keyed hash of the address that it came from, for a day; null where the guest was online';
create index survey_responses_address on survey_responses (tenant_id, survey_id, address_hash, created_at) where address_hash is not null;
-- migration 0058-guests-led-away
-- Guests whom a rule has led to an address before their sign-in: they come back to sign in.

create table guests_led_away (
  tenant_id uuid not null,
  rule_id uuid not null,
  device_id uuid not null,
  client_mac macaddr not null,
  led_at timestamptz not null default now(),
  primary key (tenant_id, rule_id, device_id, client_mac),
  foreign key (tenant_id, rule_id) references portal_rules on delete cascade,
  foreign key (tenant_id, device_id) references devices on delete cascade
);
create index guests_led_away_device on guests_led_away (tenant_id, device_id);
create index guests_led_away_old on guests_led_away (led_at);
call isolate('guests_led_away');
-- migration 0059-guest-ends-session
-- Guests may end their own sessions.
alter table kicks drop constraint kicks_reason_check, add constraint kicks_reason_check check (reason in ('operator', 'licence', 'blocked', 'stay-over', 'guest'));
-- migration 0060-erased-guests
-- Guests see what is kept of them and have it deleted.

/* Who a visitor was that had itself deleted, for as long as the law wants to know whose sessions there were; no key leads from here. */
create table erased_guests (
  tenant_id uuid not null,
  id uuid not null,
  location_id uuid not null,
  identity jsonb not null,
  consents jsonb not null,
  erased_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, location_id) references locations on delete cascade
);
comment on column erased_guests.id is 'of the visitor that was';
comment on column erased_guests.identity is 'what the report for authorities tells of a visitor; what was encrypted still is';
create index erased_guests_location on erased_guests (tenant_id, location_id);
create index erased_guests_old on erased_guests (erased_at);
call isolate('erased_guests');
-- migration 0061-online-by-guest
/* The history looks for open sessions of one guest device or address too, and without these reads all that are open. */
create index online_sessions_mac on online_sessions (tenant_id, client_mac);
create index online_sessions_ip on online_sessions (tenant_id, client_ip);
-- migration 0063-radsec
/* RADIUS over TLS: the authority of this installation, and the certificates of devices that it issued. */
create table radsec_authority (
  id int primary key default 1 check (id = 1),
  private_key text not null,
  certificate bytea not null,
  created_at timestamptz not null default now()
);
comment on table radsec_authority is 'one for all tenants: a connection shows its certificate before its tenant is known';
comment on column radsec_authority.private_key is 'PKCS#8, encrypted with SECRET_KEY';
grant select, insert on radsec_authority to portico_system;

create table device_certificates (
  tenant_id uuid not null,
  id uuid not null,
  device_id uuid not null,
  name text not null,
  serial text not null,
  fingerprint bytea not null,
  issued_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  last_seen_at timestamptz,
  ending_told boolean not null default false,
  primary key (tenant_id, id),
  foreign key (tenant_id, device_id) references devices on delete cascade
);
comment on column device_certificates.fingerprint is 'SHA-256 of the certificate, which itself is not kept, nor its key';
/* Asked for before the tenant is known. */
create unique index device_certificates_fingerprint on device_certificates (fingerprint);
create index device_certificates_device on device_certificates (tenant_id, device_id, id);
/* Those that somebody is to be warned of. */
create index device_certificates_ending on device_certificates (expires_at) where revoked_at is null and not ending_told;
call isolate('device_certificates');
/* Open connections hear of it as well as screens; not when a certificate was merely used. */
create trigger announce after insert or delete or update of revoked_at on device_certificates
  for each row execute function announce('device-certificates');
-- migration 0065-first-seen
/* The first word of a new device is told at once: whoever sets it up is waiting for it before the screen. */

create trigger announce_first_seen after update of last_seen_at on devices for each row
  when (old.last_seen_at is null and new.last_seen_at is not null) execute function announce('devices', 'location_id');
-- migration 0067-unnamed-devices
-- Some firewalls (Sophos) do not tell the portal whose device a guest comes from. The guest's browser has an address of its own
-- in its place, and the first ticket that is used tells which device it is.
alter table tickets add column stands_for macaddr;
comment on column tickets.stands_for is 'what stands for the device of the browser that got it, where its router does not tell the device';
create index tickets_stands_for on tickets (tenant_id, device_id, stands_for) where stands_for is not null;

create table unnamed_devices (
  tenant_id uuid not null,
  device_id uuid not null,
  stands_for macaddr not null,
  client_mac macaddr not null,
  seen_at timestamptz not null default now(),
  primary key (tenant_id, device_id, stands_for),
  foreign key (tenant_id, device_id) references devices on delete cascade
);
create index unnamed_devices_old on unnamed_devices (seen_at);
call isolate('unnamed_devices');

create or replace function use_ticket(p_tenant uuid, p_ticket uuid, p_key text, giving admission_grant, out given text, out refused text)
language plpgsql as $$
declare
  t tickets;
begin
  -- Read anew: two requests with one ticket can stand in one batch.
  select * into t from tickets where tenant_id = p_tenant and id = p_ticket;
  if t.used_at is not null then
    if t.used_by = p_key then given := t.class; else refused := 'wrong_credentials'; end if;
    return;
  end if;
  given := (select taken.class from take_admissions(array[giving]) taken);
  if given is null then
    refused := 'over_limit';
    return;
  end if;
  update tickets set used_at = now(), used_by = p_key, class = given where tenant_id = p_tenant and id = p_ticket;
  if t.stands_for is not null and giving.mac is not null then
    insert into unnamed_devices (tenant_id, device_id, stands_for, client_mac) values (p_tenant, t.device_id, t.stands_for, giving.mac)
    on conflict (tenant_id, device_id, stands_for) do update set client_mac = excluded.client_mac, seen_at = now();
  end if;
end $$;
-- migration 0069-pictures
-- Uploaded pictures: how much room they take, and which of them nothing shows any more.

create table pictures (
  tenant_id uuid not null references tenants on delete cascade,
  file text not null,
  bytes int not null,
  location_id uuid,
  unused_since timestamptz,
  created_at timestamptz not null default now(),
  primary key (tenant_id, file),
  foreign key (tenant_id, location_id) references locations on delete set null (location_id)
);
comment on column pictures.file is 'its name under /uploads/{tenant}/';
comment on column pictures.unused_since is 'since when nothing shows it; it is erased some days later';
create index pictures_location on pictures (tenant_id, location_id);
call isolate('pictures');

/* The uploads that a text names, wherever in it. */
create function pictures_in(content text) returns text[] language sql immutable parallel safe as $$
  select coalesce(array_agg(distinct m[1]), '{}') from regexp_matches(content, '/uploads/[0-9a-f-]{36}/([a-z0-9-]+\.webp)', 'g') m
$$;

/* A portal's past is long and never changes: its pictures are looked up once. */
alter table portal_versions add column pictures text[] not null generated always as (pictures_in(content::text)) stored;

/* Whatever shows an upload stands here: what does not, loses its pictures. */
create view used_pictures with (security_invoker = true) as
  select tenant_id, unnest(pictures_in(concat(styles, providers, messages, agreements, draft))) as file from portals
  union all select tenant_id, unnest(pictures) from portal_versions
  union all select tenant_id, unnest(pictures_in(concat(images, embed_code))) from portal_ads
  union all select tenant_id, unnest(pictures_in(questions::text)) from portal_surveys
  union all select tenant_id, unnest(pictures_in(image)) from menu_products where image is not null
  union all select tenant_id, unnest(pictures_in(replace(image, '/menu-', '/menusmall-'))) from menu_products where image is not null
  union all select id, unnest(pictures_in(concat_ws(' ', landing_logo, landing_background, landing_background_image,
    landing_title, landing_slogan, landing_copyright))) from tenants;
grant select on used_pictures to portico_app, portico_system;
-- migration 0074-unnamed-answers-end
-- Survey answers under nobody's name, given before a sign-in or left by a deleted visitor, end too.
create index survey_responses_unnamed on survey_responses (created_at) where visitor_id is null;
-- migration 0079-nested-in-versions
/*
 * Surveys and advertisements that a published draft or an earlier version leaves out are laid aside, with all that was counted of
 * them, so that going back finds it again. They belong to no portal then: whatever looks for a portal's own does not find them.
 */
alter table portal_surveys
  alter portal_id drop not null,
  add retired_from uuid,
  add foreign key (tenant_id, retired_from) references portals on delete cascade,
  add check ((portal_id is null) <> (retired_from is null));
create index portal_surveys_retired on portal_surveys (tenant_id, retired_from) where retired_from is not null;

alter table portal_ads
  alter portal_id drop not null,
  add retired_from uuid,
  add foreign key (tenant_id, retired_from) references portals on delete cascade,
  add check ((portal_id is null) <> (retired_from is null));
create index portal_ads_retired on portal_ads (tenant_id, retired_from) where retired_from is not null;
-- migration 0080-free-access-of-unnamed-devices
/*
 * Free access is had once a day by each device. Where a firewall does not tell the device, a browser's stand-in had it; once the
 * ticket tells which device that is, it is the device's: neither this browser later on nor another one of it begins anew today.
 * Answers whether the device has had its time already.
 */
create function name_free_guest(p_tenant uuid, p_visitor uuid, p_stands_for macaddr, p_mac macaddr, out over boolean) language plpgsql as $$
declare
  mine visitors;
  theirs visitors;
  began_today boolean;
begin
  over := false;
  select * into mine from visitors where tenant_id = p_tenant and id = p_visitor and portal_mac = p_stands_for;
  if not found then return; end if;
  select * into theirs from visitors v
  where v.tenant_id = p_tenant and v.location_id = mine.location_id and v.provider_type = mine.provider_type and v.portal_mac = p_mac
  for update;
  if found then
    select (theirs.session_start_at at time zone l.time_zone)::date = local_day(l.time_zone) into began_today
    from locations l where l.tenant_id = p_tenant and l.id = mine.location_id;
    if began_today then
      over := coalesce(theirs.session_end_at <= now(), false);
      update visitors set session_end_at = least(session_end_at, theirs.session_end_at) where tenant_id = p_tenant and id = mine.id;
      return;
    end if;
    update visitors set portal_mac = null where tenant_id = p_tenant and id = theirs.id;
  end if;
  update visitors set portal_mac = p_mac,
    name = case when name = upper(p_stands_for::text) then upper(p_mac::text) else name end
  where tenant_id = p_tenant and id = mine.id;
end $$;
alter function name_free_guest owner to portico_system;

create or replace function use_ticket(p_tenant uuid, p_ticket uuid, p_key text, giving admission_grant, out given text, out refused text)
language plpgsql as $$
declare
  t tickets;
  named boolean;
begin
  -- Read anew: two requests with one ticket can stand in one batch.
  select * into t from tickets where tenant_id = p_tenant and id = p_ticket;
  if t.used_at is not null then
    if t.used_by = p_key then given := t.class; else refused := 'wrong_credentials'; end if;
    return;
  end if;
  named := t.stands_for is not null and giving.mac is not null;
  if named and (select over from name_free_guest(p_tenant, t.visitor_id, t.stands_for, giving.mac)) then
    refused := 'expired';
  else
    given := (select taken.class from take_admissions(array[giving]) taken);
    if given is null then
      refused := 'over_limit';
      return;
    end if;
    update tickets set used_at = now(), used_by = p_key, class = given where tenant_id = p_tenant and id = p_ticket;
  end if;
  if named then
    insert into unnamed_devices (tenant_id, device_id, stands_for, client_mac) values (p_tenant, t.device_id, t.stands_for, giving.mac)
    on conflict (tenant_id, device_id, stands_for) do update set client_mac = excluded.client_mac, seen_at = now();
  end if;
end $$;
-- migration 0081-audit-of-one-thing
-- What was done to one thing, such as the licences of a device: found without reading all of its location.
create index audit_log_subject on audit_log (tenant_id, subject_id, id desc);
-- migration 0083-unknown-senders
-- What came to the log door and to the NetFlow door from nobody that is known, so that it can be shown to who misses it.

alter table log_overflow add column unknown_lines bigint not null default 0, add column unknown_flows bigint not null default 0;
comment on column log_overflow.lines is 'datagrams that the kernel dropped';
comment on column log_overflow.unknown_lines is 'log lines of all senders that no device could be found for';
comment on column log_overflow.unknown_flows is 'NetFlow packets of all senders that no device could be found for';
-- migration 0084-drop-empty-partitions
/* Drops the partitions of months before the last that hold nothing any more; answers how many. Whether one is empty is asked of
   session_history, as row-level security lets nobody look into a partition. Who reads history at the moment is not kept waiting. */
create function drop_empty_partitions() returns int
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '2s' as $$
declare
  part text;
  first date;
  dropped int := 0;
begin
  perform pg_advisory_xact_lock(hashtext('portico.partitions'));
  for part, first in
    select c.relname, to_date(right(c.relname, 7), 'YYYY_MM') from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'session_history'::regclass and c.relname ~ '^session_history_[0-9]{4}_[0-9]{2}$' order by 1
  loop
    continue when first >= date_trunc('month', now() at time zone 'UTC') - interval '1 month';
    for turn in 1..2 loop
      exit when exists (select from session_history
        where started_at >= (first::text || ' 00:00+00')::timestamptz and started_at < ((first + interval '1 month')::date::text || ' 00:00+00')::timestamptz);
      -- Looked at twice: without a lock, so that none is taken for nothing, and with it, so that nothing comes in between.
      if turn = 1 then
        lock table session_history in access exclusive mode;
      else
        execute format('drop table %I', part);
        dropped := dropped + 1;
      end if;
    end loop;
  end loop;
  return dropped;
exception when lock_not_available then
  return 0;
end $$;
revoke execute on function drop_empty_partitions from public;
grant execute on function drop_empty_partitions to portico_system;
-- migration 0086-folded-search
/*
 * How a text is compared in a search: I is the capital of ı to some and of i to others, and many keyboards have no ş. Written
 * out rather than left to unaccent, which knows nothing of ı, and to the collation, whose idea of I is another on each server.
 */
create function folded(t text) returns text language sql immutable strict parallel safe
  return lower(translate(normalize(t), 'ÇçĞğıİIÎîÍíÌìÏïÖöÓóÒòÔôÕõŞşÜüÛûÚúÙùÂâÄäÁáÀàÃãÅåÉéÈèÊêËëÑñ', 'ccggiiiiiiiiiiioooooooooossuuuuuuuuaaaaaaaaaaaaeeeeeeeenn'));

drop index visitors_search;
create index visitors_search on visitors using gin (folded(
  name || ' ' || coalesce(username, '') || ' ' || coalesce(email, '') || ' ' || coalesce(phone, '') || ' ' || coalesce(room_number, '')) gin_trgm_ops);

-- As in 0007, where it says why; what differs is the comparison.
create or replace function search_visitors(pattern text, places uuid[], devices uuid[], providers text[], after uuid, most int)
returns setof uuid language plpgsql stable security definer set search_path = public, pg_temp as $$ begin
  return query execute $query$
    select v.id from visitors v
    where v.tenant_id = $1 and ($3 is null or v.location_id = any($3))
      and ($4 is null or v.device_id is null or v.device_id = any($4)) and ($5 is null or v.provider_type = any($5))
      and ($6 is null or v.id < $6)
      and folded(v.name || ' ' || coalesce(v.username, '') || ' ' || coalesce(v.email, '') || ' ' || coalesce(v.phone, '') || ' ' || coalesce(v.room_number, ''))
        like folded($2)
    order by v.id desc limit $7 $query$ using current_tenant(), pattern, places, devices, providers, after, most;
end $$;
-- migration 0087-consents-of-nobody
-- Consents of erased visitors told their devices: what is left is that somebody agreed, when and to what.
delete from consents c using consents first, visitors v
where (v.tenant_id, v.id) = (c.tenant_id, c.visitor_id) and v.erased_at is not null
  and (first.tenant_id, first.visitor_id, first.version) = (c.tenant_id, c.visitor_id, c.version)
  and (first.created_at, first.client_mac) < (c.created_at, c.client_mac);
update consents c set client_mac = '00:00:00:00:00:00' from visitors v
where (v.tenant_id, v.id) = (c.tenant_id, c.visitor_id) and v.erased_at is not null;
-- migration 0088-visitor-days-of-devices
/* Which visitor was at which device on which day, so that who came back to chosen devices is counted without reading sessions.
   A roll-up like visitor_days, kept up in the same transactions. */
create table visitor_device_days (
  tenant_id uuid not null,
  device_id uuid not null,
  day date not null,
  visitor_id uuid not null,
  location_id uuid not null,
  primary key (tenant_id, device_id, day, visitor_id, location_id)
);
call isolate('visitor_device_days');
revoke insert, update, delete on visitor_device_days from portico_app;

insert into visitor_device_days (tenant_id, device_id, day, visitor_id, location_id)
select distinct s.tenant_id, s.device_id, x.day::date, s.visitor_id, s.location_id
from (
  select tenant_id, device_id, visitor_id, location_id, started_at, day from session_history
  union all
  select tenant_id, device_id, visitor_id, location_id, started_at, day from online_sessions) s
join locations l on l.tenant_id = s.tenant_id and l.id = s.location_id
cross join lateral generate_series(least((s.started_at at time zone l.time_zone)::date, s.day), s.day, '1 day') x(day)
where s.visitor_id is not null;

create or replace procedure add_usage(deltas usage_delta[]) language plpgsql as $$ begin
  insert into session_days (tenant_id, location_id, day, device_id, sessions, seconds, upload, download)
  select tenant_id, location_id, day, device_id, sum(sessions), sum(seconds), sum(upload), sum(download)
  from unnest(deltas) group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (tenant_id, location_id, day, device_id) do update set
    sessions = session_days.sessions + excluded.sessions, seconds = session_days.seconds + excluded.seconds,
    upload = session_days.upload + excluded.upload, download = session_days.download + excluded.download;
  insert into visitor_days (tenant_id, location_id, day, visitor_id, sessions, upload, download)
  select tenant_id, location_id, day, visitor_id, sum(sessions), sum(upload), sum(download)
  from unnest(deltas) where visitor_id is not null group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (tenant_id, location_id, day, visitor_id) do update set
    sessions = visitor_days.sessions + excluded.sessions,
    upload = visitor_days.upload + excluded.upload, download = visitor_days.download + excluded.download;
  insert into visitor_device_days (tenant_id, device_id, day, visitor_id, location_id)
  select distinct tenant_id, device_id, day, visitor_id, location_id
  from unnest(deltas) where visitor_id is not null order by 1, 2, 3, 4, 5
  on conflict do nothing;
end $$;
-- migration 0089-count-often-devices
/* The report of multiple sessions counts up to 10,000 guest devices, and asks of each where it was last and since when: read from
   their rows that took three times as long. All of it changes when a session begins, as their number does, which is in it anyway. */
drop index guest_devices_often, guest_devices_location;
create index guest_devices_often on guest_devices (tenant_id, sessions desc, client_mac)
  include (location_id, device_id, session_started_at) where sessions > 1;
create index guest_devices_location on guest_devices (tenant_id, location_id, sessions desc, client_mac)
  include (device_id, session_started_at) where sessions > 1;
-- migration 0091-licence-days
/* A licence "until" a day holds through that day on the clocks of its location. Given as a day it ended at midnight UTC before:
   those that end at exactly that moment were given so, and keep the day that their customers were told. */
create function end_of_day(day date, zone text) returns timestamptz language sql stable parallel safe as $$
  -- Clocks that are set back across midnight show it twice, and PostgreSQL means the second one.
  select case when ((next - interval '1 hour') at time zone zone)::date > day then next - interval '1 hour' else next end - interval '1 second'
  from (select (day + 1)::timestamp at time zone zone as next) it $$;

update locations set license_end_at = end_of_day((license_end_at at time zone 'UTC')::date, time_zone)
where license_end_at = date_trunc('day', license_end_at, 'UTC') and license_end_at < '9000-01-01Z';
-- migration 0092-blocked-anywhere
-- Whether a guest device is blocked at any device of its location is asked for each row of the report of multiple sessions.
create index mac_rules_blocked on mac_rules (tenant_id, mac) where type = 'blocked';
-- migration 0093-clock
/* What is erased after a time is erased by the server's clock. One that jumped ahead would erase everything: this row keeps the
   latest time that is known to be right, and since when a time far beyond it is looked at with doubt. */
create table clock (
  one boolean primary key default true check (one),
  known_at timestamptz not null default now(),
  looked_at timestamptz not null default now(),
  doubted_since timestamptz
);
insert into clock default values;
grant select, update on clock to portico_system;

/* Nothing was heard of in the future: after a clock that was ahead was put right, such devices and sessions would pass for
   present until it caught up. What they were then heard of is now, and their silence counts from here. Answers how many. */
create function not_after_now(at timestamptz) returns timestamptz language sql stable parallel safe as $$
  select case when at > now() then now() else at end $$;
create function mend_future() returns int language plpgsql security definer set search_path = public, pg_temp as $$
declare
  mended int;
begin
  update devices set last_seen_at = not_after_now(last_seen_at), polled_at = not_after_now(polled_at),
    down_since = not_after_now(down_since), up_since = not_after_now(up_since), auth_seen_at = not_after_now(auth_seen_at),
    acct_seen_at = not_after_now(acct_seen_at), offline_told_at = not_after_now(offline_told_at)
  where greatest(last_seen_at, polled_at, down_since, up_since, offline_told_at) > now() + interval '1 minute';
  get diagnostics mended = row_count;

  with late as (
    update online_sessions o set updated_at = least(o.updated_at, now()),
      started_at = least(o.started_at, now() - make_interval(secs => o.seconds)),
      day = least(o.day, (now() at time zone l.time_zone)::date),
      day_ends_at = least(o.day_ends_at, day_end((now() at time zone l.time_zone)::date, l.time_zone))
    from locations l
    where l.tenant_id = o.tenant_id and l.id = o.location_id and greatest(o.updated_at, o.started_at) > now() + interval '1 minute'
    returning o.tenant_id, o.location_id, o.client_mac, o.id, o.started_at
  ), devices_of_guests as (
    update guest_devices g set session_started_at = late.started_at from late
    where g.tenant_id = late.tenant_id and g.location_id = late.location_id and g.client_mac = late.client_mac and g.session_id = late.id
  )
  select mended + count(*) into mended from late;
  return mended;
end $$;
revoke execute on function mend_future from public;
grant create on schema public to portico_system;
alter function mend_future owner to portico_system;
revoke create on schema public from portico_system;
-- migration 0094-partitions-of-any-owner
/* Row security is forced on the tables of months, and they have no policies of their own: an owner who is no superuser sees no row in
   them by their names. So the default partition seemed empty to it, and a month whose sessions had come too early never got its table.
   While these functions work on a table, which they hold alone, its owner is not held to it. */
create or replace function ensure_partitions(ahead int, behind int default 1) returns int
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  first date;
  made int := 0;
  part text;
begin
  perform pg_advisory_xact_lock(hashtext('portico.partitions'));
  for first in select generate_series(date_trunc('month', now() at time zone 'UTC') - make_interval(months => behind),
                                      date_trunc('month', now() at time zone 'UTC') + make_interval(months => ahead), '1 month')::date
  loop
    part := 'session_history_' || to_char(first, 'YYYY_MM');
    continue when to_regclass(part) is not null;
    -- Filled before it is attached, as a month whose rows went to the default partition could not be attached otherwise.
    execute format('create table %I (like session_history including defaults including constraints)', part);
    alter table session_history_other no force row level security;
    execute format('with late as (delete from session_history_other where started_at >= %L and started_at < %L returning *)
                    insert into %I select * from late', first::text || ' 00:00+00', (first + interval '1 month')::date::text || ' 00:00+00', part);
    alter table session_history_other force row level security;
    execute format('alter table %I enable row level security', part);
    execute format('alter table %I force row level security', part);
    execute format('alter table session_history attach partition %I for values from (%L) to (%L)',
                   part, first::text || ' 00:00+00', (first + interval '1 month')::date::text || ' 00:00+00');
    made := made + 1;
  end loop;
  return made;
end $$;

create or replace function drop_empty_partitions() returns int
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '2s' as $$
declare
  part text;
  first date;
  filled boolean;
  dropped int := 0;
begin
  perform pg_advisory_xact_lock(hashtext('portico.partitions'));
  for part, first in
    select c.relname, to_date(right(c.relname, 7), 'YYYY_MM') from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'session_history'::regclass and c.relname ~ '^session_history_[0-9]{4}_[0-9]{2}$' order by 1
  loop
    continue when first >= date_trunc('month', now() at time zone 'UTC') - interval '1 month';
    -- Looked at twice: without a lock, so that none is taken for nothing, and with it, so that nothing comes in between.
    continue when exists (select from session_history
      where started_at >= (first::text || ' 00:00+00')::timestamptz and started_at < ((first + interval '1 month')::date::text || ' 00:00+00')::timestamptz);
    lock table session_history in access exclusive mode;
    -- What policies hide is there all the same.
    execute format('alter table %I no force row level security', part);
    execute format('select exists (select from %I)', part) into filled;
    if filled then
      execute format('alter table %I force row level security', part);
    else
      execute format('drop table %I', part);
      dropped := dropped + 1;
    end if;
  end loop;
  return dropped;
exception when lock_not_available then
  return 0;
end $$;
-- migration 0097-licence-instead-of-trial
/*
 * Whoever has a licence is on trial no more, so that the days left of a trial do not keep going what a licence has ended: the
 * panel calls a customer stopped whose licence is over, and so do the doors from now on. Either of both, the device's or its
 * location's, is enough, as before.
 */
create or replace function out_of_service(d devices, l locations) returns boolean language sql stable as $$
  select coalesce(l.suspended_at is not null
    or greatest(coalesce(d.license_end_at, d.trial_end_at), coalesce(l.license_end_at, l.trial_end_at)) <= now(), false) $$;
-- migration 0099-sessions-of-deleted-devices
/* Ends the sessions of devices that are about to be deleted: their routers are heard of no more, and nobody could end them. Routers'
   locks are taken as accounting takes them, sorted and before anything is read, so that none of their sessions begins meanwhile. */
create function close_sessions_of(gone uuid[]) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  closings session_closing[];
  deltas usage_delta[];
begin
  perform pg_advisory_xact_lock(key) from (select lock_of('router', id::text) as key from unnest(gone) id order by 1) x;
  closings := array(
    select row(tenant_id, id, updated_at, 'stale', null)::session_closing from online_sessions
    where tenant_id = current_tenant() and device_id = any(gone));
  if closings = '{}' then return; end if;
  deltas := array(select c from close_sessions(closings) c);
  call add_usage(deltas);
  call tell_sessions_changed(deltas);
end $$;
revoke execute on function close_sessions_of from public;
grant execute on function close_sessions_of to portico_app;
grant create on schema public to portico_system;
alter function close_sessions_of owner to portico_system;
revoke create on schema public from portico_system;
-- migration 0100-kept-search-text
/* What visitors are searched by is kept with the row: the index finds candidates only, and folding each of them anew (0086) took
   three times as long as reading them. */
drop index visitors_search;
-- Databases made between two releases have it from 0086.
alter table visitors add column if not exists search_text text generated always as (folded(
  name || ' ' || coalesce(username, '') || ' ' || coalesce(email, '') || ' ' || coalesce(phone, '') || ' ' || coalesce(room_number, ''))) stored;
create index visitors_search on visitors using gin (search_text gin_trgm_ops);

-- As in 0086; what differs is that the text is not folded again.
create or replace function search_visitors(pattern text, places uuid[], devices uuid[], providers text[], after uuid, most int)
returns setof uuid language plpgsql stable security definer set search_path = public, pg_temp as $$ begin
  return query execute $query$
    select v.id from visitors v
    where v.tenant_id = $1 and ($3 is null or v.location_id = any($3))
      and ($4 is null or v.device_id is null or v.device_id = any($4)) and ($5 is null or v.provider_type = any($5))
      and ($6 is null or v.id < $6)
      and v.search_text like folded($2)
    order by v.id desc limit $7 $query$ using current_tenant(), pattern, places, devices, providers, after, most;
end $$;
