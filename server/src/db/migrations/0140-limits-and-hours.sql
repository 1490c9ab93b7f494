-- Limits per session, per day and in total, paid days that end, reversals of sales, and hourly roll-ups.

-- Functions and types whose definition changes. They are created again below.
drop function account(jsonb);
drop function close_stale_sessions();
drop function close_device_sessions(uuid[]);
drop function accounting_id(uuid, text, text, text, text);
drop function admit(jsonb);
drop function authorize(jsonb);
drop function redeem_ticket(uuid, uuid, text, admission_grant);
drop function take_admissions(admission_grant[]);
drop function devices_in_use(uuid, uuid, macaddr);
drop function device_refusal(devices, locations, boolean);
drop function used_today(uuid, uuid, uuid, date);
drop function find_session_guest(accounting_fact);
drop function close_sessions(session_closing[]);
drop procedure announce_sessions(usage_delta[]);
drop procedure add_usage(usage_delta[]);
drop type accounting_match;
drop type accounting_fact;
drop type accounting_record;
drop type session_closing;
drop type usage_delta;
drop type sign_in_decision;
drop type sign_in_request;
drop type admission_grant;

alter table profiles
  add column daily_duration jsonb not null default '{"is_active": false, "option": "hour", "value": 1}',
  add column total_duration jsonb not null default '{"is_active": false, "option": "hour", "value": 1}',
  add column session_quota jsonb not null default '{"is_active": false, "option": "gb", "value": 1}',
  add column daily_quota jsonb not null default '{"is_active": false, "option": "gb", "value": 1}',
  add column total_quota jsonb not null default '{"is_active": false, "option": "gb", "value": 1}',
  add column reduced_speed jsonb not null default '{"is_active": false, "option": "mbps", "value": 1}',
  add column paid_days_from text not null default 'first-use' check (paid_days_from in ('first-use', 'purchase'));
-- Paid days that were sold before begin with the next sign-in: until now they had no end.
alter table visitors add column paid_end_at timestamptz;

alter table online_sessions rename column day_ends_at to hour_ends_at;
alter table online_sessions rename column day_seconds to counted_seconds;
alter table online_sessions rename column day_upload to counted_upload;
alter table online_sessions rename column day_download to counted_download;
-- Since PostgreSQL 18 the constraints of not null have names too.
do $$
declare
  named record;
begin
  for named in
    select c.conname as old, replace(c.conname, x.old, x.new) as new
    from (values ('day_ends_at', 'hour_ends_at'), ('day_seconds', 'counted_seconds'), ('day_upload', 'counted_upload'),
      ('day_download', 'counted_download')) x(old, new)
    join pg_constraint c on c.conrelid = 'online_sessions'::regclass and strpos(c.conname, x.old) > 0
  loop
    execute format('alter table online_sessions rename constraint %I to %I', named.old, named.new);
  end loop;
end $$;
alter table online_sessions
  add column hour smallint not null default 0,
  add column reduced boolean not null default false;
alter table visitor_days add column seconds bigint not null default 0;

create table session_hours (
  tenant_id uuid not null,
  location_id uuid not null,
  device_id uuid not null,
  day date not null,
  hour smallint not null,
  sessions bigint not null,
  seconds bigint not null,
  upload bigint not null,
  download bigint not null,
  primary key (tenant_id, location_id, day, hour, device_id)
) with (fillfactor = 70);
create index session_hours_tenant on session_hours (tenant_id, day, location_id);
call isolate('session_hours');
revoke insert, update, delete on session_hours from portico_app;

alter table session_commands drop constraint session_commands_reason_check;
alter table session_commands add constraint session_commands_reason_check
  check (reason in ('operator', 'licence', 'blocked', 'stay-over', 'guest', 'limit'));

alter table sales drop constraint sales_days_check;
alter table sales
  add constraint sales_days_check check (days <> 0),
  add column reverses uuid,
  add column reason text not null default '',
  add column reversed_by uuid;
alter table sales
  add foreign key (tenant_id, reverses) references sales on delete cascade,
  add foreign key (tenant_id, reversed_by) references users on delete set null (reversed_by),
  add check ((days < 0) = (reverses is not null));
create index sales_reverses on sales (tenant_id, reverses) where reverses is not null;
create index sales_newest on sales (tenant_id, sold_at desc, id desc);

create or replace function emit_sale_created() returns trigger
language plpgsql as $$
begin
  perform queue_webhook_event(s.tenant_id, s.location_id, case when s.reverses is null then 'sale.created' else 'sale.reversed' end, jsonb_build_object(
    'id', s.id, 'location_id', s.location_id, 'visitor_id', s.visitor_id, 'profile_id', s.profile_id, 'days', s.days,
    'unit_price', s.unit_price, 'total', s.total, 'currency', s.currency, 'sold_at', s.sold_at)
    || case when s.reverses is null then '{}' else jsonb_build_object('reverses', s.reverses, 'reason', s.reason) end)
  from added s
  where has_webhook(s.tenant_id, s.location_id);
  return null;
end $$;

-- The moment at which the hour of a moment ends on the clocks of a time zone (exclusive). An hour that is repeated counts once.
create function hour_end(at timestamptz, zone text) returns timestamptz
language sql stable parallel safe as $$
  select (date_trunc('hour', at at time zone zone) + interval '1 hour') at time zone zone
$$;

-- A limit {is_active, option, value} in bytes; null when it is off. Units are decimal: 1 GB is 10⁹ bytes.
create function limit_bytes(l jsonb) returns bigint
language sql immutable parallel safe as $$
  select case when (l->>'is_active')::boolean then
    (l->>'value')::bigint * case l->>'option' when 'mb' then 1000000 when 'gb' then 1000000000 when 'tb' then 1000000000000 end
  end
$$;

-- Paid days of a visitor begin with a sign-in, unless they began before.
create function begin_paid_days(p_tenant uuid, p_visitor uuid, p_end timestamptz) returns void
language sql as $$
  update visitors set paid_end_at = p_end, session_end_at = least(session_end_at, p_end)
  where tenant_id = p_tenant and id = p_visitor and paid_end_at is null
$$;

-- Corrects open sessions that lie in the future, as clamp_future_device_times() does for devices. Returns how many.
create or replace function clamp_future_session_times() returns int
language plpgsql as $$
declare
  corrected int;
begin
  with late as (
    update online_sessions o set
      updated_at = least(o.updated_at, now()),
      started_at = least(o.started_at, now() - make_interval(secs => o.seconds)),
      day = least(o.day, (now() at time zone l.time_zone)::date),
      hour = case when o.updated_at > now() then extract(hour from now() at time zone l.time_zone) else o.hour end,
      hour_ends_at = least(o.hour_ends_at, hour_end(now(), l.time_zone))
    from locations l
    where l.tenant_id = o.tenant_id and l.id = o.location_id and greatest(o.updated_at, o.started_at) > now() + interval '1 minute'
    returning o.tenant_id, o.location_id, o.client_mac, o.id, o.started_at
  ), latest as (
    update guest_devices g set session_started_at = late.started_at
    from late
    where g.tenant_id = late.tenant_id and g.location_id = late.location_id and g.client_mac = late.client_mac
      and g.session_id = late.id
  )
  select count(*) into corrected from late;
  return corrected;
end $$;

-- Limits of visitors, and what they have used of them. Sign-in, accounting, the panel and the guest's page all ask here,
-- so that what is shown is what is enforced.

-- The limits in force for a visitor: its own (special_profile), else those of the profile, else those of the location.
-- A limit that is off there means unlimited. The location's daily volume holds for all of its guests.
-- Seconds, bytes and bits per second; null means unlimited. A day is one of the location's time zone.
create function limits_in_force(v visitors, p profiles, l locations)
returns table (
  shared_user int, session_seconds bigint, day_seconds bigint, total_seconds bigint,
  session_bytes bigint, day_bytes bigint, total_bytes bigint, upload_bps bigint, download_bps bigint, reduced_bps bigint
)
language sql stable as $$
  select
    case when v.special_profile then v.shared_user else p.shared_user end,
    case
      when v.special_profile then limit_seconds(v.session_duration)
      when p.id is not null then limit_seconds(p.session_duration)
      when l.time_limit_enabled then
        limit_seconds(jsonb_build_object('is_active', true, 'option', l.time_limit_unit, 'value', l.time_limit))
    end,
    case when v.special_profile is not true then limit_seconds(p.daily_duration) end,
    case when v.special_profile is not true then limit_seconds(p.total_duration) end,
    case when v.special_profile is not true then limit_bytes(p.session_quota) end,
    least(
      case when v.special_profile is not true then limit_bytes(p.daily_quota) end,
      case when l.daily_bandwidth_enabled then
        limit_bytes(jsonb_build_object('is_active', true, 'option', l.daily_bandwidth_unit, 'value', l.daily_bandwidth))
      end),
    case when v.special_profile is not true then limit_bytes(p.total_quota) end,
    case
      when v.special_profile then limit_bps(v.max_upload)
      when p.id is not null then limit_bps(p.max_upload)
      when l.upload_limit_enabled then l.upload_limit * 1000000::bigint
    end,
    case
      when v.special_profile then limit_bps(v.max_download)
      when p.id is not null then limit_bps(p.max_download)
      when l.download_limit_enabled then l.download_limit * 1000000::bigint
    end,
    case when v.special_profile is not true then limit_bps(p.reduced_speed) end
$$;

-- What all devices of a visitor used together: on one day at one location, and in total.
-- `whole`: the total is wanted too; without it only one row of the daily totals is read.
create function visitor_usage(p_tenant uuid, p_location uuid, p_visitor uuid, p_day date, whole boolean)
returns table (day_seconds bigint, day_bytes numeric, total_seconds bigint, total_bytes numeric)
language sql stable as $$
  select
    coalesce(sum(u.seconds) filter (where u.today), 0)::bigint, coalesce(sum(u.bytes) filter (where u.today), 0),
    coalesce(sum(u.seconds), 0)::bigint, coalesce(sum(u.bytes), 0)
  from (
    select d.day = p_day and d.location_id = p_location as today, d.seconds, d.upload + d.download as bytes
    from visitor_days d
    where d.tenant_id = p_tenant and d.visitor_id = p_visitor
      and d.day >= case when whole then '-infinity'::date else p_day end
    union all
    select o.day = p_day and o.location_id = p_location, o.seconds - o.counted_seconds,
      o.upload - o.counted_upload + o.download - o.counted_download
    from online_sessions o
    where o.tenant_id = p_tenant and o.visitor_id = p_visitor) u
$$;

-- What is left of the limits that the devices of a visitor share; null means unlimited. The time does not regard an end by date.
create function visitor_balance(v visitors, p profiles, l locations)
returns table (day_seconds bigint, total_seconds bigint, day_bytes bigint, total_bytes bigint)
language sql stable as $$
  -- greatest() would take null for no number.
  select
    case when lim.day_seconds is not null then greatest(0, lim.day_seconds - u.day_seconds) end,
    case when lim.total_seconds is not null then greatest(0, lim.total_seconds - u.total_seconds) end,
    case when lim.day_bytes is not null then greatest(0, lim.day_bytes - u.day_bytes)::bigint end,
    case when lim.total_bytes is not null then greatest(0, lim.total_bytes - u.total_bytes)::bigint end
  from limits_in_force(v, p, l) lim
  cross join lateral visitor_usage(v.tenant_id, l.id, v.id, local_day(l.time_zone),
    lim.total_seconds is not null or lim.total_bytes is not null) u
$$;

-- When paid days that begin now end: at the same time on the clocks of the location.
create function paid_days_end(days int, zone text) returns timestamptz
language sql stable parallel safe as $$
  select (now() at time zone zone + make_interval(days => days)) at time zone zone
$$;

-- Sign-in decisions, for our RADIUS listener (in batches) and for a stock FreeRADIUS alike.
-- Locks are taken in one order, so that two batches cannot deadlock: visitors, tickets, admissions, each sorted.

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
  shared_user int,
  paid_end timestamptz -- paid days begin with this sign-in, and end then
);

-- Admits guest devices, except those whose visitor has too many in use. Returns the Class attribute (RFC 2865 section 5.25)
-- of each, or null, in the order of the grants. No two grants may be for one visitor or one guest device.
-- The caller holds the locks of the visitors.
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
    select g.*, replace(gen_random_uuid()::text, '-', '') as new_class
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
  used record;
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
    -- Paid days that have not begun yet begin now.
    left join lateral (
      select paid_days_end(v.total_paid_day, l.time_zone) as ends
      where v.total_paid_day > 0 and v.paid_end_at is null and p.id = v.profile_id and (p.paid_sale->>'is_active')::boolean) paid on true
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
        row(tenant_id, location_id, device_id, visitor_id, profile_id, network_id, mac, interim, shared_user, paid_end)::admission_grant as granting,
        case
          when count(*) over (partition by visitor_id) > 1 or count(*) over (partition by device_id, mac) > 1 then q.place
          else 0
        end as round
      from jsonb_populate_recordset(null::admission_grant, grants)
        with ordinality as q(tenant_id, location_id, device_id, visitor_id, profile_id, network_id, mac, interim, shared_user, paid_end, place)) x
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

-- Accounting (RFC 2866): turns what routers report into sessions and daily totals.
-- A transaction that changes the sessions of a guest device holds the lock of that device, and the lock of its router shared
-- (exclusive when the router went on or off). All locks are taken first and sorted, so that batches cannot deadlock.
-- The locks on the use of visitors come last, sorted as well.

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

-- What was used in one hour, to be added to the hourly and daily totals.
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

-- A record with the session it belongs to (open or closed), another open session of the same guest device (the rival),
-- and what is to be done. `restarted`: the open session ended unnoticed, and the record begins another one under its id.
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
-- (RFC 2869 section 5.1) begins again at 0 after 4 GiB: a lower count in a later report is such a wrap, unless the guest device
-- would have needed more than 1 Gbit/s since then. 0 is what a report without the counter says.
create function counter_after(known bigint, sent bigint, elapsed bigint) returns bigint
language sql immutable parallel safe as $$
  select case
    when sent < known and sent between 1 and 4294967295 and (sent - known % 4294967296 + 4294967296) % 4294967296 <= elapsed * 125000000
      then known + (sent - known % 4294967296 + 4294967296) % 4294967296
    else greatest(known, sent)
  end
$$;

create procedure add_usage(deltas usage_delta[])
language plpgsql as $$
begin
  insert into session_hours (tenant_id, location_id, day, hour, device_id, sessions, seconds, upload, download)
  select tenant_id, location_id, day, hour, device_id, sum(sessions), sum(seconds), sum(upload), sum(download)
  from unnest(deltas)
  group by 1, 2, 3, 4, 5
  order by 1, 2, 3, 4, 5
  on conflict (tenant_id, location_id, day, hour, device_id) do update set
    sessions = session_hours.sessions + excluded.sessions,
    seconds = session_hours.seconds + excluded.seconds,
    upload = session_hours.upload + excluded.upload,
    download = session_hours.download + excluded.download;

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

  insert into visitor_days (tenant_id, location_id, day, visitor_id, sessions, upload, download, seconds)
  select tenant_id, location_id, day, visitor_id, sum(sessions), sum(upload), sum(download), sum(seconds)
  from unnest(deltas)
  where visitor_id is not null
  group by 1, 2, 3, 4
  order by 1, 2, 3, 4
  on conflict (tenant_id, location_id, day, visitor_id) do update set
    sessions = visitor_days.sessions + excluded.sessions,
    upload = visitor_days.upload + excluded.upload,
    download = visitor_days.download + excluded.download,
    seconds = visitor_days.seconds + excluded.seconds;

  insert into visitor_device_days (tenant_id, device_id, day, visitor_id, location_id)
  select distinct tenant_id, device_id, day, visitor_id, location_id
  from unnest(deltas)
  where visitor_id is not null and sessions > 0
  order by 1, 2, 3, 4, 5
  on conflict do nothing;
end $$;

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
  select tenant_id, location_id, device_id, visitor_id, day, hour, 0,
    seconds - counted_seconds, upload - counted_upload, download - counted_download
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

-- Ends or slows down the sessions of visitors who have used up a limit, and lifts the lower speed when there is volume again.
-- A command that did not help is repeated after ten minutes.
create procedure enforce_limits(visitors_limited visitor_key[])
language plpgsql as $$
begin
  with judged as (
    select o.tenant_id, o.id, o.location_id, o.device_id, o.reduced,
      coalesce(u.day_seconds >= lim.day_seconds, false) or coalesce(u.total_seconds >= lim.total_seconds, false) as time_over,
      coalesce(u.day_bytes >= lim.day_bytes, false) or coalesce(u.total_bytes >= lim.total_bytes, false)
        or coalesce(o.upload + o.download >= lim.session_bytes, false) as volume_over,
      lim.reduced_bps is not null as slows_down
    from unnest(visitors_limited) k
    join online_sessions o on o.tenant_id = k.tenant_id and o.visitor_id = k.visitor_id
    join visitors v on v.tenant_id = o.tenant_id and v.id = o.visitor_id
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
      where k.tenant_id = d.tenant_id and k.session_id = d.id and k.kind = 'end' and k.requested_at > now() - interval '10 minutes')
  end;
end $$;

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
          client_mac, client_ip, started_at, ended_at, seconds, upload, download, interim, reopened, day, close_reason, terminate_cause)
        select
          tenant_id, id, accounting_id, location_id, device_id, network_id, visitor_id, profile_id, user_name, session, class,
          mac, ip, began_at, at, seconds, upload, download, interim, false, told_on::date,
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
      )
      -- The router sends updates less often than it was asked to: from now on its own interval counts, up to 15 minutes.
      insert into online_sessions (
        tenant_id, id, accounting_id, location_id, device_id, network_id, visitor_id, profile_id, user_name, acct_session_id, class,
        client_mac, client_ip, started_at, updated_at, seconds, upload, download, interim, reopened, day, hour, hour_ends_at,
        counted_seconds, counted_upload, counted_download)
      select
        tenant_id, id, accounting_id, location_id, device_id, network_id, visitor_id, profile_id, user_name, acct_session_id, class,
        client_mac, coalesce(new_ip, client_ip), started_at, at,
        new_seconds, new_upload, new_download,
        case close_reason when 'stale' then least(900, greatest(interim, extract(epoch from at - ended_at)::int)) else interim end, true,
        (at at time zone zone)::date, extract(hour from at at time zone zone), hour_end(at, zone), seconds, upload, download
      from gone;

      deltas := deltas || array(
        select row((closed).tenant_id, (closed).location_id, (closed).device_id, (closed).visitor_id,
          last_on::date, extract(hour from last_on), 0,
          case action when 'amend' then greatest(0, (fact).seconds - (closed).seconds) else 0 end,
          case action when 'amend' then
            counter_after((closed).upload, (fact).upload, (fact).seconds - (closed).seconds) - (closed).upload else 0 end,
          case action when 'amend' then
            counter_after((closed).download, (fact).download, (fact).seconds - (closed).seconds) - (closed).download else 0 end
          )::usage_delta
        from unnest(matches) m
        cross join lateral (select (closed).ended_at at time zone (fact).zone as last_on) x
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
      sessions = guest_devices.sessions + excluded.sessions, device_id = excluded.device_id,
      visitor_id = excluded.visitor_id, session_id = excluded.session_id, session_started_at = excluded.session_started_at;

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

revoke execute on function account, close_stale_sessions, close_sessions, find_session_guest from public;
revoke execute on procedure add_usage, announce_sessions, enforce_limits from public;
alter function account owner to portico_system;
alter function close_stale_sessions owner to portico_system;
alter function close_device_sessions owner to portico_system;
alter function close_sessions owner to portico_system;
alter function find_session_guest owner to portico_system;
alter procedure add_usage owner to portico_system;
alter procedure announce_sessions owner to portico_system;
alter procedure enforce_limits owner to portico_system;


-- History keeps its figures. The owner may not read rows that are under row-level security.
set local role portico_system;

-- Open sessions: what is not counted yet goes to the hour of the last update, on the day that it was counted for.
update online_sessions o set
  hour = extract(hour from case when at::date = o.day then at else o.day + time '23:59' end),
  hour_ends_at = least(o.hour_ends_at, hour_end(
    (case when at::date = o.day then at else o.day + time '23:59' end) at time zone x.time_zone, x.time_zone))
from (
  select s.tenant_id, s.id, l.time_zone, s.updated_at at time zone l.time_zone as at
  from online_sessions s
  join locations l on l.tenant_id = s.tenant_id and l.id = s.location_id) x
where x.tenant_id = o.tenant_id and x.id = o.id;

-- Time used by visitors: a session past midnight counts on its last day, as its parts were not kept.
update visitor_days d set seconds = h.seconds
from (
  select tenant_id, location_id, visitor_id, day, sum(seconds)::bigint as seconds
  from (
    select tenant_id, location_id, visitor_id, day, seconds from session_history where visitor_id is not null
    union all
    select tenant_id, location_id, visitor_id, day - 1, counted_seconds
    from online_sessions
    where visitor_id is not null and counted_seconds > 0) x
  group by 1, 2, 3, 4) h
where d.tenant_id = h.tenant_id and d.location_id = h.location_id and d.visitor_id = h.visitor_id and d.day = h.day;

-- Days on which a visitor only went on with a session of the day before are no visits.
delete from visitor_device_days v
using visitor_days d
where d.tenant_id = v.tenant_id and d.location_id = v.location_id and d.visitor_id = v.visitor_id and d.day = v.day and d.sessions = 0;

-- Hours of days that are counted already. The day's total is exact; it is spread over its hours as the sessions lay in them, so
-- the hours add up to it. A day without sessions in the history is one bar at midnight.
insert into session_hours (tenant_id, location_id, device_id, day, hour, sessions, seconds, upload, download)
with parts as (
  select s.tenant_id, s.location_id, s.device_id, h.at::date as day, extract(hour from h.at) as hour,
    (h.at = date_trunc('hour', s.began))::int as began,
    greatest(1, extract(epoch from least(h.at + interval '1 hour', s.ended) - greatest(h.at, s.began)))::numeric as long
  from (
    select x.tenant_id, x.location_id, x.device_id, x.started_at at time zone l.time_zone as began,
      least(x.ended_at, x.started_at + interval '40 days') at time zone l.time_zone as ended
    from (
      select tenant_id, location_id, device_id, started_at, ended_at from session_history
      union all
      select tenant_id, location_id, device_id, started_at, updated_at from online_sessions) x
    join locations l on l.tenant_id = x.tenant_id and l.id = x.location_id) s
  cross join lateral generate_series(date_trunc('hour', s.began), greatest(s.began, s.ended), interval '1 hour') h(at)
), hours as (
  select tenant_id, location_id, device_id, day, hour, sum(began) as began, sum(long) as long
  from parts
  group by 1, 2, 3, 4, 5
), shares as (
  select d.tenant_id, d.location_id, d.device_id, d.day, coalesce(h.hour, 0) as hour, d.sessions, d.seconds, d.upload, d.download,
    coalesce(sum(h.long) over upto / nullif(sum(h.long) over whole, 0), 1) as long_to,
    coalesce((sum(h.long) over upto - h.long) / nullif(sum(h.long) over whole, 0), 0) as long_from,
    coalesce(sum(h.began) over upto / nullif(sum(h.began) over whole, 0), sum(h.long) over upto / nullif(sum(h.long) over whole, 0), 1)
      as began_to,
    coalesce((sum(h.began) over upto - h.began) / nullif(sum(h.began) over whole, 0),
      (sum(h.long) over upto - h.long) / nullif(sum(h.long) over whole, 0), 0) as began_from
  from session_days d
  left join hours h on h.tenant_id = d.tenant_id and h.location_id = d.location_id and h.device_id = d.device_id and h.day = d.day
  window whole as (partition by d.tenant_id, d.location_id, d.device_id, d.day),
    upto as (partition by d.tenant_id, d.location_id, d.device_id, d.day order by h.hour)
)
select tenant_id, location_id, device_id, day, hour,
  round(sessions * began_to)::bigint - round(sessions * began_from)::bigint,
  round(seconds * long_to)::bigint - round(seconds * long_from)::bigint,
  round(upload * long_to)::bigint - round(upload * long_from)::bigint,
  round(download * long_to)::bigint - round(download * long_from)::bigint
from shares;

reset role;
