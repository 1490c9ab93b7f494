-- Sign-in decisions, for our RADIUS listener (in batches) and for a stock FreeRADIUS alike.
-- Locks are taken in one order: visitors, tickets, existing admissions, each sorted for the whole batch. So a batch does not deadlock
-- with another one or with account(). One case is left: two batches admit the same new guest devices in different orders.
-- PostgreSQL then ends one of them, and the caller asks again.

-- How many devices of a visitor are in use, not counting this one: online, or admitted and not online yet.
create function devices_in_use(p_tenant uuid, p_visitor uuid, p_mac macaddr) returns table (used bigint)
language sql stable as $$
  select count(*) from (
    select coalesce(client_mac::text, id::text) from online_sessions
    where tenant_id = p_tenant and visitor_id = p_visitor and client_mac is distinct from p_mac
    union
    select coalesce(client_mac::text, id::text) from admissions
    where tenant_id = p_tenant and visitor_id = p_visitor and client_mac is distinct from p_mac and expires_at > now()) in_use
$$;

-- The values with which one guest device is admitted once the decision is made.
create type admission_grant as (
  tenant_id uuid,
  location_id uuid,
  device_id uuid,
  visitor_id uuid,
  profile_id uuid,
  network_id uuid,
  mac macaddr,
  interim int,
  shared_user int,
  paid_end timestamptz -- paid days begin with this sign-in, and end then
);

create type guest_place as (
  tenant_id uuid,
  device_id uuid,
  mac macaddr
);

-- Locks the admissions of a batch, in the order in which account() deletes them: admit_grants() and authorize() write them in several
-- passes.
create function lock_admissions(places guest_place[]) returns void
language plpgsql as $$
begin
  perform from admissions a
  where (a.tenant_id, a.device_id, a.client_mac) in (select p.tenant_id, p.device_id, p.mac from unnest(places) p)
  order by a.device_id, a.client_mac for update;
end $$;

-- Admits guest devices, except those whose visitor has too many in use. Returns the Class attribute (RFC 2865 section 5.25)
-- of each, or null, in the order of the grants. It ends with its day, which shows records of an old sign-in.
-- No two grants may be for one visitor or one guest device. The caller holds the locks of the visitors.
create function take_admissions(grants admission_grant[]) returns table (place bigint, class text)
language plpgsql as $$
declare
  begins boolean := exists (select from unnest(grants) g where g.paid_end is not null);
begin
  -- Locked in one order and before admissions are written, so that two batches cannot deadlock.
  if begins then
    perform from visitors v
    where (v.tenant_id, v.id) in (select g.tenant_id, g.visitor_id from unnest(grants) g where g.paid_end is not null)
    order by v.id for no key update;
  end if;

  return query
  with asked as (
    select g.*, replace(gen_random_uuid()::text, '-', '')
      || lpad(to_hex(floor(extract(epoch from now()) / 86400)::int), 4, '0') as new_class
    from unnest(grants) with ordinality
      as g(tenant_id, location_id, device_id, visitor_id, profile_id, network_id, mac, interim, shared_user, paid_end, n)
  ), fitting as (
    select a.* from asked a
    cross join lateral devices_in_use(a.tenant_id, a.visitor_id, a.mac) u
    where a.visitor_id is null or a.shared_user is null or u.used < a.shared_user
  ), taken as (
    insert into admissions (tenant_id, class, location_id, device_id, client_mac, visitor_id, profile_id, network_id, interim, expires_at)
    select f.tenant_id, f.new_class, f.location_id, f.device_id, f.mac, f.visitor_id, f.profile_id, f.network_id, f.interim,
      now() + interval '2 minutes'
    from fitting f
    order by f.device_id, f.mac
    on conflict (tenant_id, device_id, client_mac) where client_mac is not null do update set
      class = excluded.class, location_id = excluded.location_id, visitor_id = excluded.visitor_id,
      profile_id = excluded.profile_id, network_id = excluded.network_id, interim = excluded.interim,
      created_at = excluded.created_at, expires_at = excluded.expires_at
  )
  select a.n, f.new_class from asked a left join fitting f on f.n = a.n order by a.n;

  if begins then
    perform begin_paid_days(g.tenant_id, g.visitor_id, g.paid_end)
    from unnest(grants) g
    where g.paid_end is not null and exists (
      select from admissions a
      where a.tenant_id = g.tenant_id and a.visitor_id = g.visitor_id and a.device_id = g.device_id
        and a.client_mac is not distinct from g.mac and a.created_at = now());
  end if;
end $$;

-- Redeems a ticket for one request (`p_key`); a retransmission of that request gets the same Class again.
-- Returns a Class or the reason of a refusal.
create function redeem_ticket(
  p_tenant uuid, p_ticket uuid, p_key text, admission admission_grant, out given text, out refused text
)
language plpgsql as $$
declare
  t tickets;
  reveals_mac boolean;
begin
  -- Read here, not by the caller: two requests with one ticket can be in one batch.
  select * into t from tickets where tenant_id = p_tenant and id = p_ticket;
  if t.used_at is not null then
    if t.used_by = p_key then given := t.class; else refused := 'wrong_credentials'; end if;
    return;
  end if;

  reveals_mac := t.pseudo_mac is not null and admission.mac is not null;
  if reveals_mac and (select used_up from set_free_access_device(p_tenant, t.visitor_id, t.pseudo_mac, admission.mac)) then
    refused := 'expired';
  else
    given := (select taken.class from take_admissions(array[admission]) taken);
    if given is null then
      refused := 'over_limit';
      return;
    end if;
    update tickets set used_at = now(), used_by = p_key, class = given where tenant_id = p_tenant and id = p_ticket;
    if t.by_address or t.remember_token is not null then
      perform remember_guest(p_tenant, t.location_id, t.visitor_id, coalesce(t.pseudo_mac, admission.mac), t.by_address, t.provider_slug,
        t.remember_token, t.token_before);
    end if;
  end if;
  if reveals_mac then
    perform save_pseudo_mac(p_tenant, t.device_id, t.pseudo_mac, admission.mac);
  end if;
end $$;

-- The reason to refuse a guest device with any credentials, or null. A device that is being deleted takes no guests, because their
-- sessions could not be recorded. If the deletion is broken off, it takes them again after two minutes.
create function device_refusal(d devices, l locations, blocked boolean) returns text
language sql stable as $$
  select case
    when d.id is null then 'unknown_device'
    when out_of_service(d, l) then 'license_over'
    when not d.hotspot_status or d.deleting_at between now() - interval '2 minutes' and now() then 'hotspot_off'
    when blocked then 'blocked'
  end
$$;

create type sign_in_request as (
  tenant uuid,
  device uuid,
  user_name text,
  mac text,
  ip text,
  key text,
  same boolean
);
create type sign_in_decision as (
  n bigint,
  outcome text,
  reason text,
  password text,
  granting admission_grant,
  class text,
  provider_slug text,
  ticket boolean,
  session_timeout bigint,
  idle_timeout int,
  interim int,
  upload_bps bigint,
  download_bps bigint,
  total_bytes bigint
);

-- The tickets that the requests of authorize() name.
create function asked_tickets(requests jsonb) returns setof tickets
language sql stable as $$
  select t.* from jsonb_populate_recordset(null::sign_in_request, requests) q
  join tickets t on t.tenant_id = q.tenant and t.hash = sha256(convert_to(q.user_name, 'UTF8'))
  where q.same
$$;

-- Decides a batch of Access-Requests (RFC 2865): [{tenant, device, user_name, mac, ip, key, same}].
--   same  the password equals the user name, as a ticket's does
--   key   identifies the request and its retransmissions
-- Returns one row per request, numbered from 1 by its place in the batch. `outcome` is one of:
--   accept  admitted, with `class` and the limits
--   check   the caller compares the password with `password` (encrypted) and then calls admit() with `granting`.
--           When `reason` is set, even the right password is refused with it; a wrong one must not reveal it.
--   reject  refused for `reason`
-- Limits are in seconds, bits per second and bytes; null means unlimited.
-- PostgreSQL does not know how many requests there are, and would read the tables of devices, locations and profiles in full for a
-- hash join. Each request is looked up by index instead, here and in admit() and sign_in().
create function authorize(requests jsonb) returns setof sign_in_decision
language plpgsql security definer set search_path = public, pg_temp
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  r record;
  used record;
  o sign_in_decision;
begin
  if exists (select from jsonb_populate_recordset(null::sign_in_request, requests) q where q.same) then
    perform pg_advisory_xact_lock(lock_key('visitor', v.visitor_id::text))
    from (select distinct t.visitor_id from asked_tickets(requests) t order by 1) v;
    perform from tickets t
    where (t.tenant_id, t.id) in (select a.tenant_id, a.id from asked_tickets(requests) a)
    order by t.hash for update;
  end if;
  perform lock_admissions(array(
    select row(q.tenant, q.device, parse_mac(q.mac))::guest_place
    from jsonb_populate_recordset(null::sign_in_request, requests) q
    where q.mac is not null));

  for r in
    select q.n, q.mac, q.key, d.tenant_id, d.location_id, d.id as device_id, n.id as network_id, p.id as profile_id,
      v.id as visitor_id, v.password, t.id as ticket_id, lim.*, coalesce(t.provider_slug, 'username') as provider_slug,
      b.bypassed, local_day(l.time_zone) as today, least(v.session_end_at, paid.ends) as ends, paid.ends as paid_end,
      device_refusal(d, l, b.blocked) as device_refused,
      (v.id is null or t.device_id <> d.id or t.client_mac <> q.mac
        or t.used_at is null and t.expires_at <= now()) is true as wrong,
      case
        when v.blocked then 'blocked'
        when v.session_start_at > now() then 'not_yet'
        when v.session_end_at <= now() then 'expired'
      end as visitor_refused
    from (
      select x.n, x.tenant, x.device, x.user_name, parse_mac(x.mac) as mac, parse_ip(x.ip) as ip, x.key, x.same
      from jsonb_populate_recordset(null::sign_in_request, requests)
        with ordinality as x(tenant, device, user_name, mac, ip, key, same, n)) q
    left join devices d on d.tenant_id = q.tenant and d.id = q.device
    left join locations l on l.tenant_id = d.tenant_id and l.id = d.location_id
    left join lateral find_network(d.tenant_id, d.id, q.ip) n on true
    left join lateral (
      -- A rule for some networks also blocks an address outside all networks, but bypasses only one that is inside them.
      select
        coalesce(bool_or(m.type = 'blocked' and (m.networks = '{}' or n.id is null or n.id = any(m.networks))), false)
          or (l.mac_blacklist_enabled and q.mac = any(l.mac_blacklist)) is true as blocked,
        coalesce(bool_or(m.type = 'bypassed' and (m.networks = '{}' or n.id = any(m.networks))), false)
          or (l.mac_whitelist_enabled and q.mac = any(l.mac_whitelist)) is true as bypassed
      from mac_rules m
      where m.tenant_id = d.tenant_id and m.device_id = d.id and m.type in ('blocked', 'bypassed') and m.mac = q.mac) b on true
    left join tickets t on q.same and t.tenant_id = d.tenant_id and t.hash = sha256(convert_to(q.user_name, 'UTF8'))
    left join lateral (
      select t.visitor_id as id where t.id is not null
      union all
      select x.id from visitors x
      where t.id is null and x.tenant_id = d.tenant_id and x.location_id = d.location_id and x.username = q.user_name) named on true
    left join visitors v on v.tenant_id = d.tenant_id and v.id = named.id
    left join profiles p on p.tenant_id = d.tenant_id and p.id = coalesce(v.profile_id, n.profile_id, l.default_profile_id)
    left join lateral limits_in_force(v, p, l) lim on true
    -- Paid days that have not begun yet begin now, also if their profile has lost its price or was deleted since.
    left join lateral (
      select paid_days_end(v.total_paid_day, l.time_zone) as ends
      where v.total_paid_day > 0 and v.paid_end_at is null
        and (p.id = v.profile_id and (p.paid_sale->>'is_active')::boolean
          or exists (select from sales s where s.tenant_id = v.tenant_id and s.visitor_id = v.id))) paid on true
    order by d.id, q.mac, q.n
  loop
    o := null;
    o.n := r.n;
    o.provider_slug := r.provider_slug;
    o.ticket := r.ticket_id is not null;
    o.idle_timeout := 900;
    o.interim := 60;
    o.granting := row(r.tenant_id, r.location_id, r.device_id, r.visitor_id, r.profile_id, r.network_id, r.mac, o.interim, r.shared_user, r.paid_end);

    if r.device_refused is not null then
      o.outcome := 'reject';
      o.reason := r.device_refused;
    elsif r.bypassed then
      o.outcome := 'accept';
      o.granting := row(r.tenant_id, r.location_id, r.device_id, null, null, r.network_id, r.mac, o.interim, null, null);
      o.class := (select taken.class from take_admissions(array[o.granting]) taken);
    elsif r.wrong or (r.ticket_id is null and r.password is null) then
      o.outcome := 'reject';
      o.reason := 'wrong_credentials';
    else
      o.reason := r.visitor_refused;
      o.session_timeout := least(ceil(extract(epoch from r.ends - now()))::bigint, r.session_seconds);
      o.upload_bps := r.upload_bps;
      o.download_bps := r.download_bps;
      o.total_bytes := r.session_bytes;
      if r.day_seconds is not null or r.total_seconds is not null or r.day_bytes is not null or r.total_bytes is not null then
        select * into used
        from visitor_usage(r.tenant_id, r.location_id, r.visitor_id, r.today, r.total_seconds is not null or r.total_bytes is not null);
        o.session_timeout := least(o.session_timeout, r.day_seconds - used.day_seconds, r.total_seconds - used.total_seconds);
        o.total_bytes := least(o.total_bytes, r.day_bytes - used.day_bytes, r.total_bytes - used.total_bytes);
        o.reason := coalesce(o.reason, case
          when r.total_seconds <= used.total_seconds then 'expired'
          when r.day_seconds <= used.day_seconds then 'over_time'
          when r.reduced_bps is not null then null
          when r.total_bytes <= used.total_bytes then 'expired'
          when r.day_bytes <= used.day_bytes then 'over_quota'
        end);
      end if;
      -- The router would end a session at its volume, so it is not told one. account() reduces the speed.
      if r.reduced_bps is not null then
        if o.total_bytes <= 0 then
          o.upload_bps := least(o.upload_bps, r.reduced_bps);
          o.download_bps := least(o.download_bps, r.reduced_bps);
        end if;
        o.total_bytes := null;
      end if;
      if r.ticket_id is null then
        o.outcome := 'check';
        o.password := r.password;
      else
        if o.reason is null then
          select * into o.class, o.reason from redeem_ticket(r.tenant_id, r.ticket_id, r.key, o.granting);
        end if;
        o.outcome := case when o.reason is null then 'accept' else 'reject' end;
      end if;
    end if;
    return next o;
  end loop;
end $$;

-- Admits a batch of guests whose password was right. Returns one Class per grant, numbered from 1; null means too many devices.
-- Guests who share a visitor or a guest device are admitted one after another, after all others were admitted together.
-- The caller holds the locks of the visitors and of the admissions.
create function admit_grants(grants admission_grant[]) returns table (n bigint, class text)
language plpgsql as $$
declare
  places bigint[];
  these admission_grant[];
begin
  for places, these in
    select array_agg(x.place order by x.place), array_agg(x.granting order by x.place)
    from (
      select q.place,
        row(tenant_id, location_id, device_id, visitor_id, profile_id, network_id, mac, interim, shared_user, paid_end)::admission_grant as granting,
        case
          when count(*) over (partition by visitor_id) > 1 or count(*) over (partition by device_id, mac) > 1 then q.place
          else 0
        end as round
      from unnest(grants) with ordinality
        as q(tenant_id, location_id, device_id, visitor_id, profile_id, network_id, mac, interim, shared_user, paid_end, place)) x
    group by x.round
    order by x.round
  loop
    return query select places[t.place], t.class from take_admissions(these) t;
  end loop;
end $$;

-- The same for [granting of authorize()].
create function admit(grants jsonb) returns table (n bigint, class text)
language plpgsql security definer set search_path = public, pg_temp
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  these admission_grant[] := array(select g from jsonb_populate_recordset(null::admission_grant, grants) g);
begin
  perform pg_advisory_xact_lock(lock_key('visitor', v.visitor_id::text))
  from (select distinct x.visitor_id from unnest(these) x order by 1) v;
  perform lock_admissions(array(select row(x.tenant_id, x.device_id, x.mac)::guest_place from unnest(these) x));
  return query select * from admit_grants(these);
end $$;

-- authorize() and admit() in one, for a caller that has compared the typed password with the stored one before:
-- [{…, known_password, known_visitor}]. `proven`: the password is still that one, so the decision is final. Others are decided as by
-- authorize(). Only the visitor that the caller knew is admitted, because its lock is held.
create function sign_in(requests jsonb) returns table (
  n bigint, outcome text, reason text, password text, granting json, class text, provider_slug text, ticket boolean,
  session_timeout bigint, idle_timeout int, interim int, upload_bps bigint, download_bps bigint, total_bytes bigint, proven boolean)
language plpgsql security definer set search_path = public, pg_temp
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  made sign_in_decision[];
  known boolean[];
  places bigint[];
  grants admission_grant[];
  classes text[];
begin
  -- Both kinds of visitors at once, so that two batches cannot deadlock.
  perform pg_advisory_xact_lock(lock_key('visitor', v.visitor_id::text))
  from (
    select t.visitor_id from asked_tickets(requests) t
    union
    select q.known_visitor from jsonb_to_recordset(requests) as q(known_visitor uuid)
    where q.known_visitor is not null
    order by 1) v;

  made := array(select a from authorize(requests) a order by a.n);
  known := array(
    select coalesce(m.outcome = 'check' and m.password = requests->(m.n::int - 1)->>'known_password'
      and (m.granting).visitor_id = (requests->(m.n::int - 1)->>'known_visitor')::uuid, false)
    from unnest(made) m
    order by m.n);
  select array_agg(m.n order by m.n), array_agg(m.granting order by m.n)
  into places, grants
  from unnest(made) m
  where known[m.n] and m.reason is null;
  if grants is not null then
    classes := array(select g.class from admit_grants(grants) g order by g.n);
  end if;
  return query
    select m.n, m.outcome, case when g.place is not null and g.class is null then 'over_limit' else m.reason end, m.password,
      to_json(m.granting), coalesce(g.class, m.class), m.provider_slug, m.ticket,
      m.session_timeout, m.idle_timeout, m.interim, m.upload_bps, m.download_bps, m.total_bytes, known[m.n]
    from unnest(made) m
    left join unnest(places, classes) as g(place, class) on g.place = m.n
    order by m.n;
end $$;

-- These run as portico_system: the caller itself need not be allowed to read the tables (FreeRADIUS is not).
revoke execute on function authorize, admit, admit_grants, sign_in, redeem_ticket, take_admissions, lock_admissions from public;
alter function authorize owner to portico_system;
alter function admit owner to portico_system;
alter function admit_grants owner to portico_system;
alter function sign_in owner to portico_system;
alter function redeem_ticket owner to portico_system;
alter function take_admissions owner to portico_system;
alter function lock_admissions owner to portico_system;
