-- Parts of sessions, so that every total can be computed again from its sessions, and the comparison itself.

alter table session_history add hour smallint;

-- Sessions whose last use was days after their start: the others of a day are found by their start.
-- concurrently session_history (tenant_id, location_id, day) where day > (started_at at time zone 'UTC')::date + 1
create index session_history_long on session_history (tenant_id, location_id, day) where day > (started_at at time zone 'UTC')::date + 1;

-- What sessions used in hours before the one of their last use: with it each total can be computed from the sessions.
-- A session within one hour has no row here. Rows are added by account() and go with their session.
create table session_parts (
  tenant_id uuid not null,
  session_id uuid not null,
  location_id uuid not null,
  device_id uuid not null,
  visitor_id uuid,
  day date not null,
  hour smallint not null,
  seconds bigint not null,
  upload bigint not null,
  download bigint not null,
  primary key (tenant_id, session_id, day, hour)
);
create index session_parts_day on session_parts (tenant_id, location_id, day);
call isolate('session_parts');
revoke insert, update, delete on session_parts from portico_app;

-- The moment at which the hour of a moment ends on the clocks of a time zone (exclusive). An hour that is repeated counts once.
-- The full hour may itself be in the repeated hour, and PostgreSQL would take the later one of the two.
create or replace function hour_end(at timestamptz, zone text) returns timestamptz
language sql stable parallel safe as $$
  select case
    when extract(hour from n.full_hour at time zone zone) <> extract(hour from n.clock) then n.full_hour
    else (date_trunc('hour', n.clock) + interval '1 hour') at time zone zone
  end
  from (
    select at at time zone zone as clock,
      at + (date_trunc('hour', at at time zone zone) + interval '1 hour' - at at time zone zone) as full_hour) n
$$;

-- What the parts of a session hold.
create function session_parts_sum(p_tenant uuid, p_session uuid) returns table (seconds bigint, upload bigint, download bigint)
language sql stable as $$
  select coalesce(sum(p.seconds), 0)::bigint, coalesce(sum(p.upload), 0)::bigint, coalesce(sum(p.download), 0)::bigint
  from session_parts p
  where p.tenant_id = p_tenant and p.session_id = p_session
$$;

-- Moves open sessions to the history. Returns what each used since it was last counted.
create or replace function close_sessions(closings session_closing[]) returns setof usage_delta
language plpgsql as $$
begin
  return query
  with gone as (
    delete from online_sessions o using unnest(closings) c
    where o.tenant_id = c.tenant_id and o.id = c.id
    returning o.*, greatest(c.ended_at, o.started_at) as ended_at, c.close_reason, c.terminate_cause
  ), kept as (
    insert into session_history (
      tenant_id, id, accounting_id, location_id, device_id, network_id, visitor_id, profile_id, user_name, acct_session_id, class,
      client_mac, client_ip, started_at, ended_at, seconds, upload, download, interim, reopened, day, hour, close_reason, terminate_cause)
    select
      tenant_id, id, accounting_id, location_id, device_id, network_id, visitor_id, profile_id, user_name, acct_session_id, class,
      client_mac, client_ip, started_at, ended_at, seconds, upload, download, interim, reopened, day, hour, close_reason, terminate_cause
    from gone
  ), confirmed as (
    update session_commands k set state = 'confirmed', confirmed_at = now()
    from gone
    where k.tenant_id = gone.tenant_id and k.session_id = gone.id and gone.close_reason = 'stop'
      and k.state in ('requested', 'acknowledged', 'no-answer')
  )
  select tenant_id, location_id, device_id, visitor_id, day, hour, 0,
    seconds - counted_seconds, upload - counted_upload, download - counted_download
  from gone;
end $$;

-- Applies a batch of Accounting-Requests in the order of the array:
-- [{tenant, device, status, session, class, user_name, mac, ip, at, seconds, upload, download, cause}],
-- status being start, interim, stop, on or off. Applying a request twice changes nothing.
create or replace function account(records jsonb) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  facts accounting_fact[];
  matches accounting_match[];
  closings session_closing[];
  now_used usage_delta[];
  deltas usage_delta[] := '{}';
  begun guest_devices[] := '{}';
  now_begun guest_devices[];
  used_up uuid[] := '{}';
  touched bytea[] := '{}';
  limited visitor_key[];
  this bigint;
begin
  -- Locks: routers, then guest devices.
  perform case when whole then pg_advisory_xact_lock(key)::text else pg_advisory_xact_lock_shared(key)::text end
  from (
    select lock_key('router', device::text) as key, bool_or(status in ('on', 'off')) as whole
    from jsonb_populate_recordset(null::accounting_record, records)
    group by 1
    order by 1) x;
  perform pg_advisory_xact_lock(key)
  from (
    select distinct guest_lock(tenant, device, mac, session) as key
    from jsonb_populate_recordset(null::accounting_record, records)
    where status not in ('on', 'off')
    order by 1) x;

  facts := array(
    select row(
        r.restarts * 1000000 + case
          when r.status in ('on', 'off') then 0
          else row_number() over (
            partition by r.tenant, r.mac, case when r.mac is null then r.device end, case when r.mac is null then r.session end,
              r.restarts
            order by r.n)
        end,
        r.status, d.tenant_id, d.location_id, d.id, l.time_zone, out_of_service(d, l),
        accounting_id(d.id, r.session, r.user_name, r.mac, r.class), r.session, r.class, coalesce(r.user_name, ''),
        parse_mac(r.mac), parse_ip(r.ip), least(r.at, now()), least(r.at, now()) - make_interval(secs => r.seconds),
        r.seconds, r.upload, r.download, r.cause)::accounting_fact
    from (
      -- Counted per location, because a guest device may roam between a router that restarts and one that does not.
      select x.*, d as router, count(*) filter (where x.status in ('on', 'off')) over (partition by d.location_id order by x.n) as restarts
      from jsonb_populate_recordset(null::accounting_record, records) with ordinality
        as x(tenant, device, status, session, class, user_name, mac, ip, at, seconds, upload, download, cause, n)
      join devices d on d.tenant_id = x.tenant and d.id = x.device) r
    cross join lateral (select (r.router).*) d
    join locations l on l.tenant_id = d.tenant_id and l.id = d.location_id);

  for this in select distinct round from unnest(facts) order by 1 loop
    -- Accounting-On and -Off: the router's sessions ended at their last update, except those with a later update.
    closings := array(
      select row(o.tenant_id, o.id, o.updated_at, 'restart', null)::session_closing
      from unnest(facts) f
      join online_sessions o on o.tenant_id = f.tenant_id and o.device_id = f.device_id and o.updated_at <= f.at
      where f.round = this and f.status in ('on', 'off'));
    if closings <> '{}' then
      deltas := deltas || array(select c from close_sessions(closings) c);
    end if;

    matches := array(
      select row(f,
        case
          when o.id is not null and h.id is null and not x.restarted then case f.status when 'stop' then 'stop' else 'update' end
          -- A closed session stays closed, unless it was closed as stale, or replaced at another router, and turns out to be alive.
          when h.id is not null then case
            when f.status = 'start' then 'none'
            when o.id is not null then 'amend'
            when f.status = 'interim' and f.at > h.ended_at and h.close_reason = 'stale' and r.id is null then 'reopen'
            when f.status = 'interim' and h.close_reason = 'replaced' and r.device_id <> f.device_id and f.at > r.updated_at
              and f.upload + f.download > h.upload + h.download then 'reopen'
            else 'amend'
          end
          -- Older than the session that the guest device has now: the record is late, and its session is over.
          when f.status = 'stop' or f.at < r.started_at then 'keep'
          else 'open'
        end,
        o, h, r, x.restarted)::accounting_match
      from unnest(facts) f
      left join online_sessions o on o.accounting_id = f.accounting_id
      -- A guest device is at one router of a location at a time. Its session at this router comes first.
      left join lateral (
        select * from online_sessions y
        where y.tenant_id = f.tenant_id and y.client_mac = f.mac and y.location_id = f.location_id
          and y.accounting_id <> f.accounting_id
        order by y.device_id = f.device_id desc, y.started_at desc
        limit 1) r on true
      -- A router that rebooted may use an id again: then the session began after the last report of the one before, by more
      -- than a repeated packet is late.
      cross join lateral (
        select coalesce(f.began_at > o.updated_at + interval '30 seconds' and (f.status = 'start' or f.seconds < o.seconds), false)
          as restarted,
          f.began_at < o.started_at - interval '1 minute' as earlier) x
      left join lateral (
        select * from session_history y
        where (o.id is null or x.earlier) and y.accounting_id = f.accounting_id
          and y.started_at > least(now() - interval '62 days', f.began_at - interval '2 days')
          and f.began_at <= y.ended_at + case y.close_reason when 'restart' then interval '0' else interval '2 minutes' end
        order by abs(extract(epoch from y.started_at - f.began_at))
        limit 1) h on true
      where f.round = this and f.status in ('start', 'interim', 'stop'));
    continue when matches = '{}';

    -- Sessions that entered a new hour: what they used until then belongs to the hour that ended.
    deltas := deltas || array(
      select row((open).tenant_id, (open).location_id, (open).device_id, (open).visitor_id, (open).day, (open).hour, 0,
        (open).seconds - (open).counted_seconds, (open).upload - (open).counted_upload,
        (open).download - (open).counted_download)::usage_delta
      from unnest(matches) m
      where action in ('update', 'stop') and (fact).at >= (open).hour_ends_at);

    insert into session_parts as p (tenant_id, session_id, location_id, device_id, visitor_id, day, hour, seconds, upload, download)
    select (open).tenant_id, (open).id, (open).location_id, (open).device_id, (open).visitor_id, (open).day, (open).hour,
      (open).seconds - (open).counted_seconds, (open).upload - (open).counted_upload, (open).download - (open).counted_download
    from unnest(matches) m
    where action in ('update', 'stop') and (fact).at >= (open).hour_ends_at
      and ((open).seconds, (open).upload, (open).download) <> ((open).counted_seconds, (open).counted_upload, (open).counted_download)
    on conflict (tenant_id, session_id, day, hour) do update set
      seconds = p.seconds + excluded.seconds, upload = p.upload + excluded.upload, download = p.download + excluded.download;

    update online_sessions o set
      updated_at = greatest(o.updated_at, f.at),
      seconds = greatest(o.seconds, f.seconds),
      upload = counter_after(o.upload, f.upload, f.seconds - o.seconds),
      download = counter_after(o.download, f.download, f.seconds - o.seconds),
      client_ip = case when f.at < o.updated_at then o.client_ip else coalesce(f.ip, o.client_ip) end,
      day = case when f.at < o.hour_ends_at then o.day else (f.at at time zone f.zone)::date end,
      hour = case when f.at < o.hour_ends_at then o.hour else extract(hour from f.at at time zone f.zone) end,
      hour_ends_at = case when f.at < o.hour_ends_at then o.hour_ends_at else hour_end(f.at, f.zone) end,
      counted_seconds = case when f.at < o.hour_ends_at then o.counted_seconds else o.seconds end,
      counted_upload = case when f.at < o.hour_ends_at then o.counted_upload else o.upload end,
      counted_download = case when f.at < o.hour_ends_at then o.counted_download else o.download end
    from (select (open).id, (fact).* from unnest(matches) m where action in ('update', 'stop')) f
    where o.tenant_id = f.tenant_id and o.id = f.id;

    closings := array(
      select row((open).tenant_id, (open).id, (fact).at, 'stop', (fact).cause)::session_closing
      from unnest(matches) m
      where action = 'stop'
      union all
      select row((rival).tenant_id, (rival).id, (rival).updated_at, 'replaced', null)::session_closing
      from unnest(matches) m
      where action in ('open', 'reopen') and (rival).id is not null
      union all
      select row((open).tenant_id, (open).id, (open).updated_at, 'replaced', null)::session_closing
      from unnest(matches) m
      where restarted and action <> 'none');
    if closings <> '{}' then
      deltas := deltas || array(select c from close_sessions(closings) c);
    end if;

    -- New sessions, and late records of sessions that are over already.
    if exists (select from unnest(matches) m where action in ('open', 'keep')) then
      with new as (
        select new_id() as id, m.action, (m.fact).*, g.visitor_id, g.profile_id, g.network_id, g.interim, g.admission_id,
          (m.fact).began_at at time zone (m.fact).zone as began_on, (m.fact).at at time zone (m.fact).zone as told_on
        from unnest(matches) m
        cross join lateral find_session_guest(m.fact) g
        where m.action in ('open', 'keep')
      ), opened as (
        insert into online_sessions (
          tenant_id, id, accounting_id, location_id, device_id, network_id, visitor_id, profile_id, user_name, acct_session_id, class,
          client_mac, client_ip, started_at, updated_at, seconds, upload, download, interim, day, hour, hour_ends_at)
        select
          tenant_id, id, accounting_id, location_id, device_id, network_id, visitor_id, profile_id, user_name, session, class,
          mac, ip, began_at, at, seconds, upload, download, interim, told_on::date, extract(hour from told_on), hour_end(at, zone)
        from new
        where action = 'open'
      ), kept as (
        insert into session_history (
          tenant_id, id, accounting_id, location_id, device_id, network_id, visitor_id, profile_id, user_name, acct_session_id, class,
          client_mac, client_ip, started_at, ended_at, seconds, upload, download, interim, reopened, day, hour, close_reason, terminate_cause)
        select
          tenant_id, id, accounting_id, location_id, device_id, network_id, visitor_id, profile_id, user_name, session, class,
          mac, ip, began_at, at, seconds, upload, download, interim, false, told_on::date, extract(hour from told_on),
          case status when 'stop' then 'stop' else 'replaced' end, cause
        from new
        where action = 'keep'
      )
      select
        array_agg(row(tenant_id, location_id, device_id, visitor_id, began_on::date, extract(hour from began_on), 1, 0, 0, 0)::usage_delta)
          || coalesce(array_agg(row(tenant_id, location_id, device_id, visitor_id, told_on::date, extract(hour from told_on), 0,
              seconds, upload, download)::usage_delta)
            filter (where action = 'keep'), '{}'),
        coalesce(array_agg(row(tenant_id, location_id, mac, 1, device_id, visitor_id, id, began_at)::guest_devices)
          filter (where mac is not null), '{}'),
        used_up || coalesce(array_agg(admission_id) filter (where admission_id is not null), '{}')
      into now_used, now_begun, used_up
      from new;
      deltas := deltas || now_used;
      begun := begun || now_begun;
    end if;

    -- Sessions that were closed already: stale ones that are alive are opened again, others get their final figures.
    if exists (select from unnest(matches) m where action in ('reopen', 'amend')) then
      with gone as (
        delete from session_history h
        using (
          select (fact).*, (closed).id as closed_id, (closed).started_at as closed_start
          from unnest(matches) m
          where action = 'reopen') f
        where h.tenant_id = f.tenant_id and h.id = f.closed_id and h.started_at = f.closed_start
        returning h.*, f.at, f.zone, f.ip as new_ip, greatest(h.seconds, f.seconds) as new_seconds,
          counter_after(h.upload, f.upload, f.seconds - h.seconds) as new_upload,
          counter_after(h.download, f.download, f.seconds - h.seconds) as new_download
      ), parted as (
        -- What it used in its last hour is counted already.
        insert into session_parts as p (tenant_id, session_id, location_id, device_id, visitor_id, day, hour, seconds, upload, download)
        select g.tenant_id, g.id, g.location_id, g.device_id, g.visitor_id, g.day, coalesce(g.hour, 0),
          g.seconds - u.seconds, g.upload - u.upload, g.download - u.download
        from gone g
        cross join lateral session_parts_sum(g.tenant_id, g.id) u
        on conflict (tenant_id, session_id, day, hour) do update set
          seconds = p.seconds + excluded.seconds, upload = p.upload + excluded.upload, download = p.download + excluded.download
      )
      -- The router sends updates less often than it was asked to: from now on its own interval counts, up to 15 minutes.
      insert into online_sessions (
        tenant_id, id, accounting_id, location_id, device_id, network_id, visitor_id, profile_id, user_name, acct_session_id, class,
        client_mac, client_ip, started_at, updated_at, seconds, upload, download, interim, reopened, day, hour, hour_ends_at,
        counted_seconds, counted_upload, counted_download, reduced)
      select
        tenant_id, id, accounting_id, location_id, device_id, network_id, visitor_id, profile_id, user_name, acct_session_id, class,
        client_mac, coalesce(new_ip, client_ip), started_at, at,
        new_seconds, new_upload, new_download,
        case close_reason when 'stale' then least(900, greatest(interim, extract(epoch from at - ended_at)::int)) else interim end, true,
        (at at time zone zone)::date, extract(hour from at at time zone zone), hour_end(at, zone), seconds, upload, download,
        -- The router keeps the lower speed that it was told.
        (select count(*) % 2 = 1 from session_commands k
          where k.tenant_id = gone.tenant_id and k.session_id = gone.id and k.kind = 'change' and k.reason = 'limit')
      from gone;

      deltas := deltas || array(
        select row((closed).tenant_id, (closed).location_id, (closed).device_id, (closed).visitor_id,
          (closed).day, coalesce((closed).hour, extract(hour from (closed).ended_at at time zone (fact).zone)), 0,
          case action when 'amend' then greatest(0, (fact).seconds - (closed).seconds) else 0 end,
          case action when 'amend' then
            counter_after((closed).upload, (fact).upload, (fact).seconds - (closed).seconds) - (closed).upload else 0 end,
          case action when 'amend' then
            counter_after((closed).download, (fact).download, (fact).seconds - (closed).seconds) - (closed).download else 0 end
          )::usage_delta
        from unnest(matches) m
        where action in ('reopen', 'amend'));

      update session_history h set
        seconds = greatest(h.seconds, f.seconds),
        upload = counter_after(h.upload, f.upload, f.seconds - h.seconds),
        download = counter_after(h.download, f.download, f.seconds - h.seconds),
        ended_at = case when f.real_end then greatest(h.ended_at, least(f.at, f.next_began)) else h.ended_at end,
        close_reason = case when f.real_end then 'stop' else h.close_reason end,
        terminate_cause = coalesce(h.terminate_cause, f.cause)
      from (
        -- real_end: the Stop of a session that was closed without one. It ended before the next one of its guest device began.
        select (fact).*, (closed).id, (closed).started_at, (fact).status = 'stop' and (closed).close_reason <> 'stop' as real_end,
          (select min(y.started_at) from (select (rival).started_at union all select (open).started_at) y
           where y.started_at > (closed).started_at) as next_began
        from unnest(matches) m
        where action = 'amend') f
      where h.tenant_id = f.tenant_id and h.id = f.id and h.started_at = f.started_at;
    end if;

    touched := touched || array(
      select (m.fact).accounting_id from unnest(matches) m
      where m.action in ('update', 'open', 'reopen') and (m.fact).status = 'interim');

    -- Out of service: running sessions are ended at their interim update, and asked again every 10 minutes.
    if exists (select from unnest(matches) m where (fact).stopped and (fact).status = 'interim') then
      insert into session_commands (tenant_id, session_id, location_id, device_id, reason)
      select o.tenant_id, o.id, o.location_id, o.device_id, 'licence'
      from unnest(matches) m
      join online_sessions o on o.accounting_id = (fact).accounting_id
      where (fact).stopped and (fact).status = 'interim' and not exists (
        select from session_commands k
        where k.tenant_id = o.tenant_id and k.session_id = o.id and k.requested_at > now() - interval '10 minutes');
    end if;
  end loop;

  if deltas <> '{}' then
    delete from admissions a
    using (
      select tenant_id, id from admissions
      where id = any(used_up)
      order by device_id, client_mac for update) u
    where a.tenant_id = u.tenant_id and a.id = u.id;

    insert into guest_devices (
      tenant_id, location_id, client_mac, sessions, device_id, visitor_id, session_id, session_started_at)
    select tenant_id, location_id, client_mac, count(*),
      (array_agg(device_id order by session_started_at desc))[1],
      (array_agg(visitor_id order by session_started_at desc))[1],
      (array_agg(session_id order by session_started_at desc))[1],
      max(session_started_at)
    from unnest(begun)
    group by 1, 2, 3
    order by 1, 2, 3
    on conflict (tenant_id, location_id, client_mac) do update set
      sessions = guest_devices.sessions + excluded.sessions,
      -- A late report may be of a session before the latest one.
      (device_id, visitor_id, session_id, session_started_at) = (
        select n.device_id, n.visitor_id, n.session_id, n.session_started_at
        from (values
          (excluded.device_id, excluded.visitor_id, excluded.session_id, excluded.session_started_at),
          (guest_devices.device_id, guest_devices.visitor_id, guest_devices.session_id, guest_devices.session_started_at))
          n(device_id, visitor_id, session_id, session_started_at)
        order by n.session_started_at desc, n.session_id desc
        limit 1);
  end if;

  -- Visitors with a volume or a time of their own: what they used is added up one batch after another, so that each sees the
  -- others' use.
  if touched <> '{}' then
    limited := array(
      select distinct row(o.tenant_id, o.visitor_id)::visitor_key
      from online_sessions o
      join visitors v on v.tenant_id = o.tenant_id and v.id = o.visitor_id
      join locations l on l.tenant_id = o.tenant_id and l.id = o.location_id
      left join networks n on n.tenant_id = o.tenant_id and n.id = o.network_id
      left join profiles p on p.tenant_id = o.tenant_id and p.id = coalesce(v.profile_id, n.profile_id, l.default_profile_id)
      cross join lateral limits_in_force(v, p, l) lim
      where o.accounting_id = any(touched) and num_nonnulls(lim.session_bytes, lim.day_bytes, lim.total_bytes, lim.day_seconds, lim.total_seconds) > 0
      order by 1);
    perform pg_advisory_xact_lock(key)
    from (select lock_key('usage', visitor_id::text) as key from unnest(limited) order by 1) x;
  end if;
  if deltas <> '{}' then
    call add_usage(deltas);
    call announce_sessions(deltas);
  end if;
  if limited <> '{}' then
    call enforce_limits(limited);
  end if;
end $$;

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

-- Trigger: days begin at another moment in another time zone.
create function new_days_begin() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into figures_since as f (tenant_id, location_id, day)
  values (new.tenant_id, new.id, (now() at time zone 'UTC')::date + 2)
  on conflict (tenant_id, location_id) do update set day = greatest(f.day, excluded.day);
  return null;
end $$;
alter function new_days_begin owner to portico_system;
create trigger new_days_begin after update of time_zone on locations
  for each row when (old.time_zone is distinct from new.time_zone) execute function new_days_begin();

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

-- What differs on one local day of a location; nothing before the day in figures_since. One statement reads all, so sessions
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
    sum(kept_sessions)::bigint, sum(kept_seconds)::bigint, sum(kept_upload)::bigint, sum(kept_download)::bigint,
    sum(sessions)::bigint, sum(seconds)::bigint, sum(upload)::bigint, sum(download)::bigint
  from both_sides
  -- Read here, because retention or a new time zone may have moved the day since the caller read it.
  where not exists (
    select from figures_since f where f.tenant_id = p_tenant and f.location_id = p_location and f.day > p_day)
  group by figure, device_id, visitor_id, hour
  having (sum(kept_sessions), sum(kept_seconds), sum(kept_upload), sum(kept_download))
    <> (sum(sessions), sum(seconds), sum(upload), sum(download))
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
    upload = k.upload + excluded.upload, download = k.download + excluded.download;

  insert into session_days as k (tenant_id, location_id, day, device_id, sessions, seconds, upload, download)
  select p_tenant, p_location, p_day, device_id, sessions - kept_sessions, seconds - kept_seconds, upload - kept_upload,
    download - kept_download
  from unnest(found) where figure = 'session_days'
  on conflict (tenant_id, location_id, day, device_id) do update set
    sessions = k.sessions + excluded.sessions, seconds = k.seconds + excluded.seconds,
    upload = k.upload + excluded.upload, download = k.download + excluded.download;

  insert into visitor_days as k (tenant_id, location_id, day, visitor_id, sessions, seconds, upload, download)
  select p_tenant, p_location, p_day, visitor_id, sessions - kept_sessions, seconds - kept_seconds, upload - kept_upload,
    download - kept_download
  from unnest(found) where figure = 'visitor_days'
  on conflict (tenant_id, location_id, day, visitor_id) do update set
    sessions = k.sessions + excluded.sessions, seconds = k.seconds + excluded.seconds,
    upload = k.upload + excluded.upload, download = k.download + excluded.download;

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

-- The parts of sessions until now were not kept.
set local role portico_system;
insert into figures_since (tenant_id, location_id, day)
select tenant_id, id, (now() at time zone 'UTC')::date + 2 from locations;
insert into session_parts (tenant_id, session_id, location_id, device_id, visitor_id, day, hour, seconds, upload, download)
select tenant_id, id, location_id, device_id, visitor_id, day - 1, 0, counted_seconds, counted_upload, counted_download
from online_sessions
where (counted_seconds, counted_upload, counted_download) <> (0, 0, 0);
reset role;
