-- Payment accounts that were deleted while somebody was paying: what is open is settled or paid back with them, then they go.
create table closed_accounts (
  tenant_id uuid not null,
  id uuid not null, -- of the integration
  location_id uuid, -- null: the account of the tenant
  kind text not null,
  name text not null,
  connection text not null, -- encrypted with SECRET_KEY
  closed_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, location_id) references locations on delete cascade
);
create index closed_accounts_location on closed_accounts (tenant_id, location_id);
call isolate('closed_accounts');
-- A purchase keeps the id of its deleted account, to find it there.
alter table purchases drop constraint purchases_tenant_id_integration_id_fkey;
alter table licence_payments drop constraint licence_payments_tenant_id_integration_id_fkey;
