-- Sessions that a clock ahead had put into the future are counted in the hour in which they began by the right clock.
create or replace function clamp_future_session_times() returns int
language plpgsql as $$
declare
  corrected int;
  places jsonb;
  place record;
begin
  with late as (
    update online_sessions o set
      updated_at = least(o.updated_at, now()),
      started_at = least(o.started_at, now() - make_interval(secs => o.seconds)),
      day = least(o.day, (now() at time zone l.time_zone)::date),
      hour = case when o.updated_at > now() then extract(hour from now() at time zone l.time_zone) else o.hour end,
      hour_ends_at = least(o.hour_ends_at, hour_end(now(), l.time_zone))
    from locations l, online_sessions was
    where l.tenant_id = o.tenant_id and l.id = o.location_id and greatest(o.updated_at, o.started_at) > now() + interval '1 minute'
      and was.tenant_id = o.tenant_id and was.id = o.id
    returning o.tenant_id, o.location_id, o.client_mac, o.id, o.started_at,
      (was.started_at at time zone l.time_zone)::date as counted_on, (o.started_at at time zone l.time_zone)::date as began_on
  ), latest as (
    update guest_devices g set session_started_at = late.started_at
    from late
    where g.tenant_id = late.tenant_id and g.location_id = late.location_id and g.client_mac = late.client_mac
      and g.session_id = late.id
  )
  select count(distinct id), jsonb_agg(distinct jsonb_build_object('tenant', tenant_id, 'location', location_id, 'day', d.day))
  into corrected, places
  from late cross join lateral (values (counted_on), (began_on)) d (day);
  -- They began in another hour now than the one in which they were counted.
  for place in select * from jsonb_to_recordset(places) as p (tenant uuid, location uuid, day date) order by location, day loop
    perform repair_figures(place.tenant, place.location, place.day);
  end loop;
  return corrected;
end $$;
