/* Which visitor was at which device on which day, so that who came back to chosen devices is counted without reading sessions.
   A roll-up like visitor_days, kept up in the same transactions. */
create table visitor_device_days (
  tenant_id uuid not null,
  device_id uuid not null,
  day date not null,
  visitor_id uuid not null,
  location_id uuid not null,
  primary key (tenant_id, device_id, day, visitor_id, location_id)
);
call isolate('visitor_device_days');
revoke insert, update, delete on visitor_device_days from portico_app;

insert into visitor_device_days (tenant_id, device_id, day, visitor_id, location_id)
select distinct s.tenant_id, s.device_id, x.day::date, s.visitor_id, s.location_id
from (
  select tenant_id, device_id, visitor_id, location_id, started_at, day from session_history
  union all
  select tenant_id, device_id, visitor_id, location_id, started_at, day from online_sessions) s
join locations l on l.tenant_id = s.tenant_id and l.id = s.location_id
cross join lateral generate_series(least((s.started_at at time zone l.time_zone)::date, s.day), s.day, '1 day') x(day)
where s.visitor_id is not null;

create or replace procedure add_usage(deltas usage_delta[]) language plpgsql as $$ begin
  insert into session_days (tenant_id, location_id, day, device_id, sessions, seconds, upload, download)
  select tenant_id, location_id, day, device_id, sum(sessions), sum(seconds), sum(upload), sum(download)
  from unnest(deltas) group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (tenant_id, location_id, day, device_id) do update set
    sessions = session_days.sessions + excluded.sessions, seconds = session_days.seconds + excluded.seconds,
    upload = session_days.upload + excluded.upload, download = session_days.download + excluded.download;
  insert into visitor_days (tenant_id, location_id, day, visitor_id, sessions, upload, download)
  select tenant_id, location_id, day, visitor_id, sum(sessions), sum(upload), sum(download)
  from unnest(deltas) where visitor_id is not null group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (tenant_id, location_id, day, visitor_id) do update set
    sessions = visitor_days.sessions + excluded.sessions,
    upload = visitor_days.upload + excluded.upload, download = visitor_days.download + excluded.download;
  insert into visitor_device_days (tenant_id, device_id, day, visitor_id, location_id)
  select distinct tenant_id, device_id, day, visitor_id, location_id
  from unnest(deltas) where visitor_id is not null order by 1, 2, 3, 4, 5
  on conflict do nothing;
end $$;
