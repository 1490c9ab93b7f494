-- A location or a device shows another portal at certain times.
alter table locations add column portal_periods jsonb not null default '[]';
alter table devices add column portal_periods jsonb not null default '[]';
create index locations_with_periods on locations (tenant_id) where portal_periods <> '[]';
create index devices_with_periods on devices (tenant_id) where portal_periods <> '[]';

-- The portal that is shown now by one of these periods; null if none runs. Hours that pass midnight belong to the day on which they
-- begin. The check of overlaps is in contract/src/period-days.ts.
create function portal_of_period(p_tenant uuid, periods jsonb, zone text) returns uuid
language sql stable parallel safe as $$
  select p.id
  from jsonb_to_recordset(periods) as r(portal_id uuid, starts_on date, ends_on date, weekdays int[], from_time time, to_time time)
  cross join (select now() at time zone zone as clock) c
  cross join lateral (select c.clock::date - coalesce((r.to_time < r.from_time and c.clock::time < r.to_time)::int, 0) as day) b
  join portals p on p.tenant_id = p_tenant and p.id = r.portal_id
  where (r.from_time is null or case when r.to_time < r.from_time
      then c.clock::time >= r.from_time or c.clock::time < r.to_time
      else c.clock::time >= r.from_time and c.clock::time < r.to_time end)
    and (r.starts_on is null or b.day >= r.starts_on) and (r.ends_on is null or b.day <= r.ends_on)
    and (r.weekdays is null or extract(isodow from b.day)::int = any(r.weekdays))
  limit 1
$$;

-- The periods with the names of their portals. A portal that was deleted has none.
create function periods_with_portals(p_tenant uuid, periods jsonb) returns jsonb
language sql stable parallel safe as $$
  select coalesce(jsonb_agg(e.it || jsonb_build_object('portal', jsonb_build_object('id', p.id, 'name', p.name)) order by e.n), '[]')
  from jsonb_array_elements(periods) with ordinality as e(it, n)
  join portals p on p.tenant_id = p_tenant and p.id = (e.it->>'portal_id')::uuid
$$;

-- Webhooks tell of a change of the periods.
drop trigger tell_changes on locations;
call tell_changes('locations', 'location', 'id',
  '{id, name, country, city, district, time_zone, portal_id, default_profile_id, license_end_at, suspended_at}',
  '{portal_periods, available_providers, time_limit, time_limit_unit, time_limit_enabled, daily_bandwidth, daily_bandwidth_unit,
    daily_bandwidth_enabled, download_limit, download_limit_enabled, upload_limit, upload_limit_enabled, mac_whitelist,
    mac_whitelist_enabled, mac_blacklist, mac_blacklist_enabled, owner_id}');
drop trigger tell_changes on devices;
call tell_changes('devices', 'device', 'location_id',
  '{id, name, mac_address, brand_id, model_id, hotspot_status, license_end_at}', '{logging_enabled, hotspot_address, nas_identifier, portal_periods}');
