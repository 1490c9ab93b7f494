/* What guests used, per device and hour of the location's clocks: the days in log_tops are read where a period holds whole days. */
create table log_top_hours (
  tenant_id uuid not null,
  device_id uuid not null,
  day date not null,
  hour smallint not null check (hour between 0 and 23),
  kind text not null check (kind in ('website', 'application', 'country')),
  name text not null,
  recv bigint not null,
  sent bigint not null,
  connections bigint not null,
  primary key (tenant_id, device_id, kind, day, hour, name)
) with (fillfactor = 70);
create index log_top_hours_age on log_top_hours (day);
call isolate('log_top_hours');
revoke insert, update, delete on log_top_hours from portico_app;
