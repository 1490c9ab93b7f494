-- The time left of a day or in total stood still between the reports of a session.
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

-- What is left of the limits of an open session, which is what its guest sees: `seconds` and `bytes` are the least of all limits, the
-- other columns those that the devices of its visitor share. Null means unlimited, as for a guest device that needed no sign-in.
-- Time runs between the reports, as it does in the router.
create or replace function session_balance(o online_sessions, v visitors, p profiles, l locations)
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

