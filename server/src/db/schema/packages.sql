-- Packages that guests buy on the portal, and their purchases.

create table packages (
  tenant_id uuid not null,
  id uuid not null,
  location_id uuid not null,
  profile_id uuid not null,
  name jsonb not null, -- per language
  description jsonb not null, -- per language
  price int not null check (price > 0), -- of a day, with tax, in minor units of the currency
  currency text not null check (currency in ('eur', 'usd', 'gbp', 'try')),
  tax_rate int not null check (tax_rate between 0 and 10000), -- in hundredths of a percent
  min_days int not null check (min_days > 0),
  max_days int not null check (max_days >= min_days),
  position int not null,
  is_active boolean not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, location_id) references locations on delete cascade,
  foreign key (tenant_id, profile_id) references profiles on delete cascade
);
create index packages_order on packages (tenant_id, location_id, position, id);
create index packages_profile on packages (tenant_id, profile_id);
call isolate('packages');
create trigger announce after insert or delete or update on packages
  for each row execute function announce('packages', 'location_id');
call tell_changes('packages', 'package', 'location_id',
  '{id, profile_id, name, price, currency, tax_rate, min_days, max_days, is_active}', '{description, position}');

-- A purchase keeps the terms that its guest saw. Its row is locked for each change of its state. So a payment counts
-- once, even if it is reported many times.
create table purchases (
  tenant_id uuid not null,
  id uuid not null,
  location_id uuid not null,
  device_id uuid, -- the router where it was bought
  package_id uuid,
  profile_id uuid,
  visitor_id uuid, -- who got the days; before that, who has the free minutes for the payment
  integration_id uuid, -- the account at the provider; no foreign key, as a deleted one still answers for what is open
  provider text not null,
  package text not null, -- its name in the language of the guest
  days int not null check (days > 0),
  unit_price int not null, -- with tax, in minor units, like the amounts
  amount bigint not null,
  tax bigint not null, -- in the amount
  tax_rate int not null,
  currency text not null check (currency in ('eur', 'usd', 'gbp', 'try')),
  email text,
  phone text,
  language text not null,
  client_mac macaddr,
  agreed text, -- the version of the agreements that was accepted
  code text not null, -- of the receipt, encrypted with SECRET_KEY; found by code_hash
  code_hash bytea not null,
  reference text, -- the provider's id of the checkout; null until it was made
  pay_url text, -- the provider's page
  payment text, -- the provider's id of the payment
  state text not null default 'open'
    check (state in ('open', 'paid', 'failed', 'refused', 'refunding', 'refunded', 'charged-back')),
  problem text check (problem in ('amount', 'currency', 'reference')),
  reported text, -- what the provider reported instead
  refund_reason text not null default '',
  refunded_by uuid,
  window_at timestamptz, -- when the free minutes for the payment were given
  asked_at timestamptz, -- when the checkout was asked for
  checks int not null default 0, -- how often the provider was asked
  check_at timestamptz, -- when it is asked next
  created_at timestamptz not null default now(),
  paid_at timestamptz,
  refunded_at timestamptz,
  updated_at timestamptz not null default now(),
  refunds int not null default 0, -- how often a refund was asked for
  charged_visitor_id uuid, -- the hotel guest whose room is charged
  returned bigint not null default 0, -- the part that the provider has paid back while the rest stays paid
  windows int not null default 0, -- how often free minutes for the payment were given
  primary key (tenant_id, id),
  foreign key (tenant_id, location_id) references locations on delete cascade,
  foreign key (tenant_id, device_id) references devices on delete set null (device_id),
  foreign key (tenant_id, package_id) references packages on delete set null (package_id),
  foreign key (tenant_id, profile_id) references profiles on delete set null (profile_id),
  foreign key (tenant_id, visitor_id) references visitors on delete set null (visitor_id),
  foreign key (tenant_id, refunded_by) references users on delete set null (refunded_by),
  foreign key (tenant_id, charged_visitor_id) references visitors on delete set null (charged_visitor_id)
);
create unique index purchases_code on purchases (tenant_id, location_id, code_hash);
create index purchases_newest on purchases (tenant_id, created_at desc, id desc);
create index purchases_location on purchases (tenant_id, location_id, created_at desc, id desc);
create index purchases_state on purchases (tenant_id, state, created_at desc, id desc);
create index purchases_provider on purchases (tenant_id, provider, created_at desc, id desc);
create index purchases_package on purchases (tenant_id, package_id) where package_id is not null;
create index purchases_profile on purchases (tenant_id, profile_id) where profile_id is not null;
create index purchases_visitor on purchases (tenant_id, visitor_id) where visitor_id is not null;
create index purchases_reference on purchases (tenant_id, integration_id, reference) where reference is not null;
create index purchases_integration on purchases (tenant_id, integration_id) where integration_id is not null;
create index purchases_charged on purchases (tenant_id, charged_visitor_id) where charged_visitor_id is not null;
create index purchases_payment on purchases (tenant_id, payment) where payment is not null;
create index purchases_email on purchases (tenant_id, email) where email is not null;
create index purchases_phone on purchases (tenant_id, phone) where phone is not null;
create index purchases_mac on purchases (tenant_id, location_id, client_mac, created_at) where client_mac is not null;
create index purchases_due on purchases (check_at) where check_at is not null;
create index purchases_in_doubt on purchases (state, updated_at) where state in ('refused', 'refunding');
call isolate('purchases');
create trigger announce after insert or update on purchases
  for each row execute function announce('purchases', 'location_id');
call tell_moments('purchases', 'purchase',
  '{id, visitor_id, package_id, package, days, amount, tax, currency, provider, payment, state, paid_at, refunded_at}',
  '{created=created_at, paid=paid_at, failed=state:failed, refused=state:refused, refunded=refunded_at, charged_back=state:charged-back}');

-- A visitor that is deleted, by itself or by an administrator, is removed from its purchases; their amounts stay for the books. A
-- purchase that may still be paid keeps its address, because the receipt goes there.
create function forget_buyer() returns trigger
language plpgsql as $$
begin
  update purchases set email = null, phone = null, client_mac = null
  where tenant_id = old.tenant_id and visitor_id = old.id and state not in ('open', 'failed');
  return old;
end
$$;
-- Before the purchases lose their visitor.
create trigger forget_buyer before delete on visitors for each row execute function forget_buyer();

-- Gives the packages that have a profile another one.
create function replace_package_profile(p_profile uuid, p_replacement uuid) returns void
language sql as $$
  update packages set profile_id = p_replacement, updated_at = now()
  where tenant_id = current_tenant() and profile_id = p_profile
$$;

-- Whether guests can buy something at a location: by a payment provider, or on the bill of their hotel room.
create function sells_packages(p_tenant uuid, p_location uuid, p_providers text[]) returns boolean
language sql stable as $$
  select exists (
    select from packages p where p.tenant_id = p_tenant and p.location_id = p_location and p.is_active
      and (exists (select from integrations i where i.tenant_id = p_tenant and i.location_id = p_location and i.kind = any(p_providers))
        or exists (select from hotel_links k where k.tenant_id = p_tenant and k.location_id = p_location and k.currency = p.currency)))
$$;

-- Something happened that decides about a purchase: it is looked at now.
create function check_purchase_now(p_tenant uuid, p_purchase uuid) returns void
language sql as $$
  update purchases set check_at = now()
  where tenant_id = p_tenant and id = p_purchase and state in ('open', 'failed', 'paid', 'refunding')
$$;
