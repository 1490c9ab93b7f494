-- A volume of 1.5 GB a day could not be said.
-- A trigger names the column.
drop trigger tell_changes on locations;
alter table locations alter column daily_bandwidth type double precision;
call tell_changes('locations', 'location', 'id',
  '{id, name, country, city, district, time_zone, portal_id, default_profile_id, license_end_at, suspended_at}',
  '{portal_periods, available_providers, time_limit, time_limit_unit, time_limit_enabled, daily_bandwidth, daily_bandwidth_unit,
    daily_bandwidth_enabled, download_limit, download_limit_enabled, upload_limit, upload_limit_enabled, mac_whitelist,
    mac_whitelist_enabled, mac_blacklist, mac_blacklist_enabled, owner_id}');

create or replace function limit_bytes(l jsonb) returns bigint
language sql immutable parallel safe as $$
  select case when (l->>'is_active')::boolean then
    ((l->>'value')::numeric * case l->>'option' when 'mb' then 1000000 when 'gb' then 1000000000 when 'tb' then 1000000000000 end)::bigint
  end
$$;
