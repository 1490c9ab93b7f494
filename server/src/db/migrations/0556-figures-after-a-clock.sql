-- Sessions that a clock ahead had put into the future are counted in the hour in which they began by the right clock. A job
-- does so, one day of a location at a time.
create table figures_to_repair (
  tenant_id uuid not null,
  location_id uuid not null,
  day date not null,
  id uuid not null default new_id(),
  primary key (tenant_id, location_id, day, id),
  foreign key (tenant_id, location_id) references locations on delete cascade
);
call isolate('figures_to_repair');
revoke insert, update, delete on figures_to_repair from portico_app;

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
  ), noted as (
    -- They began in another hour now than the one in which they were counted. Counting them here would hold their rows.
    insert into figures_to_repair (tenant_id, location_id, day)
    select distinct tenant_id, location_id, d.day
    from late cross join lateral (values (counted_on), (began_on)) d (day)
  )
  select count(*) into corrected from late;
  return corrected;
end $$;
