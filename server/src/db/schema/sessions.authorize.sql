-- Sign-in decisions, for our RADIUS listener (in batches) and for a stock FreeRADIUS alike.
-- Locks are taken in one order, so that two batches cannot deadlock: visitors, tickets, admissions, each sorted.

-- Bytes that a visitor used today at a location: closed sessions, and today's part of the open ones.
create function used_today(p_tenant uuid, p_location uuid, p_visitor uuid, p_day date) returns numeric
language sql stable as $$
  select coalesce((
      select upload + download from visitor_days
      where (tenant_id, location_id, day, visitor_id) = (p_tenant, p_location, p_day, p_visitor)), 0)
    + coalesce((
      select sum(upload + download - case when day = p_day then day_upload + day_download else upload + download end)
      from online_sessions
      where tenant_id = p_tenant and visitor_id = p_visitor and location_id = p_location), 0)
$$;

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

-- What admits one guest device once the decision is made.
create type admission_grant as (
  tenant_id uuid,
  location_id uuid,
  device_id uuid,
  visitor_id uuid,
  profile_id uuid,
  network_id uuid,
  mac macaddr,
  interim int,
  shared_user int
);

-- Admits guest devices, except those whose visitor has too many in use. Returns the Class attribute (RFC 2865 section 5.25)
-- of each, or null, in the order of the grants. No two grants may be for one visitor or one guest device.
-- The caller holds the locks of the visitors.
create function take_admissions(grants admission_grant[]) returns table (place bigint, class text)
language plpgsql as $$
begin
  return query
  with asked as (
    select g.*, replace(gen_random_uuid()::text, '-', '') as new_class
    from unnest(grants) with ordinality
      as g(tenant_id, location_id, device_id, visitor_id, profile_id, network_id, mac, interim, shared_user, n)
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
  end if;
  if reveals_mac then
    perform save_pseudo_mac(p_tenant, t.device_id, t.pseudo_mac, admission.mac);
  end if;
end $$;

-- Why a guest device is refused whatever its credentials, or null.
create function device_refusal(d devices, l locations, blocked boolean) returns text
language sql stable as $$
  select case
    when d.id is null then 'unknown_device'
    when out_of_service(d, l) then 'license_over'
    when not d.hotspot_status then 'hotspot_off'
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

-- Decides a batch of Access-Requests (RFC 2865): [{tenant, device, user_name, mac, ip, key, same}].
--   same  the password equals the user name, as a ticket's does
--   key   identifies the request and its retransmissions
-- Returns one row per request, numbered from 1 by its place in the batch. `outcome` is one of:
--   accept  admitted, with `class` and the limits
--   check   the caller compares the password with `password` (encrypted) and then calls admit() with `granting`.
--           When `reason` is set, even the right password is refused with it; a wrong one must not reveal it.
--   reject  refused for `reason`
-- Limits are in seconds, bits per second and bytes; null means unlimited.
create function authorize(requests jsonb) returns setof sign_in_decision
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  hashes bytea[];
  r record;
  o sign_in_decision;
begin
  hashes := array(
    select sha256(convert_to(q.user_name, 'UTF8'))
    from jsonb_populate_recordset(null::sign_in_request, requests) q
    where q.same);
  if hashes <> '{}' then
    perform pg_advisory_xact_lock(lock_key('visitor', v.visitor_id::text))
    from (select distinct visitor_id from tickets where hash = any(hashes) order by 1) v;
    perform from tickets where hash = any(hashes) order by hash for update;
  end if;

  for r in
    select q.n, q.mac, q.key, d.tenant_id, d.location_id, d.id as device_id, n.id as network_id, p.id as profile_id,
      v.id as visitor_id, v.password, t.id as ticket_id, coalesce(t.provider_slug, 'username') as provider_slug,
      b.bypassed, local_day(l.time_zone) as today,
      device_refusal(d, l, b.blocked) as device_refused,
      (v.id is null or t.device_id <> d.id or t.client_mac <> q.mac
        or t.used_at is null and t.expires_at <= now()) is true as wrong,
      case
        when v.blocked then 'blocked'
        when v.session_start_at > now() then 'not_yet'
        when v.session_end_at <= now() then 'expired'
      end as visitor_refused,
      -- Limits come from the visitor, else its profile, else the location. A limit that is off there means unlimited.
      case when v.special_profile then v.shared_user else p.shared_user end as shared_user,
      least(
        ceil(extract(epoch from v.session_end_at - now()))::bigint,
        case
          when v.special_profile then limit_seconds(v.session_duration)
          when p.id is not null then limit_seconds(p.session_duration)
          when l.time_limit_enabled then
            limit_seconds(jsonb_build_object('is_active', true, 'option', l.time_limit_unit, 'value', l.time_limit))
        end) as seconds,
      case
        when v.special_profile then limit_bps(v.max_upload)
        when p.id is not null then limit_bps(p.max_upload)
        when l.upload_limit_enabled then l.upload_limit * 1000000::bigint
      end as upload_bps,
      case
        when v.special_profile then limit_bps(v.max_download)
        when p.id is not null then limit_bps(p.max_download)
        when l.download_limit_enabled then l.download_limit * 1000000::bigint
      end as download_bps,
      -- Profiles have no daily volume, so the location's holds for all of its guests.
      case when l.daily_bandwidth_enabled then
        l.daily_bandwidth * case l.daily_bandwidth_unit
          when 'mb' then 1000000::bigint when 'tb' then 1000000000000 else 1000000000 end
      end as daily_bytes
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
      select x.* from visitors x
      where t.id is not null and x.tenant_id = t.tenant_id and x.id = t.visitor_id
      union all
      select x.* from visitors x
      where t.id is null and x.tenant_id = d.tenant_id and x.location_id = d.location_id and x.username = q.user_name) v on true
    left join profiles p on p.tenant_id = d.tenant_id and p.id = coalesce(v.profile_id, n.profile_id, l.default_profile_id)
    order by d.id, q.mac, q.n
  loop
    o := null;
    o.n := r.n;
    o.provider_slug := r.provider_slug;
    o.ticket := r.ticket_id is not null;
    o.idle_timeout := 900;
    o.interim := 60;
    o.granting := row(r.tenant_id, r.location_id, r.device_id, r.visitor_id, r.profile_id, r.network_id, r.mac, o.interim, r.shared_user);

    if r.device_refused is not null then
      o.outcome := 'reject';
      o.reason := r.device_refused;
    elsif r.bypassed then
      o.outcome := 'accept';
      o.granting := row(r.tenant_id, r.location_id, r.device_id, null, null, r.network_id, r.mac, o.interim, null);
      o.class := (select taken.class from take_admissions(array[o.granting]) taken);
    elsif r.wrong or (r.ticket_id is null and r.password is null) then
      o.outcome := 'reject';
      o.reason := 'wrong_credentials';
    else
      o.reason := r.visitor_refused;
      o.session_timeout := r.seconds;
      o.upload_bps := r.upload_bps;
      o.download_bps := r.download_bps;
      if r.daily_bytes is not null then
        o.total_bytes := r.daily_bytes - used_today(r.tenant_id, r.location_id, r.visitor_id, r.today);
        if o.total_bytes <= 0 then o.reason := coalesce(o.reason, 'over_quota'); end if;
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

-- Admits a batch of guests whose password was right: [granting of authorize()]. Returns one Class per guest, numbered from 1;
-- null means too many devices. Guests who share a visitor or a guest device are admitted one after another, after all others
-- were admitted together.
create function admit(grants jsonb) returns table (n bigint, class text)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  places bigint[];
  these admission_grant[];
begin
  perform pg_advisory_xact_lock(lock_key('visitor', v.visitor_id::text))
  from (select distinct x.visitor_id from jsonb_populate_recordset(null::admission_grant, grants) x order by 1) v;
  for places, these in
    select array_agg(x.place order by x.place), array_agg(x.granting order by x.place)
    from (
      select q.place,
        row(tenant_id, location_id, device_id, visitor_id, profile_id, network_id, mac, interim, shared_user)::admission_grant as granting,
        case
          when count(*) over (partition by visitor_id) > 1 or count(*) over (partition by device_id, mac) > 1 then q.place
          else 0
        end as round
      from jsonb_populate_recordset(null::admission_grant, grants)
        with ordinality as q(tenant_id, location_id, device_id, visitor_id, profile_id, network_id, mac, interim, shared_user, place)) x
    group by x.round
    order by x.round
  loop
    return query select places[t.place], t.class from take_admissions(these) t;
  end loop;
end $$;

-- These run as portico_system: the caller itself need not be allowed to read the tables (FreeRADIUS is not).
revoke execute on function authorize, admit, redeem_ticket, take_admissions from public;
alter function authorize owner to portico_system;
alter function admit owner to portico_system;
alter function redeem_ticket owner to portico_system;
alter function take_admissions owner to portico_system;
