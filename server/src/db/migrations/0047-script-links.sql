/* One-time addresses of routers' scripts. The script names secrets, so it is encrypted, and gone once it was fetched. */
create table script_links (
  tenant_id uuid not null,
  id uuid not null,
  device_id uuid not null,
  hash bytea not null,
  script text not null,
  expires_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, device_id) references devices on delete cascade
);
comment on column script_links.hash is 'SHA-256 of the token in the address';
comment on column script_links.script is 'encrypted with SECRET_KEY';
/* Asked for before the tenant is known. */
create unique index script_links_hash on script_links (hash);
create unique index script_links_device on script_links (tenant_id, device_id);
call isolate('script_links');
