-- Accounting (RFC 2866): turns what routers report into sessions and daily totals.
-- A transaction that changes the sessions of a guest device holds the lock of that device, and the lock of its router shared
-- (exclusive when the router went on or off). All locks are taken first and sorted, so that batches cannot deadlock.

create type accounting_record as (
  tenant uuid,
  device uuid,
  status text,
  session text,
  class text,
  user_name text,
  mac text,
  ip text,
  at timestamptz,
  seconds bigint,
  upload bigint,
  download bigint,
  cause text
);

-- What was used on one day, to be added to the daily totals.
create type usage_delta as (
  tenant_id uuid,
  location_id uuid,
  device_id uuid,
  visitor_id uuid,
  day date,
  sessions int,
  seconds bigint,
  upload bigint,
  download bigint
);

create type session_closing as (
  tenant_id uuid,
  id uuid,
  ended_at timestamptz,
  close_reason text,
  terminate_cause text
);

-- A record with its device. `round`: records of one guest device are applied one after another, those of others together.
create type accounting_fact as (
  round bigint,
  status text,
  tenant_id uuid,
  location_id uuid,
  device_id uuid,
  zone text,
  stopped boolean,
  accounting_id bytea,
  session text,
  class text,
  user_name text,
  mac macaddr,
  ip inet,
  at timestamptz,
  began_at timestamptz,
  seconds bigint,
  upload bigint,
  download bigint,
  cause text
);

-- A record with the session it belongs to (open or closed), another open session of the same guest device (the rival),
-- and what is to be done.
create type accounting_match as (
  fact accounting_fact,
  action text,
  open online_sessions,
  closed session_history,
  rival online_sessions
);

-- Identifies a session among those of all routers, because Acct-Session-Id is unique per router at best.
create function accounting_id(device uuid, session text, user_name text, mac text, class text) returns bytea
language sql stable parallel safe as $$
  select substring(sha256(convert_to(jsonb_build_array(device, session, user_name, mac, class)::text, 'UTF8')) for 16)
$$;

create procedure add_usage(deltas usage_delta[])
language plpgsql as $$
begin
  insert into session_days (tenant_id, location_id, day, device_id, sessions, seconds, upload, download)
  select tenant_id, location_id, day, device_id, sum(sessions), sum(seconds), sum(upload), sum(download)
  from unnest(deltas)
  group by 1, 2, 3, 4
  order by 1, 2, 3, 4
  on conflict (tenant_id, location_id, day, device_id) do update set
    sessions = session_days.sessions + excluded.sessions,
    seconds = session_days.seconds + excluded.seconds,
    upload = session_days.upload + excluded.upload,
    download = session_days.download + excluded.download;

  insert into visitor_days (tenant_id, location_id, day, visitor_id, sessions, upload, download)
  select tenant_id, location_id, day, visitor_id, sum(sessions), sum(upload), sum(download)
  from unnest(deltas)
  where visitor_id is not null
  group by 1, 2, 3, 4
  order by 1, 2, 3, 4
  on conflict (tenant_id, location_id, day, visitor_id) do update set
    sessions = visitor_days.sessions + excluded.sessions,
    upload = visitor_days.upload + excluded.upload,
    download = visitor_days.download + excluded.download;

  insert into visitor_device_days (tenant_id, device_id, day, visitor_id, location_id)
  select distinct tenant_id, device_id, day, visitor_id, location_id
  from unnest(deltas)
  where visitor_id is not null
  order by 1, 2, 3, 4, 5
  on conflict do nothing;
end $$;

-- Moves open sessions to the history. Returns what each used since its last day was counted.
create function close_sessions(closings session_closing[]) returns setof usage_delta
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
      client_mac, client_ip, started_at, ended_at, seconds, upload, download, interim, reopened, day, close_reason, terminate_cause)
    select
      tenant_id, id, accounting_id, location_id, device_id, network_id, visitor_id, profile_id, user_name, acct_session_id, class,
      client_mac, client_ip, started_at, ended_at, seconds, upload, download, interim, reopened, day, close_reason, terminate_cause
    from gone
  ), confirmed as (
    update session_commands k set state = 'confirmed', confirmed_at = now()
    from gone
    where k.tenant_id = gone.tenant_id and k.session_id = gone.id and gone.close_reason = 'stop'
      and k.state in ('requested', 'acknowledged', 'no-answer')
  )
  select tenant_id, location_id, device_id, visitor_id, day, 0, seconds - day_seconds, upload - day_upload, download - day_download
  from gone;
end $$;

-- Sends NOTIFY portico once per location whose sessions changed.
create procedure announce_sessions(deltas usage_delta[])
language plpgsql as $$
begin
  perform pg_notify('portico', json_build_object('tenant', tenant_id, 'location', location_id, 'topic', 'sessions')::text)
  from (select distinct tenant_id, location_id from unnest(deltas)) x;
end $$;

-- The guest of a session: by the Class of its sign-in, else by the guest device's last sign-in there, else by the user name.
create function find_session_guest(f accounting_fact)
returns table (visitor_id uuid, profile_id uuid, network_id uuid, interim int, admission_id uuid)
language sql stable as $$
  select
    case when a.id is null then v.id else a.visitor_id end,
    case when a.id is null then v.profile_id else a.profile_id end,
    case when a.id is null then n.id else a.network_id end,
    coalesce(a.interim, 60),
    a.id
  from (select) one
  left join admissions c on c.tenant_id = f.tenant_id and c.device_id = f.device_id and c.class = f.class
  left join admissions m on c.id is null and m.tenant_id = f.tenant_id and m.device_id = f.device_id and m.client_mac = f.mac
  left join lateral (select (coalesce(c, m)).*) a on true
  left join visitors v on a.id is null and v.tenant_id = f.tenant_id and v.location_id = f.location_id and v.username = f.user_name
  left join lateral find_network(f.tenant_id, f.device_id, f.ip) n on a.id is null
$$;

-- Applies a batch of Accounting-Requests in the order of the array:
-- [{tenant, device, status, session, class, user_name, mac, ip, at, seconds, upload, download, cause}],
-- status being start, interim, stop, on or off. Applying a request twice changes nothing.
create function account(records jsonb) returns void
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
    select distinct lock_key('guest', device || coalesce(mac, session)) as key
    from jsonb_populate_recordset(null::accounting_record, records)
    where status not in ('on', 'off')
    order by 1) x;

  facts := array(
    select row(
        r.restarts * 1000000 + case
          when r.status in ('on', 'off') then 0
          else row_number() over (partition by r.device, r.restarts, coalesce(r.mac, r.session) order by r.n)
        end,
        r.status, d.tenant_id, d.location_id, d.id, l.time_zone, out_of_service(d, l),
        accounting_id(d.id, r.session, r.user_name, r.mac, r.class), r.session, r.class, coalesce(r.user_name, ''),
        parse_mac(r.mac), parse_ip(r.ip), least(r.at, now()), least(r.at, now()) - make_interval(secs => r.seconds),
        r.seconds, r.upload, r.download, r.cause)::accounting_fact
    from (
      select x.*, count(*) filter (where x.status in ('on', 'off')) over (partition by x.device order by x.n) as restarts
      from jsonb_populate_recordset(null::accounting_record, records) with ordinality
        as x(tenant, device, status, session, class, user_name, mac, ip, at, seconds, upload, download, cause, n)) r
    join devices d on d.tenant_id = r.tenant and d.id = r.device
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
          when o.id is not null then case f.status when 'stop' then 'stop' else 'update' end
          -- A closed session stays closed, unless it was closed as stale and turns out to be alive.
          when h.id is not null then case
            when f.status = 'start' then 'none'
            when f.status = 'interim' and h.close_reason = 'stale' and f.at > h.ended_at and r.id is null then 'reopen'
            else 'amend'
          end
          -- Older than the session that the guest device has now: the record is late, and its session is over.
          when f.status = 'stop' or f.at < r.started_at then 'keep'
          else 'open'
        end,
        o, h, r)::accounting_match
      from unnest(facts) f
      left join online_sessions o on o.accounting_id = f.accounting_id
      left join online_sessions r on r.tenant_id = f.tenant_id and r.device_id = f.device_id and r.client_mac = f.mac
        and r.accounting_id <> f.accounting_id
      left join lateral (
        select * from session_history x
        where o.id is null and x.accounting_id = f.accounting_id
          and x.started_at > least(now() - interval '62 days', f.began_at - interval '2 days')
        limit 1) h on true
      where f.round = this and f.status in ('start', 'interim', 'stop'));
    continue when matches = '{}';

    -- Sessions that entered a new day: what they used until then belongs to the day that ended.
    deltas := deltas || array(
      select row((open).tenant_id, (open).location_id, (open).device_id, (open).visitor_id, (open).day, 0,
        (open).seconds - (open).day_seconds, (open).upload - (open).day_upload, (open).download - (open).day_download)::usage_delta
      from unnest(matches) m
      where action in ('update', 'stop') and (fact).at >= (open).day_ends_at);

    update online_sessions o set
      updated_at = greatest(o.updated_at, f.at),
      seconds = greatest(o.seconds, f.seconds),
      upload = greatest(o.upload, f.upload),
      download = greatest(o.download, f.download),
      client_ip = case when f.at < o.updated_at then o.client_ip else coalesce(f.ip, o.client_ip) end,
      day = case when f.at < o.day_ends_at then o.day else (f.at at time zone f.zone)::date end,
      day_ends_at = case when f.at < o.day_ends_at then o.day_ends_at else day_end((f.at at time zone f.zone)::date, f.zone) end,
      day_seconds = case when f.at < o.day_ends_at then o.day_seconds else o.seconds end,
      day_upload = case when f.at < o.day_ends_at then o.day_upload else o.upload end,
      day_download = case when f.at < o.day_ends_at then o.day_download else o.download end
    from (select (open).id, (fact).* from unnest(matches) m where action in ('update', 'stop')) f
    where o.tenant_id = f.tenant_id and o.id = f.id;

    closings := array(
      select row((open).tenant_id, (open).id, (fact).at, 'stop', (fact).cause)::session_closing
      from unnest(matches) m
      where action = 'stop'
      union all
      select row((rival).tenant_id, (rival).id, (rival).updated_at, 'replaced', null)::session_closing
      from unnest(matches) m
      where action = 'open' and (rival).id is not null);
    if closings <> '{}' then
      deltas := deltas || array(select c from close_sessions(closings) c);
    end if;

    -- New sessions, and late records of sessions that are over already.
    if exists (select from unnest(matches) m where action in ('open', 'keep')) then
      with new as (
        select new_id() as id, m.action, (m.fact).*, g.visitor_id, g.profile_id, g.network_id, g.interim, g.admission_id,
          ((m.fact).began_at at time zone (m.fact).zone)::date as first_day,
          ((m.fact).at at time zone (m.fact).zone)::date as day
        from unnest(matches) m
        cross join lateral find_session_guest(m.fact) g
        where m.action in ('open', 'keep')
      ), opened as (
        insert into online_sessions (
          tenant_id, id, accounting_id, location_id, device_id, network_id, visitor_id, profile_id, user_name, acct_session_id, class,
          client_mac, client_ip, started_at, updated_at, seconds, upload, download, interim, day, day_ends_at)
        select
          tenant_id, id, accounting_id, location_id, device_id, network_id, visitor_id, profile_id, user_name, session, class,
          mac, ip, began_at, at, seconds, upload, download, interim, day, day_end(day, zone)
        from new
        where action = 'open'
      ), kept as (
        insert into session_history (
          tenant_id, id, accounting_id, location_id, device_id, network_id, visitor_id, profile_id, user_name, acct_session_id, class,
          client_mac, client_ip, started_at, ended_at, seconds, upload, download, interim, reopened, day, close_reason, terminate_cause)
        select
          tenant_id, id, accounting_id, location_id, device_id, network_id, visitor_id, profile_id, user_name, session, class,
          mac, ip, began_at, at, seconds, upload, download, interim, false, day,
          case status when 'stop' then 'stop' else 'replaced' end, cause
        from new
        where action = 'keep'
      )
      select
        array_agg(row(tenant_id, location_id, device_id, visitor_id, first_day, 1, 0, 0, 0)::usage_delta)
          || coalesce(array_agg(row(tenant_id, location_id, device_id, visitor_id, day, 0, seconds, upload, download)::usage_delta)
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
        returning h.*, f.at, f.zone, f.ip as new_ip, f.seconds as new_seconds, f.upload as new_upload, f.download as new_download
      )
      -- The router sends updates less often than it was asked to: from now on its own interval counts, up to 15 minutes.
      insert into online_sessions (
        tenant_id, id, accounting_id, location_id, device_id, network_id, visitor_id, profile_id, user_name, acct_session_id, class,
        client_mac, client_ip, started_at, updated_at, seconds, upload, download, interim, reopened, day, day_ends_at,
        day_seconds, day_upload, day_download)
      select
        tenant_id, id, accounting_id, location_id, device_id, network_id, visitor_id, profile_id, user_name, acct_session_id, class,
        client_mac, coalesce(new_ip, client_ip), started_at, at,
        greatest(seconds, new_seconds), greatest(upload, new_upload), greatest(download, new_download),
        least(900, greatest(interim, extract(epoch from at - ended_at)::int)), true,
        (at at time zone zone)::date, day_end((at at time zone zone)::date, zone), seconds, upload, download
      from gone;

      deltas := deltas || array(
        select row((closed).tenant_id, (closed).location_id, (closed).device_id, (closed).visitor_id, (closed).day, 0,
          case action when 'amend' then greatest(0, (fact).seconds - (closed).seconds) else 0 end,
          case action when 'amend' then greatest(0, (fact).upload - (closed).upload) else 0 end,
          case action when 'amend' then greatest(0, (fact).download - (closed).download) else 0 end)::usage_delta
        from unnest(matches) m
        where action in ('reopen', 'amend'));

      update session_history h set
        seconds = greatest(h.seconds, f.seconds),
        upload = greatest(h.upload, f.upload),
        download = greatest(h.download, f.download),
        ended_at = case when f.real_end then greatest(h.ended_at, f.at) else h.ended_at end,
        close_reason = case when f.real_end then 'stop' else h.close_reason end,
        terminate_cause = coalesce(h.terminate_cause, f.cause)
      from (
        -- real_end: the Stop of a session that was closed as stale.
        select (fact).*, (closed).id, (closed).started_at,
          (fact).status = 'stop' and (closed).close_reason = 'stale'
            and ((rival).id is null or (fact).at < (rival).started_at) as real_end
        from unnest(matches) m
        where action = 'amend') f
      where h.tenant_id = f.tenant_id and h.id = f.id and h.started_at = f.started_at;
    end if;

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
      sessions = guest_devices.sessions + excluded.sessions, device_id = excluded.device_id,
      visitor_id = excluded.visitor_id, session_id = excluded.session_id, session_started_at = excluded.session_started_at;

    call add_usage(deltas);
    call announce_sessions(deltas);
  end if;
end $$;

-- Closes sessions that missed three updates, at their last update; returns how many (at most 500 per call).
-- A session whose lock is held is being updated right now, and is skipped until the next call.
create function close_stale_sessions() returns int
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  held uuid[];
  closings session_closing[];
  deltas usage_delta[];
begin
  -- OFFSET 0 keeps the planner from taking locks before LIMIT.
  held := array(
    select id from (
      select id, device_id, client_mac, acct_session_id from online_sessions
      where updated_at < now() - make_interval(secs => 3 * interim)
      limit 500 offset 0) o
    where pg_try_advisory_xact_lock(lock_key('guest', o.device_id || coalesce(upper(o.client_mac::text), o.acct_session_id))));
  closings := array(
    select row(tenant_id, id, updated_at, 'stale', null)::session_closing
    from online_sessions
    where id = any(held) and updated_at < now() - make_interval(secs => 3 * interim));
  if closings = '{}' then return 0; end if;
  deltas := array(select c from close_sessions(closings) c);
  call add_usage(deltas);
  call announce_sessions(deltas);
  return cardinality(closings);
end $$;

-- Ends the sessions of devices that are about to be deleted: their routers cannot end them any more.
-- Router locks are taken as in account(), before anything is read, so that no session begins meanwhile.
create function close_device_sessions(device_ids uuid[]) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  closings session_closing[];
  deltas usage_delta[];
begin
  perform pg_advisory_xact_lock(key)
  from (select lock_key('router', id::text) as key from unnest(device_ids) id order by 1) x;
  closings := array(
    select row(tenant_id, id, updated_at, 'stale', null)::session_closing
    from online_sessions
    where tenant_id = current_tenant() and device_id = any(device_ids));
  if closings = '{}' then return; end if;
  deltas := array(select c from close_sessions(closings) c);
  call add_usage(deltas);
  call announce_sessions(deltas);
end $$;
revoke execute on function close_device_sessions from public;
grant execute on function close_device_sessions to portico_app;

revoke execute on function account, close_stale_sessions, close_sessions, find_session_guest from public;
revoke execute on procedure add_usage, announce_sessions from public;
alter function account owner to portico_system;
alter function close_stale_sessions owner to portico_system;
alter function close_device_sessions owner to portico_system;
alter function close_sessions owner to portico_system;
alter function find_session_guest owner to portico_system;
alter procedure add_usage owner to portico_system;
alter procedure announce_sessions owner to portico_system;
