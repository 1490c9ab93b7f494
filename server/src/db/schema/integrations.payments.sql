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

-- The books of the test provider: payments without money.
create table test_payments (
  tenant_id uuid not null,
  reference text not null,
  location_id uuid, -- null: paid to the account of the tenant
  amount bigint not null,
  currency text not null,
  title text not null,
  return_url text not null,
  state text not null default 'open' check (state in ('open', 'paid', 'failed')),
  refunded bigint not null default 0,
  disputed boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (tenant_id, reference),
  foreign key (tenant_id, location_id) references locations on delete cascade
);
create index test_payments_location on test_payments (tenant_id, location_id);
call isolate('test_payments');
