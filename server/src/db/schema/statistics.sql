-- Platform, browser and kind of device of guests, per local day and sign-in.
create table guest_agent_days (
  tenant_id uuid not null,
  location_id uuid not null,
  device_id uuid not null,
  day date not null,
  kind text not null check (kind in ('platform', 'browser', 'device')),
  value text not null,
  sign_ins int not null,
  primary key (tenant_id, location_id, day, device_id, kind, value),
  foreign key (tenant_id, location_id) references locations on delete cascade
) with (fillfactor = 80);
create index guest_agent_days_tenant on guest_agent_days (tenant_id, kind, day);
call isolate('guest_agent_days');
