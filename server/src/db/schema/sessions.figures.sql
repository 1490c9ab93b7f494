-- Reconciliation: the totals of a day computed again from its sessions, and compared with those that account() keeps.

-- The first day of a location whose totals can be computed from its sessions. Of earlier days, sessions are erased, or were
-- counted in another time zone. A location without a row has all of its sessions.
create table figures_since (
  tenant_id uuid not null,
  location_id uuid not null,
  day date not null,
  primary key (tenant_id, location_id),
  foreign key (tenant_id, location_id) references locations on delete cascade
);
call isolate('figures_since');
revoke insert, update, delete on figures_since from portico_app;

-- Trigger: days begin at another moment in another time zone. A location without totals has none of other days.
create function new_days_begin() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into figures_since as f (tenant_id, location_id, day)
  select new.tenant_id, new.id, (now() at time zone 'UTC')::date + 2
  where exists (select from session_days d where d.tenant_id = new.tenant_id and d.location_id = new.id)
    or exists (select from online_sessions o where o.tenant_id = new.tenant_id and o.location_id = new.id)
  on conflict (tenant_id, location_id) do update set day = greatest(f.day, excluded.day);
  return null;
end $$;
alter function new_days_begin owner to portico_system;
create trigger new_days_begin after update of time_zone on locations
  for each row when (old.time_zone is distinct from new.time_zone) execute function new_days_begin();

-- Days whose totals have to be computed again, until a job has done so. A day may be here more than once: a unique one would
-- make its writer, which holds sessions, wait for the job.
create table figures_to_repair (
  tenant_id uuid not null,
  location_id uuid not null,
  day date not null,
  id uuid not null default new_id(),
  primary key (tenant_id, location_id, day, id),
  foreign key (tenant_id, location_id) references locations on delete cascade
);
call isolate('figures_to_repair');
revoke insert, update, delete on figures_to_repair from portico_app;

-- One total that differs. `hour`, `device_id` and `visitor_id` are null where the total is not kept per hour, device or visitor.
create type figure_difference as (
  figure text, -- session_hours, session_days, visitor_days or visitor_device_days
  device_id uuid,
  visitor_id uuid,
  hour smallint,
  kept_sessions bigint,
  kept_seconds bigint,
  kept_upload bigint,
  kept_download bigint,
  sessions bigint, -- what its sessions say
  seconds bigint,
  upload bigint,
  download bigint
);

-- The differences on one local day of a location; none before the day in figures_since. One statement reads all, so sessions
-- that change meanwhile do not matter.
create function figure_differences(p_tenant uuid, p_location uuid, p_day date) returns setof figure_difference
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

-- The same, and corrects what differs. Adds the differences, because account() may add to the same totals meanwhile.
create function repair_figures(p_tenant uuid, p_location uuid, p_day date) returns setof figure_difference
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
revoke execute on function repair_figures from public;
alter function repair_figures owner to portico_system;
