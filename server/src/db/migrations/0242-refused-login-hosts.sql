-- Local hosts that guests of a device were not sent to, because the device had not used them. Bounded per device.
create table refused_login_hosts (
  tenant_id uuid not null,
  device_id uuid not null,
  host text not null,
  arrivals int not null default 1,
  last_at timestamptz not null default now(),
  primary key (tenant_id, device_id, host),
  foreign key (tenant_id, device_id) references devices on delete cascade
);
call isolate('refused_login_hosts');
