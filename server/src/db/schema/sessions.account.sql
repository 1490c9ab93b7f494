-- Accounting (RFC 2866): turns what routers report into sessions and daily totals.
-- A transaction that changes the sessions of a guest device holds the lock of that device. It shares the lock of the router with
-- others, unless the router went on or off. All locks are taken first and sorted, so that batches cannot deadlock.
-- The locks on the use of visitors come last, sorted as well.
-- now() is when a transaction began. A batch that waited for those locks meets sessions that began after it. So does a batch after
-- the clock was set back. Therefore a session of the next day counts as one that has begun.

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

-- The usage of one hour, to be added to the hourly and daily totals.
create type usage_delta as (
  tenant_id uuid,
  location_id uuid,
  device_id uuid,
  visitor_id uuid,
  day date,
  hour smallint,
  sessions int,
  seconds bigint,
  upload bigint,
  download bigint
);

create type visitor_key as (
  tenant_id uuid,
  visitor_id uuid
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

-- A record, its session (open or closed) and the steps to take. The rival is another open session of the same guest device.
-- `restarted`: the open session ended unnoticed, and the record begins another one under its id.
create type accounting_match as (
  fact accounting_fact,
  action text,
  open online_sessions,
  closed session_history,
  rival online_sessions,
  restarted boolean
);

-- Identifies a session among those of all routers, because Acct-Session-Id is unique per router at best.
create function accounting_id(device uuid, session text, user_name text, mac text, class text) returns bytea
language sql stable parallel safe as $$
  select substring(sha256(convert_to(jsonb_build_array(device, session, user_name, mac, class)::text, 'UTF8')) for 16)
$$;

-- The key of the lock on the sessions of a guest device. A guest device is at one place at a time, at any router of it.
create function guest_lock(tenant uuid, device uuid, mac text, session text) returns bigint
language sql immutable parallel safe as $$
  select lock_key('guest', case when mac is null then device::text || session else tenant::text || mac end)
$$;

-- A counter after a report. Counters only grow, and a late report changes nothing. A router that sends no Gigawords
-- (RFC 2869 section 5.1) begins again at 0 after 4 GiB. A lower count in a later report is such a wrap, if the guest device could
-- have got that far with 1 Gbit/s. A report without the counter counts as 0.
create function counter_after(known bigint, sent bigint, elapsed bigint) returns bigint
language sql immutable parallel safe as $$
  select case
    when sent < known and sent between 1 and 4294967295 and (sent - known % 4294967296 + 4294967296) % 4294967296 <= elapsed * 125000000
      then known + (sent - known % 4294967296 + 4294967296) % 4294967296
    else greatest(known, sent)
  end
$$;

-- Whether an update without Acct-Session-Time may belong to a session that was closed as stale, which had none either: RFC 2866
-- allows the time in a Stop only. A router that rebooted counts from zero.
create function went_on_without_time(y session_history, status text, at timestamptz, seconds bigint, upload bigint, download bigint)
returns boolean
language sql stable parallel safe as $$
  select status = 'interim' and seconds = 0 and y.seconds = 0 and y.close_reason = 'stale' and y.ended_at > at - interval '1 day'
    and upload >= y.upload and download >= y.download
$$;

create procedure add_usage(deltas usage_delta[])
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

-- The sums of the parts of a session.
create function session_parts_sum(p_tenant uuid, p_session uuid) returns table (seconds bigint, upload bigint, download bigint)
language sql stable as $$
  select coalesce(sum(p.seconds), 0)::bigint, coalesce(sum(p.upload), 0)::bigint, coalesce(sum(p.download), 0)::bigint
  from session_parts p
  where p.tenant_id = p_tenant and p.session_id = p_session
$$;

-- Moves open sessions to the history. Returns what each used since it was last counted.
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

-- Sends NOTIFY portico once per location whose sessions changed. The RADIUS service collects these changes and sends them itself
-- a moment later: it sets portico.announce for its batches.
create procedure announce_sessions(deltas usage_delta[])
language plpgsql as $$
begin
  if current_setting('portico.announce', true) = 'later' then return; end if;
  perform pg_notify('portico', json_build_object('tenant', tenant_id, 'location', location_id, 'topic', 'sessions')::text)
  from (select distinct tenant_id, location_id from unnest(deltas)) x;
end $$;

-- The guest of a session. The Class of the sign-in counts first, even if an earlier session had it. Next come the last sign-in of
-- the guest device there, and the user name. No session before `oldest` is looked for. A batch has one `oldest`, so PostgreSQL
-- opens no partition of an earlier month.
create function find_session_guest(f accounting_fact, oldest timestamptz)
returns table (visitor_id uuid, profile_id uuid, network_id uuid, interim int, admission_id uuid)
language sql stable as $$
  -- At most one of c, h, m and v is found: each is looked for only where those before it are missing.
  select
    coalesce(c.visitor_id, h.visitor_id, m.visitor_id, v.id),
    coalesce(c.profile_id, h.profile_id, m.profile_id, v.profile_id),
    coalesce(c.network_id, h.network_id, m.network_id, n.id),
    coalesce(c.interim, m.interim, 60),
    coalesce(c.id, m.id)
  from (select) one
  left join admissions c on c.tenant_id = f.tenant_id and c.device_id = f.device_id and c.class = f.class
  -- A late Start looks like a second session, and the first one has used the admission.
  left join lateral (
    select y.id, y.visitor_id, y.profile_id, y.network_id from session_history y
    where c.id is null and f.class is not null and y.accounting_id = f.accounting_id
      and y.started_at > f.began_at - interval '62 days' and y.started_at > oldest
      and y.started_at <= now() + interval '1 day' -- reads few partitions of months to come; see the head of this file
    order by y.started_at desc
    limit 1) h on true
  -- Limits keep the condition in the look-up: as part of a join it would be tested after it.
  left join lateral (
    select y.id, y.visitor_id, y.profile_id, y.network_id, y.interim from admissions y
    where c.id is null and h.id is null and y.tenant_id = f.tenant_id and y.device_id = f.device_id and y.client_mac = f.mac
    limit 1) m on true
  left join lateral (
    select y.id, y.profile_id from visitors y
    where c.id is null and h.id is null and m.id is null
      and y.tenant_id = f.tenant_id and y.location_id = f.location_id and y.username = f.user_name
    limit 1) v on true
  left join lateral (
    select y.id from find_network(f.tenant_id, f.device_id, f.ip) y
    where c.id is null and h.id is null and m.id is null
    limit 1) n on true
$$;

-- Whether the latest session of the first row began after that of the second.
create function is_later(a guest_devices, b guest_devices) returns boolean
language sql immutable parallel safe as $$
  select (a.session_started_at, a.session_id) > (b.session_started_at, b.session_id)
$$;

-- Ends or slows down the sessions of visitors who have used up a limit. Lifts the lower speed when there is volume again.
-- Some visitors lose their access after the router has let them in and before their session is open. Those sessions end too, and
-- so do those that a router did not end when it was told.
-- A command that did not help is repeated after ten minutes.
-- One for another reason counts only while it may still help: an operator's press that the router refused keeps no guest online.
create procedure enforce_limits(visitors_limited visitor_key[])
language plpgsql as $$
begin
  with judged as (
    select o.tenant_id, o.id, o.location_id, o.device_id, o.reduced,
      has_no_access(v, o.location_id) or coalesce(u.day_seconds >= lim.day_seconds, false)
        or coalesce(u.total_seconds >= lim.total_seconds, false) as time_over,
      coalesce(u.day_bytes >= lim.day_bytes, false) or coalesce(u.total_bytes >= lim.total_bytes, false)
        or coalesce(o.upload + o.download >= lim.session_bytes, false) as volume_over,
      lim.reduced_bps is not null as slows_down
    from unnest(visitors_limited) k
    join online_sessions o on o.tenant_id = k.tenant_id and o.visitor_id = k.visitor_id
    left join visitors v on v.tenant_id = o.tenant_id and v.id = o.visitor_id
    join locations l on l.tenant_id = o.tenant_id and l.id = o.location_id
    left join networks n on n.tenant_id = o.tenant_id and n.id = o.network_id
    left join profiles p on p.tenant_id = o.tenant_id and p.id = coalesce(v.profile_id, n.profile_id, l.default_profile_id)
    cross join lateral limits_in_force(v, p, l) lim
    cross join lateral visitor_usage(o.tenant_id, o.location_id, o.visitor_id, local_day(l.time_zone),
      lim.total_seconds is not null or lim.total_bytes is not null) u
  ), due as (
    select *, case when time_over or (volume_over and not slows_down) then 'end' else 'change' end as kind
    from judged
    where time_over or (volume_over and not slows_down) or (volume_over and slows_down) <> reduced
  ), changed as (
    -- A locked session is in a batch that waits for this one, and then judges the session itself.
    update online_sessions o set reduced = not o.reduced
    where (o.tenant_id, o.id) in (
      select s.tenant_id, s.id from due d
      join online_sessions s on s.tenant_id = d.tenant_id and s.id = d.id
      where d.kind = 'change'
      for update of s skip locked)
    returning o.tenant_id, o.id
  )
  insert into session_commands (tenant_id, session_id, location_id, device_id, kind, reason)
  select d.tenant_id, d.id, d.location_id, d.device_id, d.kind, 'limit'
  from due d
  left join changed c on c.tenant_id = d.tenant_id and c.id = d.id
  where case d.kind
    when 'change' then c.id is not null
    else not exists (
      select from session_commands k
      where k.tenant_id = d.tenant_id and k.session_id = d.id and k.kind = 'end' and k.requested_at > now() - interval '10 minutes'
        and (k.reason = 'limit' or k.state in ('requested', 'acknowledged')))
  end;
end $$;

-- Ends the running sessions of a router that is out of service, at their interim update. Repeated as by enforce_limits().
create procedure end_out_of_service(matches accounting_match[])
language plpgsql as $$
begin
  insert into session_commands (tenant_id, session_id, location_id, device_id, reason)
  select o.tenant_id, o.id, o.location_id, o.device_id, 'licence'
  from unnest(matches) m
  join online_sessions o on o.accounting_id = (fact).accounting_id
  where (fact).stopped and (fact).status = 'interim' and not exists (
    select from session_commands k
    where k.tenant_id = o.tenant_id and k.session_id = o.id and k.kind = 'end' and k.requested_at > now() - interval '10 minutes'
      and (k.reason = 'licence' or k.state in ('requested', 'acknowledged')));
end $$;

-- Notes which IPv4 address a session was reported with, once it has had another one: the address until then, and the reported one.
-- A session whose address never changed has no such rows. An address was held between two of its reports if no report between
-- them names another one. A report that came late counts too.
create procedure note_changed_addresses(matches accounting_match[])
language plpgsql as $$
declare
  c record;
begin
  for c in
    -- The session counts from its start on with the first address that is reported, unless a report of the start says otherwise.
    select (m.fact).tenant_id, k.id, (m.fact).ip, greatest((m.fact).at, k.began_at) as at, k.known, k.began_at, k.last_at
    from unnest(matches) m
    cross join lateral (
      select (open).id, (open).client_ip as known, (open).started_at as began_at, (open).updated_at as last_at
      where action in ('update', 'stop')
      union all
      select (closed).id, (closed).client_ip, (closed).started_at, (closed).ended_at
      where action in ('amend', 'reopen')) k
    where (m.fact).ip <> k.known
      or (m.fact).ip = k.known and (action in ('amend', 'reopen') or (m.fact).at < k.last_at) and exists (
        select from session_addresses e
        where e.tenant_id = (m.fact).tenant_id and e.session_id = k.id and family(e.network) = 4)
      -- The end of a closed session does not say so, and an earlier report may yet open it again with another address.
      or (m.fact).ip = k.known and action = 'amend' and (m.fact).status = 'interim' and (m.fact).at > k.last_at
    order by 1, 2
  loop
    -- A report that says nothing new, perhaps a repeated one.
    continue when exists (
      select from session_addresses a
      where a.tenant_id = c.tenant_id and a.session_id = c.id and a.network = c.ip and (a.held @> c.at
        or c.ip = c.known and c.at > upper(a.held) and not exists (
          select from session_addresses b
          where b.tenant_id = a.tenant_id and b.session_id = a.session_id and upper(b.held) > upper(a.held))));

    -- The known address was held until the latest report, unless another one was reported last of all.
    insert into session_addresses as a (tenant_id, session_id, network, first_at, last_at, held)
    values (c.tenant_id, c.id, c.known, least(c.began_at, c.last_at), c.last_at,
      tstzmultirange(tstzrange(least(c.began_at, c.last_at), c.last_at, '[]')))
    on conflict (tenant_id, session_id, network) do update set
      last_at = greatest(a.last_at, excluded.last_at),
      held = a.held + tstzmultirange(tstzrange(upper(a.held), excluded.last_at, '[]'))
    where excluded.last_at > upper(a.held) and not exists (
      select from session_addresses b
      where b.tenant_id = a.tenant_id and b.session_id = a.session_id and upper(b.held) > upper(a.held));

    -- A late report of another address: of the time around it, only the ends are proven.
    update session_addresses a
    set held = a.held - (
      select tstzmultirange(tstzrange(lower(r), upper(r), case when lower(r) < c.at then '()' else '[)' end))
      from unnest(a.held) r
      where r @> c.at)
    where a.tenant_id = c.tenant_id and a.session_id = c.id and a.network <> c.ip
      and exists (select from unnest(a.held) r where r @> c.at and upper(r) > c.at);

    -- The report, with the time to the reports of the same address before and after it.
    insert into session_addresses as a (tenant_id, session_id, network, first_at, last_at, held)
    values (c.tenant_id, c.id, c.ip, c.at, c.at, tstzmultirange(tstzrange(c.at, c.at, '[]')))
    on conflict (tenant_id, session_id, network) do update set
      first_at = least(a.first_at, c.at),
      last_at = greatest(a.last_at, c.at),
      held = a.held + (
        select tstzmultirange(tstzrange(
          coalesce(max(upper(r)) filter (where upper(r) < c.at), c.at),
          coalesce(min(lower(r)) filter (where lower(r) > c.at), c.at), '[]'))
        from unnest(a.held) r
        where not exists (
          select from session_addresses b
          where b.tenant_id = c.tenant_id and b.session_id = c.id and b.network <> c.ip
            and b.held && tstzrange(least(upper(r), c.at), greatest(lower(r), c.at), '[]')));
  end loop;
end $$;

-- Applies a batch of Accounting-Requests in the order of the array:
-- [{tenant, device, status, session, class, user_name, mac, ip, at, seconds, upload, download, cause}].
-- A status is start, interim, stop, on or off. Applying a request twice changes nothing.
create function account(records jsonb) returns void
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
      select tenant_id, id, device_id, client_mac, acct_session_id from online_sessions
      where updated_at < now() - make_interval(secs => 3 * interim)
      limit 500 offset 0) o
    where pg_try_advisory_xact_lock(guest_lock(o.tenant_id, o.device_id, upper(o.client_mac::text), o.acct_session_id)));
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

-- Ends the running hour of the open sessions of a location whose time zone has changed. What they use from now on counts to the day
-- and the hour of the new zone. The caller holds the locks of its routers. A session that another transaction is closing is
-- skipped, so that neither waits for the other.
create function start_new_hours(p_location uuid) returns void
language sql security definer set search_path = public, pg_temp as $$
  update online_sessions set hour_ends_at = now()
  where tenant_id = current_tenant() and hour_ends_at > now() and id in (
    select id from online_sessions
    where tenant_id = current_tenant() and location_id = p_location
    order by id
    for update skip locked)
$$;
revoke execute on function start_new_hours from public;
grant execute on function start_new_hours to portico_app;

revoke execute on function account, close_stale_sessions, close_sessions, find_session_guest from public;
revoke execute on procedure add_usage, announce_sessions, end_out_of_service, enforce_limits, note_changed_addresses from public;
alter function account owner to portico_system;
alter function close_stale_sessions owner to portico_system;
alter function close_device_sessions owner to portico_system;
alter function start_new_hours owner to portico_system;
alter function close_sessions owner to portico_system;
alter function find_session_guest owner to portico_system;
alter procedure add_usage owner to portico_system;
alter procedure announce_sessions owner to portico_system;
alter procedure end_out_of_service owner to portico_system;
alter procedure enforce_limits owner to portico_system;
alter procedure note_changed_addresses owner to portico_system;
