-- The addresses from which log lines of a device are accepted, and quarantined lines from other addresses.

-- An address that a device has proven, or a network that an operator trusts. Expired rows stay, because they show the former
-- addresses of a device.
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
-- Finds across tenants the device that has proven the address of an unknown router.
create index log_sources_network on log_sources (network) where proof <> 'operator';
call isolate('log_sources');
call tell_changes('log_sources', 'log_source', 'device_id', '{id, device_id, network, proof, first_at}');
create trigger announce after insert or delete on log_sources
  for each row execute function announce('log-sources');

-- Lines that name a device but came from an address that it has not proven: their number and some samples.
create table log_quarantine (
  tenant_id uuid not null,
  device_id uuid not null,
  address inet not null, -- 0.0.0.0: all addresses that are not listed
  lines bigint not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  samples text[] not null default '{}', -- newest last
  primary key (tenant_id, device_id, address),
  foreign key (tenant_id, device_id) references devices on delete cascade
);
create index log_quarantine_age on log_quarantine (last_at);
call isolate('log_quarantine');
