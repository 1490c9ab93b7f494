-- Log lines over UDP and TCP count only from addresses that the device has proven. The addresses that RADIUS saw until now are
-- the first ones. The statements are those of schema/log-sources.sql.
-- An address that a device proved to be its own, or a network that an operator trusts. Rows whose time is over stay: they tell
-- behind which address a device was in the past.
create table log_sources (
  tenant_id uuid not null,
  id uuid not null default new_id(),
  device_id uuid not null,
  network inet not null,
  proof text not null check (proof in ('radsec', 'radius', 'poll', 'operator')),
  first_at timestamptz not null default now(),
  proven_at timestamptz not null default now(), -- the latest proof
  expires_at timestamptz, -- null: until an operator removes it
  created_by uuid, -- the operator
  primary key (tenant_id, id),
  unique (tenant_id, device_id, network, proof),
  foreign key (tenant_id, device_id) references devices on delete cascade
);
create index log_sources_age on log_sources (expires_at);
call isolate('log_sources');
create trigger announce after insert or delete on log_sources
  for each row execute function announce('log-sources');

-- Lines that named a device and came from an address that it has not proven: their number, and a few as samples.
create table log_quarantine (
  tenant_id uuid not null,
  device_id uuid not null,
  address inet not null, -- 0.0.0.0: all addresses beyond those that are listed
  lines bigint not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  samples text[] not null default '{}', -- newest last
  primary key (tenant_id, device_id, address),
  foreign key (tenant_id, device_id) references devices on delete cascade
);
create index log_quarantine_age on log_quarantine (last_at);
call isolate('log_quarantine');

insert into log_sources (tenant_id, device_id, network, proof, first_at, proven_at, expires_at)
select tenant_id, id, last_address, 'radius', least(created_at, last_seen_at), last_seen_at, last_seen_at + interval '24 hours'
from devices where last_address is not null and last_seen_at is not null;

alter table log_dropped_lines drop constraint log_dropped_lines_reason_check;
alter table log_dropped_lines add constraint log_dropped_lines_reason_check
  check (reason in ('flood', 'disk_full', 'memory_full', 'device_full', 'unnamed', 'unproven', 'cut', 'logging_off'));
