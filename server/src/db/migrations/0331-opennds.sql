-- openNDS, and permissions that a gateway fetches.
insert into brands (id, slug, name, logo, guides, position) values
  ('0b0a0000-0000-4000-8000-000000000005', 'opennds', 'openNDS', '/brands/opennds.svg',
    '[{"id":"opennds-fas","title":"openNDS","slug":"opennds"}]', 5);
alter table devices add reported_at timestamptz; -- when the script on its gateway last told who is signed in
alter table devices add pages_checked_at timestamptz; -- when a router that polls was last told to fetch the pages that it lost
alter table session_commands add within int; -- seconds in which a gateway that fetches its commands ends the session

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
