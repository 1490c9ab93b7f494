-- Permissions that wait until a gateway without RADIUS fetches them; at most one for each guest device.
create table waiting_grants (
  tenant_id uuid not null,
  device_id uuid not null,
  client_mac macaddr not null,
  client_ip inet,
  class text, -- of the sign-in; null: a device that needs none
  key text not null, -- names the session
  ends_at timestamptz not null, -- when the session is over at the latest
  minutes int not null,
  upload_kbit bigint not null, -- 0: unlimited
  download_kbit bigint not null,
  quota_kb bigint not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, device_id, client_mac),
  foreign key (tenant_id, device_id) references devices on delete cascade
);
create index waiting_grants_old on waiting_grants (created_at);
call isolate('waiting_grants');
