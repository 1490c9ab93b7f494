-- A sum that its column holds, and that JSON holds exactly. A router may report any number, and a sum that fits no column would keep
-- its records from being counted.
create function exact_sum(total numeric) returns bigint
language sql immutable parallel safe as $$
  select least(total, 9007199254740991)::bigint
$$;

create or replace procedure add_usage(deltas usage_delta[])
language plpgsql as $$
begin
  insert into session_hours (tenant_id, location_id, day, hour, device_id, sessions, seconds, upload, download)
  select tenant_id, location_id, day, hour, device_id, sum(sessions), sum(seconds), exact_sum(sum(upload)), exact_sum(sum(download))
  from unnest(deltas)
  group by 1, 2, 3, 4, 5
  order by 1, 2, 3, 4, 5
  on conflict (tenant_id, location_id, day, hour, device_id) do update set
    sessions = session_hours.sessions + excluded.sessions,
    seconds = session_hours.seconds + excluded.seconds,
    upload = exact_sum(session_hours.upload::numeric + excluded.upload),
    download = exact_sum(session_hours.download::numeric + excluded.download);

  insert into session_days (tenant_id, location_id, day, device_id, sessions, seconds, upload, download)
  select tenant_id, location_id, day, device_id, sum(sessions), sum(seconds), exact_sum(sum(upload)), exact_sum(sum(download))
  from unnest(deltas)
  group by 1, 2, 3, 4
  order by 1, 2, 3, 4
  on conflict (tenant_id, location_id, day, device_id) do update set
    sessions = session_days.sessions + excluded.sessions,
    seconds = session_days.seconds + excluded.seconds,
    upload = exact_sum(session_days.upload::numeric + excluded.upload),
    download = exact_sum(session_days.download::numeric + excluded.download);

  insert into visitor_days (tenant_id, location_id, day, visitor_id, sessions, upload, download, seconds)
  select tenant_id, location_id, day, visitor_id, sum(sessions), exact_sum(sum(upload)), exact_sum(sum(download)), sum(seconds)
  from unnest(deltas)
  where visitor_id is not null
  group by 1, 2, 3, 4
  order by 1, 2, 3, 4
  on conflict (tenant_id, location_id, day, visitor_id) do update set
    sessions = visitor_days.sessions + excluded.sessions,
    upload = exact_sum(visitor_days.upload::numeric + excluded.upload),
    download = exact_sum(visitor_days.download::numeric + excluded.download),
    seconds = visitor_days.seconds + excluded.seconds;

  insert into visitor_device_days (tenant_id, device_id, day, visitor_id, location_id)
  select distinct tenant_id, device_id, day, visitor_id, location_id
  from unnest(deltas)
  where visitor_id is not null and sessions > 0
  order by 1, 2, 3, 4, 5
  on conflict do nothing;
end $$;

create or replace function figure_differences(p_tenant uuid, p_location uuid, p_day date) returns setof figure_difference
language sql stable as $$
  with zone as (
    select l.time_zone, (p_day - 1)::timestamp at time zone 'UTC' as from_utc, (p_day + 2)::timestamp at time zone 'UTC' as to_utc
    from locations l
    where l.tenant_id = p_tenant and l.id = p_location
  ), began as (
    select s.device_id, s.visitor_id, extract(hour from s.started_at at time zone z.time_zone)::smallint as hour, 1 as sessions,
      0::bigint as seconds, 0::bigint as upload, 0::bigint as download
    from zone z
    cross join lateral (
      select device_id, visitor_id, started_at from online_sessions o
      where o.tenant_id = p_tenant and o.location_id = p_location and o.started_at >= z.from_utc and o.started_at < z.to_utc
      union all
      select device_id, visitor_id, started_at from session_history h
      where h.tenant_id = p_tenant and h.location_id = p_location and h.started_at >= z.from_utc and h.started_at < z.to_utc) s
    where (s.started_at at time zone z.time_zone)::date = p_day
  ), used as (
    select device_id, visitor_id, hour, 0 as sessions, seconds, upload, download
    from session_parts p
    where p.tenant_id = p_tenant and p.location_id = p_location and p.day = p_day
    union all
    -- Closed sessions whose last use was on this day: what is not in their parts.
    select h.device_id, h.visitor_id, coalesce(h.hour, 0), 0, h.seconds - u.seconds, h.upload - u.upload, h.download - u.download
    from zone z
    cross join lateral (
      select * from session_history h
      where h.tenant_id = p_tenant and h.location_id = p_location and h.day = p_day
        and h.started_at >= z.from_utc and h.started_at < z.to_utc
      union all
      select * from session_history h
      where h.tenant_id = p_tenant and h.location_id = p_location and h.day = p_day
        and h.day > (h.started_at at time zone 'UTC')::date + 1) h
    cross join lateral session_parts_sum(h.tenant_id, h.id) u
  ), rows as (
    select * from began union all select * from used
  ), wanted as (
    select 'session_hours' as figure, device_id, null::uuid as visitor_id, hour, sessions, seconds, upload, download from rows
    union all
    select 'session_days', device_id, null, null, sessions, seconds, upload, download from rows
    union all
    select 'visitor_days', null, visitor_id, null, sessions, seconds, upload, download from rows where visitor_id is not null
    union all
    select distinct 'visitor_device_days', device_id, visitor_id, null::smallint, 1, 0, 0, 0 from began where visitor_id is not null
  ), kept as (
    select 'session_hours' as figure, device_id, null::uuid as visitor_id, hour, sessions, seconds, upload, download
    from session_hours where tenant_id = p_tenant and location_id = p_location and day = p_day
    union all
    select 'session_days', device_id, null, null, sessions, seconds, upload, download
    from session_days where tenant_id = p_tenant and location_id = p_location and day = p_day
    union all
    select 'visitor_days', null, visitor_id, null, sessions, seconds, upload, download
    from visitor_days where tenant_id = p_tenant and location_id = p_location and day = p_day
    union all
    select 'visitor_device_days', device_id, visitor_id, null, 1, 0, 0, 0
    from visitor_device_days where tenant_id = p_tenant and location_id = p_location and day = p_day
  ), both_sides as (
    select figure, device_id, visitor_id, hour, sessions as kept_sessions, seconds as kept_seconds, upload as kept_upload,
      download as kept_download, 0 as sessions, 0 as seconds, 0 as upload, 0 as download
    from kept
    union all
    select figure, device_id, visitor_id, hour, 0, 0, 0, 0, sessions, seconds, upload, download from wanted
  )
  select figure, device_id, visitor_id, hour,
    sum(kept_sessions)::bigint, sum(kept_seconds)::bigint, exact_sum(sum(kept_upload)), exact_sum(sum(kept_download)),
    sum(sessions)::bigint, sum(seconds)::bigint, exact_sum(sum(upload)), exact_sum(sum(download))
  from both_sides
  -- Read here, because retention or a new time zone may have moved the day since the caller read it.
  where not exists (
    select from figures_since f where f.tenant_id = p_tenant and f.location_id = p_location and f.day > p_day)
  group by figure, device_id, visitor_id, hour
  having (sum(kept_sessions), sum(kept_seconds), exact_sum(sum(kept_upload)), exact_sum(sum(kept_download)))
    <> (sum(sessions), sum(seconds), exact_sum(sum(upload)), exact_sum(sum(download)))
  order by figure, hour, device_id, visitor_id
$$;

create or replace function repair_figures(p_tenant uuid, p_location uuid, p_day date) returns setof figure_difference
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  found figure_difference[];
begin
  perform pg_advisory_xact_lock(lock_key('figures', p_location::text));
  found := array(select f from figure_differences(p_tenant, p_location, p_day) f);
  if found = '{}' then return; end if;

  insert into session_hours as k (tenant_id, location_id, day, hour, device_id, sessions, seconds, upload, download)
  select p_tenant, p_location, p_day, hour, device_id, sessions - kept_sessions, seconds - kept_seconds, upload - kept_upload,
    download - kept_download
  from unnest(found) where figure = 'session_hours'
  on conflict (tenant_id, location_id, day, hour, device_id) do update set
    sessions = k.sessions + excluded.sessions, seconds = k.seconds + excluded.seconds,
    upload = exact_sum(k.upload::numeric + excluded.upload), download = exact_sum(k.download::numeric + excluded.download);

  insert into session_days as k (tenant_id, location_id, day, device_id, sessions, seconds, upload, download)
  select p_tenant, p_location, p_day, device_id, sessions - kept_sessions, seconds - kept_seconds, upload - kept_upload,
    download - kept_download
  from unnest(found) where figure = 'session_days'
  on conflict (tenant_id, location_id, day, device_id) do update set
    sessions = k.sessions + excluded.sessions, seconds = k.seconds + excluded.seconds,
    upload = exact_sum(k.upload::numeric + excluded.upload), download = exact_sum(k.download::numeric + excluded.download);

  insert into visitor_days as k (tenant_id, location_id, day, visitor_id, sessions, seconds, upload, download)
  select p_tenant, p_location, p_day, visitor_id, sessions - kept_sessions, seconds - kept_seconds, upload - kept_upload,
    download - kept_download
  from unnest(found) where figure = 'visitor_days'
  on conflict (tenant_id, location_id, day, visitor_id) do update set
    sessions = k.sessions + excluded.sessions, seconds = k.seconds + excluded.seconds,
    upload = exact_sum(k.upload::numeric + excluded.upload), download = exact_sum(k.download::numeric + excluded.download);

  insert into visitor_device_days (tenant_id, location_id, day, device_id, visitor_id)
  select p_tenant, p_location, p_day, device_id, visitor_id
  from unnest(found) where figure = 'visitor_device_days' and sessions > kept_sessions
  on conflict do nothing;
  delete from visitor_device_days k
  using unnest(found) f
  where f.figure = 'visitor_device_days' and f.sessions < f.kept_sessions
    and k.tenant_id = p_tenant and k.location_id = p_location and k.day = p_day
    and k.device_id = f.device_id and k.visitor_id = f.visitor_id;

  return query select f.* from unnest(found) f;
end $$;
