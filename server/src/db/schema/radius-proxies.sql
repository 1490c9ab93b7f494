-- RADIUS proxies between routers and this server. A tenant trusts them to forward the requests of its devices.
create table radius_proxies (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  address inet, -- where its UDP packets come from; null: RADIUS over TLS only
  secret text not null, -- shared secret over UDP, encrypted with SECRET_KEY
  locations uuid[] not null default '{}', -- whose devices it may speak for; '{}': all
  require_message_authenticator boolean not null default true,
  certificate_serial text, -- of the client certificate, for RADIUS over TLS
  certificate_fingerprint bytea, -- SHA-256 of the certificate
  certificate_expires_at timestamptz,
  last_seen_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create unique index radius_proxies_address on radius_proxies (tenant_id, address) where address is not null;
create unique index radius_proxies_certificate on radius_proxies (certificate_fingerprint) where certificate_fingerprint is not null;
call isolate('radius_proxies');
call tell_changes('radius_proxies', 'radius_proxy', 'tenant', '{id, name, address, locations}',
  '{require_message_authenticator, certificate_serial}');
-- The RADIUS listener reads them again. Not when a proxy was merely heard from.
create trigger announce after insert or delete
    or update of name, address, secret, locations, require_message_authenticator, certificate_fingerprint on radius_proxies
  for each row execute function announce('radius-proxies');
