-- A command of an operator that the router refused, or did not answer, kept a guest online for ten minutes after a limit was used up.
create or replace procedure enforce_limits(visitors_limited visitor_key[])
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
      where k.tenant_id = d.tenant_id and k.session_id = d.id and k.kind = 'end' and k.requested_at > now() - interval '10 minutes'
        and (k.reason = 'limit' or k.state in ('requested', 'acknowledged')))
  end;
end $$;
