-- Licences of customers that are paid online: what the tenant asks for them, and the payments.

create table licence_terms (
  tenant_id uuid not null,
  is_active boolean not null,
  price int not null check (price > 0), -- of a year, with tax, in minor units
  currency text not null check (currency in ('eur', 'usd', 'gbp', 'try')),
  tax_rate int not null check (tax_rate between 0 and 10000), -- in hundredths of a percent
  updated_at timestamptz not null default now(),
  primary key (tenant_id)
);
call isolate('licence_terms');

-- A payment keeps the terms that its buyer saw. Its row is locked for each change of its state, so that it counts once.
create table licence_payments (
  tenant_id uuid not null,
  id uuid not null,
  location_id uuid, -- null once the location was deleted: what was paid stays income
  location_name text not null, -- when it was begun
  integration_id uuid, -- the tenant's account at the provider; no foreign key, as a deleted one still answers for what is open
  user_id uuid, -- who pays
  provider text not null,
  years int not null check (years between 1 and 3),
  unit_price int not null, -- with tax, in minor units, like the amounts
  amount bigint not null,
  tax bigint not null, -- in the amount
  tax_rate int not null,
  currency text not null check (currency in ('eur', 'usd', 'gbp', 'try')),
  email text not null,
  language text not null,
  reference text, -- the provider's id of the checkout; null until it was made
  url text, -- the provider's page; null until the checkout was made
  host text not null, -- of the panel where it was begun; empty: that of the settings
  returned_at timestamptz, -- when the provider first sent the buyer back
  payment text, -- the provider's id of the payment
  state text not null default 'open'
    check (state in ('open', 'paid', 'failed', 'refused', 'refunding', 'refunded', 'charged-back')),
  problem text check (problem in ('amount', 'currency', 'reference', 'location')),
  reported text, -- what the provider reported instead
  license_end_at timestamptz, -- that the payment gave
  refund_reason text not null default '',
  refunded_by uuid,
  refunds int not null default 0, -- how often a refund was asked for
  checks int not null default 0, -- how often the provider was asked
  check_at timestamptz, -- when it is asked next
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  paid_at timestamptz,
  refunded_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, location_id) references locations on delete set null (location_id),
  foreign key (tenant_id, user_id) references users on delete set null (user_id),
  foreign key (tenant_id, refunded_by) references users on delete set null (refunded_by)
);
create index licence_payments_newest on licence_payments (tenant_id, created_at desc, id desc);
create index licence_payments_state on licence_payments (tenant_id, state, created_at desc, id desc);
create index licence_payments_location on licence_payments (tenant_id, location_id, created_at desc);
create index licence_payments_reference on licence_payments (tenant_id, integration_id, reference) where reference is not null;
create index licence_payments_payment on licence_payments (tenant_id, payment) where payment is not null;
create index licence_payments_in_doubt on licence_payments (state, updated_at) where state in ('refused', 'refunding');
create index licence_payments_due on licence_payments (check_at) where check_at is not null;
call isolate('licence_payments');
create trigger announce after insert or update on licence_payments
  for each row execute function announce('licence-payments', 'location_id');
call tell_moments('licence_payments', 'licence',
  '{id, location_id, years, amount, tax, currency, provider, payment, license_end_at, paid_at, refunded_at}',
  '{paid=paid_at, refunded=refunded_at}');
