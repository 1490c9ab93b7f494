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
  sms_used int not null default 0, -- messages sent so far, and those that still wait; never reset
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
create index locations_by_name on locations (tenant_id, sort_text(name) collate "C", id);
create index locations_by_name_of_owner on locations (tenant_id, owner_id, sort_text(name) collate "C", id) where owner_id is not null;
call have_external_ids('locations', '{owner_id}');
create index locations_folded_name on locations using gin (fold_text(name) gin_trgm_ops);
call keep_unchanged('locations');
call isolate('locations');
create trigger announce after insert or delete or update on locations
  for each row execute function announce('locations', 'id');
create trigger announce_rights after update on locations
  for each row when (old.owner_id is distinct from new.owner_id) execute function announce('rights');
call tell_changes('locations', 'location', 'id',
  '{id, name, country, city, district, time_zone, portal_id, default_profile_id, license_end_at, suspended_at}',
  '{portal_periods, available_providers, time_limit, time_limit_unit, time_limit_enabled, daily_bandwidth, daily_bandwidth_unit,
    daily_bandwidth_enabled, download_limit, download_limit_enabled, upload_limit, upload_limit_enabled, mac_whitelist,
    mac_whitelist_enabled, mac_blacklist, mac_blacklist_enabled, owner_id}');

-- Tells the webhooks of the whole tenant about the licence of a location, once per end and mark.
create function tell_licence_to_tenant(location uuid, event_name text, mark text, content jsonb) returns void
language plpgsql as $$
begin
  if not exists (
    select from integrations i
    where i.tenant_id = current_tenant() and i.location_id is null and i.kind = 'webhook' and event_name = any(i.events))
  then
    return;
  end if;
  update locations l set licence_told = mark
  where l.tenant_id = current_tenant() and l.id = location and l.licence_told is distinct from mark;
  if found then perform queue_webhook_event(current_tenant(), null, event_name, content); end if;
end $$;

-- Tables that are created earlier refer to this one.
alter table users add foreign key (tenant_id, active_location_id) references locations on delete set null (active_location_id);
alter table tokens add foreign key (tenant_id, location_id) references locations on delete cascade;

-- Takes messages that were not sent from those that count against the limit of their location.
create procedure count_sms_less(tenant uuid, location uuid, messages int)
language sql as $$
  update locations set sms_used = greatest(0, sms_used - messages) where tenant_id = tenant and id = location
$$;
