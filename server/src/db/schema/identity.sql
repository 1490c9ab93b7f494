-- The key that a tenant signs its reports with; created with the first report.
create table signing_keys (
  tenant_id uuid primary key references tenants on delete cascade,
  private_key text not null, -- PKCS#8, encrypted with SECRET_KEY
  certificate bytea not null, -- X.509, self-signed
  created_at timestamptz not null default now()
);
call isolate('signing_keys');
