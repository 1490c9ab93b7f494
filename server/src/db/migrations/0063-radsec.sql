/* RADIUS over TLS: the authority of this installation, and the certificates of devices that it issued. */
create table radsec_authority (
  id int primary key default 1 check (id = 1),
  private_key text not null,
  certificate bytea not null,
  created_at timestamptz not null default now()
);
comment on table radsec_authority is 'one for all tenants: a connection shows its certificate before its tenant is known';
comment on column radsec_authority.private_key is 'PKCS#8, encrypted with SECRET_KEY';
grant select, insert on radsec_authority to portico_system;

create table device_certificates (
  tenant_id uuid not null,
  id uuid not null,
  device_id uuid not null,
  name text not null,
  serial text not null,
  fingerprint bytea not null,
  issued_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  last_seen_at timestamptz,
  ending_told boolean not null default false,
  primary key (tenant_id, id),
  foreign key (tenant_id, device_id) references devices on delete cascade
);
comment on column device_certificates.fingerprint is 'SHA-256 of the certificate, which itself is not kept, nor its key';
/* Asked for before the tenant is known. */
create unique index device_certificates_fingerprint on device_certificates (fingerprint);
create index device_certificates_device on device_certificates (tenant_id, device_id, id);
/* Those that somebody is to be warned of. */
create index device_certificates_ending on device_certificates (expires_at) where revoked_at is null and not ending_told;
call isolate('device_certificates');
/* Open connections hear of it as well as screens; not when a certificate was merely used. */
create trigger announce after insert or delete or update of revoked_at on device_certificates
  for each row execute function announce('device-certificates');
