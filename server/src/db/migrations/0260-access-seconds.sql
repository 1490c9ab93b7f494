-- How many seconds a visitor may be online until its access ends: from now, or from when access begins. 0 while it is paused; null
-- without an end.
create function access_seconds(v visitors) returns bigint
language sql stable parallel safe as $$
  select case when v.blocked then 0
    else greatest(0, ceil(extract(epoch from v.session_end_at - greatest(now(), v.session_start_at)))) end::bigint
  -- greatest() would take null for no number.
  where v.blocked or v.session_end_at is not null
$$;
