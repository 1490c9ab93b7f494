/* What a tenant signs its reports with. Made at the first report. */
create table signing_keys (
  tenant_id uuid not null references tenants on delete cascade,
  private_key text not null,
  certificate bytea not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id)
);
comment on column signing_keys.private_key is 'PKCS#8, encrypted with SECRET_KEY';
comment on column signing_keys.certificate is 'X.509, signed by the key itself';
call isolate('signing_keys');
