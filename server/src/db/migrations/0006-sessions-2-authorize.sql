-- Sign-in: one place decides, for our listener (whole batches) and for a stock FreeRADIUS alike.
-- Locks are taken in one order everywhere, so that no two batches can wait for each other: visitors, tickets, admissions, each sorted.

/* A text from a packet as an address, or null when it is none: a bad packet must not fail the batch it came in. */
create function mac_of(t text) returns macaddr language sql immutable parallel safe as $$
  select case when t ~* '^[0-9a-f]{2}([:-][0-9a-f]{2}){5}$' then t::macaddr end $$;
create function ip_of(t text) returns inet language sql immutable parallel safe as $$
  select case when t ~ '^((25[0-5]|2[0-4]\d|1?\d?\d)(\.|$)){4}$' then t::inet end $$;

/* The lock on one thing in one transaction; `what` keeps the kinds apart. */
create function lock_of(what text, of text) returns bigint language sql immutable parallel safe as $$
  select hashtextextended(of, hashtext(what)) $$;

create function local_day(zone text) returns date language sql stable parallel safe as $$
  select (now() at time zone zone)::date $$;

/* The network of a device that holds an address, if any: the narrowest. */
create function network_of(p_tenant uuid, p_device uuid, p_ip inet) returns setof networks language sql stable parallel safe as $$
  select * from networks
  where tenant_id = p_tenant and device_id = p_device and p_ip <<= set_masklen(start_ip, subnet)
  order by subnet desc limit 1 $$;

/* Bytes that a visitor used today at a location: closed sessions, and of the open ones what is of today. */
create function used_today(p_tenant uuid, p_location uuid, p_visitor uuid, p_day date) returns numeric language sql stable as $$
  select coalesce((select upload + download from visitor_days
                   where (tenant_id, location_id, day, visitor_id) = (p_tenant, p_location, p_day, p_visitor)), 0)
       + coalesce((select sum(upload + download - case when day = p_day then day_upload + day_download else upload + download end)
                   from online_sessions where tenant_id = p_tenant and visitor_id = p_visitor and location_id = p_location), 0) $$;

/* How many guest devices of a visitor are in use, but for this one: online, or let in and not yet online. */
create function devices_in_use(p_tenant uuid, p_visitor uuid, p_mac macaddr) returns table (used bigint) language sql stable as $$
  select count(*) from (
    select coalesce(client_mac::text, id::text) from online_sessions
    where tenant_id = p_tenant and visitor_id = p_visitor and client_mac is distinct from p_mac
    union
    select coalesce(client_mac::text, id::text) from admissions
    where tenant_id = p_tenant and visitor_id = p_visitor and client_mac is distinct from p_mac and expires_at > now()) in_use $$;

/* What lets one guest device in, once the decision is made. */
create type admission_grant as (
  tenant_id uuid, location_id uuid, device_id uuid, visitor_id uuid, profile_id uuid, network_id uuid,
  mac macaddr, interim int, shared_user int);

/*
 * Lets guest devices in, but for those whose visitor has too many in use; answers the Class of each or null, in the order of
 * the grants. No two may be of one visitor or one guest device. The caller holds the visitors' locks.
 */
create function take_admissions(grants admission_grant[]) returns table (place bigint, class text) language plpgsql as $$ begin
  return query
  with asked as (
    select g.*, replace(gen_random_uuid()::text, '-', '') as new_class
    from unnest(grants) with ordinality as g(tenant_id, location_id, device_id, visitor_id, profile_id, network_id, mac, interim, shared_user, n)
  ), fitting as (
    select a.* from asked a cross join lateral devices_in_use(a.tenant_id, a.visitor_id, a.mac) u
    where a.visitor_id is null or a.shared_user is null or u.used < a.shared_user
  ), taken as (
    insert into admissions (tenant_id, class, location_id, device_id, client_mac, visitor_id, profile_id, network_id, interim, expires_at)
    select f.tenant_id, f.new_class, f.location_id, f.device_id, f.mac, f.visitor_id, f.profile_id, f.network_id, f.interim, now() + interval '2 minutes'
    from fitting f order by f.device_id, f.mac
    on conflict (tenant_id, device_id, client_mac) where client_mac is not null do update set
      class = excluded.class, location_id = excluded.location_id, visitor_id = excluded.visitor_id, profile_id = excluded.profile_id,
      network_id = excluded.network_id, interim = excluded.interim, created_at = excluded.created_at, expires_at = excluded.expires_at
  )
  select a.n, f.new_class from asked a left join fitting f on f.n = a.n order by a.n;
end $$;

/* Uses a ticket up for one request; that request's retransmission gets its class again. Answers a class or a reason. */
create function use_ticket(p_tenant uuid, p_ticket uuid, p_key text, giving admission_grant, out given text, out refused text)
language plpgsql as $$
declare
  t tickets;
begin
  -- Read anew: two requests with one ticket can stand in one batch.
  select * into t from tickets where tenant_id = p_tenant and id = p_ticket;
  if t.used_at is not null then
    if t.used_by = p_key then given := t.class; else refused := 'wrong_credentials'; end if;
    return;
  end if;
  given := (select taken.class from take_admissions(array[giving]) taken);
  if given is null then
    refused := 'over_limit';
    return;
  end if;
  update tickets set used_at = now(), used_by = p_key, class = given where tenant_id = p_tenant and id = p_ticket;
end $$;

/* Why a guest's device is refused whatever is typed on it, or null. */
create function device_refusal(d devices, l locations, blocked boolean) returns text language sql stable as $$
  select case
    when d.id is null then 'unknown_device'
    -- A device is stopped when its own licence and its location's are both over.
    when greatest(d.license_end_at, d.trial_end_at, l.license_end_at, l.trial_end_at) <= now() then 'license_over'
    when not d.hotspot_status then 'hotspot_off'
    when blocked then 'blocked'
  end $$;

create type sign_in_request as (tenant uuid, device uuid, user_name text, mac text, ip text, key text, same boolean);
create type sign_in_decision as (
  n bigint, outcome text, reason text, password text, granting admission_grant, class text, provider_slug text, ticket boolean,
  session_timeout bigint, idle_timeout int, interim int, upload_bps bigint, download_bps bigint, total_bytes bigint);

/*
 * Decides a batch of Access-Requests: [{tenant, device, user_name, mac, ip, key, same}], where `same` says that the password proved
 * equal to the user name (as a ticket's is) and `key` tells a request from all but its own retransmission. One row per
 * request, numbered from 1 by its place in the batch:
 *   accept  let in; `class` and the limits hold
 *   check   the caller compares the password with `password` (encrypted), then calls admit() with `granting`; where
 *           `reason` is set, even the right password is refused, with it; a wrong one must not learn it
 *   reject  for `reason`
 * Limits: seconds, bits per second, bytes; null is unlimited.
 */
create function authorize(requests jsonb) returns setof sign_in_decision
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  hashes bytea[];
  r record;
  o sign_in_decision;
begin
  hashes := array(select sha256(convert_to(q.user_name, 'UTF8')) from jsonb_populate_recordset(null::sign_in_request, requests) q where q.same);
  if hashes <> '{}' then
    perform pg_advisory_xact_lock(lock_of('visitor', v.visitor_id::text))
    from (select distinct visitor_id from tickets where hash = any(hashes) order by 1) v;
    perform from tickets where hash = any(hashes) order by hash for update;
  end if;

  for r in
    select q.n, q.mac, q.key, d.tenant_id, d.location_id, d.id as device_id, n.id as network_id, p.id as profile_id,
      v.id as visitor_id, v.password, t.id as ticket_id, coalesce(t.provider_slug, 'username') as provider_slug,
      b.bypassed, local_day(l.time_zone) as today,
      device_refusal(d, l, b.blocked) as refused,
      case
        when v.id is null or t.device_id <> d.id or t.client_mac <> q.mac then 'wrong_credentials'
        when t.used_at is null and t.expires_at <= now() then 'wrong_credentials'
      end as unproven,
      case
        when v.blocked then 'blocked'
        when v.session_start_at > now() then 'not_yet'
        when v.session_end_at <= now() then 'expired'
      end as unwelcome,
      -- Whose limits hold: the visitor's own, then a profile's, then the location's. Off means unlimited there.
      case when v.special_profile then v.shared_user else p.shared_user end as shared_user,
      least(ceil(extract(epoch from v.session_end_at - now()))::bigint,
        case when v.special_profile then limit_seconds(v.session_duration)
             when p.id is not null then limit_seconds(p.session_duration)
             when l.time_limit_enabled then limit_seconds(jsonb_build_object('is_active', true, 'option', l.time_limit_unit, 'value', l.time_limit)) end) as seconds,
      case when v.special_profile then limit_bps(v.max_upload)
           when p.id is not null then limit_bps(p.max_upload)
           when l.upload_limit_enabled then l.upload_limit * 1000000::bigint end as upload_bps,
      case when v.special_profile then limit_bps(v.max_download)
           when p.id is not null then limit_bps(p.max_download)
           when l.download_limit_enabled then l.download_limit * 1000000::bigint end as download_bps,
      -- No profile knows a daily amount, so the location's holds for all its guests.
      case when l.daily_bandwidth_enabled then l.daily_bandwidth * case l.daily_bandwidth_unit
        when 'mb' then 1000000::bigint when 'tb' then 1000000000000 else 1000000000 end end as daily_bytes
    from (select x.n, x.tenant, x.device, x.user_name, mac_of(x.mac) as mac, ip_of(x.ip) as ip, x.key, x.same
          from jsonb_populate_recordset(null::sign_in_request, requests)
            with ordinality as x(tenant, device, user_name, mac, ip, key, same, n)) q
    left join devices d on d.tenant_id = q.tenant and d.id = q.device
    left join locations l on l.tenant_id = d.tenant_id and l.id = d.location_id
    left join lateral network_of(d.tenant_id, d.id, q.ip) n on true
    left join lateral (
      -- A list for some networks blocks an address that is in none as well, but lets pass only one that is surely in them.
      select coalesce(bool_or(m.type = 'blocked' and (m.networks = '{}' or n.id is null or n.id = any(m.networks))), false)
               or (l.mac_blacklist_enabled and q.mac = any(l.mac_blacklist)) is true as blocked,
             coalesce(bool_or(m.type = 'bypassed' and (m.networks = '{}' or n.id = any(m.networks))), false)
               or (l.mac_whitelist_enabled and q.mac = any(l.mac_whitelist)) is true as bypassed
      from mac_rules m
      where m.tenant_id = d.tenant_id and m.device_id = d.id and m.type in ('blocked', 'bypassed') and m.mac = q.mac) b on true
    left join tickets t on q.same and t.tenant_id = d.tenant_id and t.hash = sha256(convert_to(q.user_name, 'UTF8'))
    left join lateral (
      select x.* from visitors x where t.id is not null and x.tenant_id = t.tenant_id and x.id = t.visitor_id
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

    if r.refused is not null then
      o.outcome := 'reject';
      o.reason := r.refused;
    elsif r.bypassed then
      o.outcome := 'accept';
      o.granting := row(r.tenant_id, r.location_id, r.device_id, null, null, r.network_id, r.mac, o.interim, null);
      o.class := (select taken.class from take_admissions(array[o.granting]) taken);
    elsif r.unproven is not null or (r.ticket_id is null and r.password is null) then
      o.outcome := 'reject';
      o.reason := 'wrong_credentials';
    else
      o.reason := r.unwelcome;
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
          select * into o.class, o.reason from use_ticket(r.tenant_id, r.ticket_id, r.key, o.granting);
        end if;
        o.outcome := case when o.reason is null then 'accept' else 'reject' end;
      end if;
    end if;
    return next o;
  end loop;
end $$;

/*
 * Lets in a batch of guests whose password was right: [granting of authorize()]. One class per guest, numbered from 1; null: too
 * many devices. Guests who share a visitor or a guest device are let in one after another, the others together before them.
 */
create function admit(grants jsonb) returns table (n bigint, class text)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  places bigint[];
  these admission_grant[];
begin
  perform pg_advisory_xact_lock(lock_of('visitor', v.visitor_id::text))
  from (select distinct x.visitor_id from jsonb_populate_recordset(null::admission_grant, grants) x order by 1) v;
  for places, these in
    select array_agg(x.place order by x.place), array_agg(x.granting order by x.place)
    from (
      select q.place, row(tenant_id, location_id, device_id, visitor_id, profile_id, network_id, mac, interim, shared_user)::admission_grant as granting,
        case when count(*) over (partition by visitor_id) > 1 or count(*) over (partition by device_id, mac) > 1 then q.place else 0 end as round
      from jsonb_populate_recordset(null::admission_grant, grants)
        with ordinality as q(tenant_id, location_id, device_id, visitor_id, profile_id, network_id, mac, interim, shared_user, place)) x
    group by x.round order by x.round
  loop
    return query select places[t.place], t.class from take_admissions(these) t;
  end loop;
end $$;

-- Who calls these becomes portico_system for the call: it may not be able to look into the tables itself (FreeRADIUS).
revoke execute on function authorize, admit, use_ticket, take_admissions from public;
grant create on schema public to portico_system;
alter function authorize owner to portico_system;
alter function admit owner to portico_system;
alter function use_ticket owner to portico_system;
alter function take_admissions owner to portico_system;
revoke create on schema public from portico_system;
