-- Routers that sent RADIUS packets but were not added, for two hours after the last one. Their number is limited.
create table unknown_devices (
  id uuid primary key default new_id(),
  tenant_id uuid, -- of the proxy; null: a stranger, whom no tenant may read
  proxy_id uuid, -- the trusted RADIUS proxy that proved to have forwarded its packets
  source inet not null,
  network text not null, -- the source, or the /64 of an IPv6 address
  nas_identifier text not null, -- what it says it is; '': nothing
  packets bigint not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  unique nulls not distinct (tenant_id, source, nas_identifier),
  foreign key (tenant_id, proxy_id) references radius_proxies on delete cascade
);
create index unknown_devices_network on unknown_devices (network) where tenant_id is null;
call isolate('unknown_devices');

-- Whose device has proven the address of a router that is unknown: asked across tenants.
create index log_sources_network on log_sources (network) where proof <> 'operator';
