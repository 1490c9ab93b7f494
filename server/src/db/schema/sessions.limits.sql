-- Limits of visitors, and what they have used of them. Sign-in, accounting, the panel and the guest's page all ask here,
-- so the numbers that people see are those that are enforced.

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
    case when v.special_profile or v.provider_type = 'voucher' then v.shared_user else p.shared_user end,
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
      when l.upload_limit_enabled then (l.upload_limit * 1000000)::bigint
    end,
    case
      when v.special_profile then limit_bps(v.max_download)
      when p.id is not null then limit_bps(p.max_download)
      when l.download_limit_enabled then (l.download_limit * 1000000)::bigint
    end,
    case when v.special_profile is not true then limit_bps(p.reduced_speed) end
$$;

-- The common usage of all devices of a visitor: on one day at one location, and in total.
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

-- The rest of the limits that the devices of a visitor share; null means unlimited. The time does not regard an end by date.
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

-- How many seconds a visitor may be online until its access ends: from now, or from when access begins. 0 while it is paused; null
-- without an end.
create function access_seconds(v visitors) returns bigint
language sql stable parallel safe as $$
  select case when v.blocked then 0
    else greatest(0, ceil(extract(epoch from v.session_end_at - greatest(now(), v.session_start_at)))) end::bigint
  -- greatest() would take null for no number.
  where v.blocked or v.session_end_at is not null
$$;

-- Whether a visitor may not be online at a location: it was deleted, paused or moved, or the time is not its own.
create function has_no_access(v visitors, p_location uuid) returns boolean
language sql stable parallel safe as $$
  select v.id is null or v.blocked or v.location_id <> p_location
    or coalesce(v.session_start_at > now(), false) or coalesce(v.session_end_at <= now(), false)
$$;

-- How many seconds a visitor has been online since the last reports of its open sessions: on this day at this location, and in all.
-- A session without reports counts until it is closed as silent.
create function unreported_seconds(p_tenant uuid, p_visitor uuid, l locations) returns table (day_seconds bigint, total_seconds bigint)
language sql stable as $$
  select
    coalesce(sum(extract(epoch from greatest(interval '0', t.until - greatest(o.updated_at, t.midnight)))) filter (where o.location_id = l.id), 0)::bigint,
    coalesce(sum(extract(epoch from greatest(interval '0', t.until - o.updated_at))), 0)::bigint
  from online_sessions o
  cross join lateral (
    select least(now(), o.updated_at + make_interval(secs => 3 * o.interim)) as until,
      local_day(l.time_zone)::timestamp at time zone l.time_zone as midnight) t
  where o.tenant_id = p_tenant and o.visitor_id = p_visitor
$$;

-- The rest of the limits of an open session, as its guest sees it. `seconds` and `bytes` are the least of all limits. The other
-- columns are those that the devices of its visitor share. Null means unlimited, as for a guest device that needed no sign-in.
-- Time runs between the reports, as it does in the router.
create function session_balance(o online_sessions, v visitors, p profiles, l locations)
returns table (seconds bigint, bytes bigint, day_seconds bigint, total_seconds bigint, day_bytes bigint, total_bytes bigint)
language sql stable as $$
  -- greatest() would take null for no number.
  select
    least(case when has_no_access(v, o.location_id) then 0 end, access_seconds(v), t.day_seconds, t.total_seconds,
      case when lim.session_seconds is not null then
        greatest(0, lim.session_seconds - extract(epoch from now() - o.started_at)::bigint) end),
    least(b.day_bytes, b.total_bytes,
      case when lim.session_bytes is not null then greatest(0, lim.session_bytes - o.upload - o.download) end),
    t.day_seconds, t.total_seconds, b.day_bytes, b.total_bytes
  from limits_in_force(v, p, l) lim
  cross join lateral visitor_balance(v, p, l) b
  cross join lateral unreported_seconds(o.tenant_id, o.visitor_id, l) u
  cross join lateral (
    select case when b.day_seconds is not null then greatest(0, b.day_seconds - u.day_seconds) end as day_seconds,
      case when b.total_seconds is not null then greatest(0, b.total_seconds - u.total_seconds) end as total_seconds) t
  where o.visitor_id is not null
$$;

-- When paid days that begin now end: at the same time on the clocks of the location.
create function paid_days_end(days int, zone text) returns timestamptz
language sql stable parallel safe as $$
  select (now() at time zone zone + make_interval(days => days)) at time zone zone
$$;
