-- Accounting leaves out the statements that no record of its batch needs.
create or replace function account(records jsonb) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  read accounting_record[];
  kinds record;
  facts accounting_fact[];
  matches accounting_match[];
  has record;
  closings session_closing[];
  now_used usage_delta[];
  deltas usage_delta[] := '{}';
  begun guest_devices[] := '{}';
  now_begun guest_devices[];
  used_up uuid[] := '{}';
  touched bytea[] := '{}';
  limited visitor_key[];
  this bigint;
  oldest timestamptz;
begin
  read := array(select r from jsonb_populate_recordset(null::accounting_record, records) r);

  -- Locks: routers, then guest devices.
  perform case when whole then pg_advisory_xact_lock(key)::text else pg_advisory_xact_lock_shared(key)::text end
  from (
    select lock_key('router', device::text) as key, bool_or(status in ('on', 'off')) as whole
    from unnest(read)
    group by 1
    order by 1) x;
  perform pg_advisory_xact_lock(key)
  from (
    select distinct guest_lock(tenant, device, mac, session) as key
    from unnest(read)
    where status not in ('on', 'off')
    order by 1) x;

  -- Each statement costs as much as a record or two, so those that no record of the batch needs are left out.
  select
    coalesce(bool_or(status = 'interim'), false) as updates,
    coalesce(bool_or(status in ('on', 'off')), false) as restarts,
    coalesce(bool_or(class is null and status in ('interim', 'stop')), false) as without_class
  into kinds
  from unnest(read);

  -- Routers have to repeat the Class (RFC 2865 section 5.25), and some forget it. Such a report belongs to the session of the
  -- guest device at this router that has its id and user name, and ran when the report says. A repeated Stop finds the closed one,
  -- and an update the one that was closed as stale. An update without Acct-Session-Time does not say when its session began.
  -- A router that rebooted uses ids again. Its new session may have begun in this batch, by a Start without a Class or after the
  -- Accounting-On, while the one before is still open.
  if kinds.without_class then
    read := array(
      select row(r.tenant, r.device, r.status, r.session, coalesce(r.class, o.class, h.class), r.user_name, r.mac, r.ip, r.at,
          r.seconds, r.upload, r.download, r.cause)::accounting_record
      from (
        select x.*, x.at - make_interval(secs => x.seconds) as began_at,
          x.class is null and x.status in ('interim', 'stop') and not bool_or(x.class is null and x.status = 'start')
            over (partition by x.device, x.session, x.user_name, x.mac order by x.n) as forgot,
          max(x.at) filter (where x.status in ('on', 'off')) over (partition by x.device order by x.n) as restarted_at
        from unnest(read) with ordinality
          as x(tenant, device, status, session, class, user_name, mac, ip, at, seconds, upload, download, cause, n)) r
      left join lateral (
        select y.class, true as found
        from online_sessions y
        where r.forgot and y.tenant_id = r.tenant and y.device_id = r.device
          and y.client_mac = parse_mac(r.mac) and y.acct_session_id = r.session and y.user_name = coalesce(r.user_name, '')
          and r.began_at between y.started_at - interval '1 minute' and y.updated_at + interval '2 minutes'
          and (r.began_at <= y.updated_at + interval '30 seconds' or r.seconds >= y.seconds)
          and (y.updated_at <= r.restarted_at and r.began_at > r.restarted_at) is not true
        limit 1) o on true
      left join lateral (
        select y.class
        from session_history y
        where o.found is null and r.forgot and y.tenant_id = r.tenant
          and y.device_id = r.device and y.client_mac = parse_mac(r.mac) and y.acct_session_id = r.session
          and y.user_name = coalesce(r.user_name, '')
          and (r.status = 'stop' or y.close_reason = 'stale')
          and (y.started_at between r.began_at - interval '1 minute' and r.began_at + interval '1 minute'
            or went_on_without_time(y, r.status, r.at, r.seconds, r.upload, r.download))
          and y.started_at > now() - interval '62 days' and y.started_at <= now() + interval '1 day'
        limit 1) h on true
      order by r.n);
  end if;

  facts := array(
    select row(
        r.restarts * 1000000 + case
          when r.status in ('on', 'off') then 0
          else row_number() over (
            partition by r.tenant, r.mac, case when r.mac is null then r.device end, case when r.mac is null then r.session end,
              r.restarts
            order by r.n)
        end,
        r.status, r.tenant, r.location_id, r.device, r.time_zone, r.stopped,
        accounting_id(r.device, r.session, r.user_name, r.mac, r.class), r.session, r.class, coalesce(r.user_name, ''),
        parse_mac(r.mac), parse_ip(r.ip), r.at, r.at - make_interval(secs => r.seconds),
        r.seconds, r.upload, r.download, r.cause)::accounting_fact
    from (
      -- Counted per location, because a guest device may roam between a router that restarts and one that does not.
      select x.tenant, x.device, x.status, x.session, x.class, x.user_name, x.mac, x.ip, least(x.at, now()) as at, x.seconds, x.upload,
        x.download, x.cause, x.n, d.location_id, l.time_zone, out_of_service(d, l) as stopped,
        count(*) filter (where x.status in ('on', 'off')) over (partition by d.location_id order by x.n) as restarts
      from unnest(read) with ordinality
        as x(tenant, device, status, session, class, user_name, mac, ip, at, seconds, upload, download, cause, n)
      join devices d on d.tenant_id = x.tenant and d.id = x.device
      join locations l on l.tenant_id = d.tenant_id and l.id = d.location_id) r);

  -- Most records are updates of open sessions within an hour, the first ones of their guest devices. One statement applies them.
  if kinds.updates then
    with plain as (
      update online_sessions o set
        updated_at = greatest(o.updated_at, f.at),
        seconds = greatest(o.seconds, f.seconds),
        upload = counter_after(o.upload, f.upload, f.seconds - o.seconds),
        download = counter_after(o.download, f.download, f.seconds - o.seconds),
        client_ip = case when f.at < o.updated_at then o.client_ip else coalesce(f.ip, o.client_ip) end
      from unnest(facts) f
      where f.status = 'interim' and f.round = 1 and not f.stopped and o.accounting_id = f.accounting_id and f.at < o.hour_ends_at
        and (f.ip <> o.client_ip or f.ip is not null and f.at < o.updated_at) is not true
        -- As below: it neither began before the open session nor after the router rebooted.
        and f.began_at >= o.started_at - interval '1 minute'
        and (f.began_at <= o.updated_at + interval '30 seconds' or f.seconds >= o.seconds)
      returning o.accounting_id)
    select coalesce(array_agg(accounting_id), '{}') into touched from plain;
  end if;
  if touched <> '{}' then
    facts := array(
      select f from unnest(facts) f
      where f.status <> 'interim' or f.round <> 1 or f.accounting_id <> all (touched));
  end if;

  oldest := (select min(began_at) - interval '62 days' from unnest(facts));
  for this in select distinct round from unnest(facts) order by 1 loop
    -- Accounting-On and -Off: the router's sessions ended at their last update, except those with a later update.
    if kinds.restarts then
      closings := array(
        select row(o.tenant_id, o.id, o.updated_at, 'restart', null)::session_closing
        from unnest(facts) f
        join online_sessions o on o.tenant_id = f.tenant_id and o.device_id = f.device_id and o.updated_at <= f.at
        where f.round = this and f.status in ('on', 'off'));
      if closings <> '{}' then
        deltas := deltas || array(select c from close_sessions(closings) c);
      end if;
    end if;

    matches := array(
      select row(f,
        case
          when o.id is not null and h.id is null and not x.restarted then case f.status when 'stop' then 'stop' else 'update' end
          -- A closed session stays closed, unless it was closed as stale, or as roamed to another router, and turns out to be alive.
          -- Its first report after the guest device left may count what was used before. So that one is only the measure for the next.
          when h.id is not null then case
            when f.status = 'start' then 'none'
            when o.id is not null then 'amend'
            when f.status = 'interim' and f.at > h.ended_at and h.close_reason = 'stale' and r.id is null then 'reopen'
            when f.status = 'interim' and h.close_reason in ('roamed', 'replaced') and r.device_id <> f.device_id and f.at > r.updated_at
              and h.started_at + make_interval(secs => h.seconds) >= r.started_at
              and f.seconds > h.seconds and f.upload + f.download > h.upload + h.download then 'reopen'
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
          f.began_at < o.started_at - interval '1 minute' as earlier,
          f.began_at + interval '1 minute' as latest) x
      left join lateral (
        select * from session_history y
        where (o.id is null or x.earlier and y.started_at < o.started_at) and y.accounting_id = f.accounting_id
          and y.started_at > f.began_at - interval '62 days' and y.started_at > oldest
          and y.started_at <= now() + interval '1 day' -- reads few partitions of months to come; see the head of this file
          -- A Class belongs to one sign-in, and a sign-in to one session: its records after the Stop, and another Start, are old.
          and (f.began_at <= y.ended_at + case y.close_reason when 'restart' then interval '0' else interval '2 minutes' end
            or f.class is not null and (y.close_reason = 'stop' or f.status = 'start' and y.close_reason <> 'restart'
              -- The clock was set forward, so that it was closed, and began earlier than its router's time says.
              or y.close_reason = 'stale' and f.seconds >= y.seconds and f.upload >= y.upload and f.download >= y.download)
            or went_on_without_time(y, f.status, f.at, f.seconds, f.upload, f.download))
        -- The one that the record would have belonged to while it was open, so that a repeated Stop finds it again.
        order by y.started_at <= x.latest desc, abs(extract(epoch from y.started_at - x.latest))
        limit 1) h on true
      where f.round = this and f.status in ('start', 'interim', 'stop'));
    continue when matches = '{}';

    select
      bool_or(case
        when action in ('update', 'stop') then (fact).ip <> (open).client_ip or (fact).at < (open).updated_at
        else action in ('amend', 'reopen')
      end) as moved,
      bool_or(action in ('update', 'stop')) as open,
      bool_or(action in ('update', 'stop') and (fact).at >= (open).hour_ends_at) as new_hour,
      bool_or(action = 'stop' or action in ('open', 'reopen') and (rival).id is not null or restarted and action <> 'none') as ended,
      bool_or(action in ('open', 'keep')) as new,
      bool_or(action in ('reopen', 'amend')) as closed,
      bool_or((fact).stopped and (fact).status = 'interim') as stopped
    into has
    from unnest(matches) m;

    if has.moved then
      call note_changed_addresses(matches);
    end if;

    -- Sessions that entered a new hour: what they used until then belongs to the hour that ended.
    if has.new_hour then
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
    end if;

    if has.open then
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
    end if;

    if has.ended then
      closings := array(
        select row((open).tenant_id, (open).id, (fact).at, 'stop', (fact).cause)::session_closing
        from unnest(matches) m
        where action = 'stop'
        union all
        select row((rival).tenant_id, (rival).id, (rival).updated_at,
          case when (rival).device_id = (fact).device_id then 'replaced' else 'roamed' end, null)::session_closing
        from unnest(matches) m
        where action in ('open', 'reopen') and (rival).id is not null
        union all
        select row((open).tenant_id, (open).id, (open).updated_at, 'replaced', null)::session_closing
        from unnest(matches) m
        where restarted and action <> 'none');
      deltas := deltas || array(select c from close_sessions(closings) c);
    end if;

    -- New sessions, and late records of sessions that are over already.
    if has.new then
      with new as (
        select new_id() as id, m.action, (m.fact).*, (m.rival).device_id <> (m.fact).device_id as roamed, g.visitor_id, g.profile_id, g.network_id, g.interim, g.admission_id,
          (m.fact).began_at at time zone (m.fact).zone as began_on, (m.fact).at at time zone (m.fact).zone as told_on
        from unnest(matches) m
        cross join lateral find_session_guest(m.fact, oldest) g
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
          case when status = 'stop' then 'stop' when roamed then 'roamed' else 'replaced' end, cause
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
    if has.closed then
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

    if kinds.updates then
      touched := touched || array(
        select (m.fact).accounting_id from unnest(matches) m
        where m.action in ('update', 'open', 'reopen') and (m.fact).status = 'interim');
    end if;

    if has.stopped then
      call end_out_of_service(matches);
    end if;
  end loop;

  if used_up <> '{}' then
    delete from admissions a
    using (
      select tenant_id, id from admissions
      where id = any(used_up)
      order by device_id, client_mac for update) u
    where a.tenant_id = u.tenant_id and a.id = u.id;
  end if;
  if begun <> '{}' then
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
      device_id = case when is_later(excluded, guest_devices) then excluded.device_id else guest_devices.device_id end,
      visitor_id = case when is_later(excluded, guest_devices) then excluded.visitor_id else guest_devices.visitor_id end,
      session_id = case when is_later(excluded, guest_devices) then excluded.session_id else guest_devices.session_id end,
      session_started_at = greatest(excluded.session_started_at, guest_devices.session_started_at);
  end if;

  -- Visitors without access, or with a volume or a time of their own: what they used is added up one batch after another, so that
  -- each sees the others' use.
  if touched <> '{}' then
    limited := array(
      select distinct row(o.tenant_id, o.visitor_id)::visitor_key
      from online_sessions o
      left join visitors v on v.tenant_id = o.tenant_id and v.id = o.visitor_id
      join locations l on l.tenant_id = o.tenant_id and l.id = o.location_id
      left join networks n on n.tenant_id = o.tenant_id and n.id = o.network_id
      left join profiles p on p.tenant_id = o.tenant_id and p.id = coalesce(v.profile_id, n.profile_id, l.default_profile_id)
      cross join lateral limits_in_force(v, p, l) lim
      where o.accounting_id = any(touched) and o.visitor_id is not null
        and (has_no_access(v, o.location_id)
          or num_nonnulls(lim.session_bytes, lim.day_bytes, lim.total_bytes, lim.day_seconds, lim.total_seconds) > 0)
      order by 1);
    if limited <> '{}' then
      perform pg_advisory_xact_lock(key)
      from (select lock_key('usage', visitor_id::text) as key from unnest(limited) order by 1) x;
    end if;
  end if;
  if deltas <> '{}' then
    call add_usage(deltas);
    call announce_sessions(deltas);
  end if;
  if limited <> '{}' then
    call enforce_limits(limited);
  end if;
end $$;
