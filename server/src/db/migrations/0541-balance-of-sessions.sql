-- One function says what is left of a session, for the guest's page and for the panel.
-- What is left of the limits of an open session, which is what its guest sees: `seconds` and `bytes` are the least of all limits, the
-- other columns those that the devices of its visitor share. Null means unlimited, as for a guest device that needed no sign-in.
create function session_balance(o online_sessions, v visitors, p profiles, l locations)
returns table (seconds bigint, bytes bigint, day_seconds bigint, total_seconds bigint, day_bytes bigint, total_bytes bigint)
language sql stable as $$
  -- greatest() would take null for no number.
  select
    least(case when has_no_access(v, o.location_id) then 0 end, access_seconds(v), b.day_seconds, b.total_seconds,
      case when lim.session_seconds is not null then
        greatest(0, lim.session_seconds - extract(epoch from now() - o.started_at)::bigint) end),
    least(b.day_bytes, b.total_bytes,
      case when lim.session_bytes is not null then greatest(0, lim.session_bytes - o.upload - o.download) end),
    b.*
  from limits_in_force(v, p, l) lim cross join lateral visitor_balance(v, p, l) b
  where o.visitor_id is not null
$$;
