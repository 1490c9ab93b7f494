-- Sales of paid session profiles and of vouchers, and their reversals: rows with days and total below 0, so that sums are what was earned.
-- A sale outlives its visitor and profile, so it keeps price and currency itself.
create table sales (
  tenant_id uuid not null,
  id uuid not null,
  location_id uuid not null,
  visitor_id uuid,
  profile_id uuid,
  days int not null, -- of a reversal: 0 if less than a day went back
  unit_price numeric(14, 2) not null check (unit_price >= 0), -- per day or voucher
  currency text not null check (currency in ('eur', 'usd', 'gbp', 'try')),
  total numeric(14, 2) not null,
  sold_at timestamptz not null default now(),
  sold_on date not null, -- local day of the location
  reverses uuid, -- the sale that this row reverses
  reason text not null default '', -- of a reversal
  reversed_by uuid,
  kind text not null default 'days' check (kind in ('days', 'voucher')), -- a voucher counts as one day
  batch_id uuid, -- of a voucher
  package_id uuid, -- of a purchase on the portal
  purchase_id uuid,
  primary key (tenant_id, id),
  foreign key (tenant_id, location_id) references locations on delete cascade,
  foreign key (tenant_id, visitor_id) references visitors on delete set null (visitor_id),
  foreign key (tenant_id, profile_id) references profiles on delete set null (profile_id),
  foreign key (tenant_id, reverses) references sales on delete cascade,
  foreign key (tenant_id, reversed_by) references users on delete set null (reversed_by),
  foreign key (tenant_id, package_id) references packages on delete set null (package_id),
  foreign key (tenant_id, purchase_id) references purchases on delete set null (purchase_id),
  check (case when reverses is null then days > 0 else days <= 0 end)
);
create index sales_day on sales (tenant_id, location_id, sold_on) include (currency, total);
create index sales_visitor on sales (tenant_id, visitor_id) include (days);
create index sales_profile on sales (tenant_id, profile_id);
create index sales_reverses on sales (tenant_id, reverses) where reverses is not null;
create index sales_batch on sales (tenant_id, batch_id) include (total) where batch_id is not null;
create index sales_package on sales (tenant_id, package_id) include (total, currency) where package_id is not null;
create index sales_purchase on sales (tenant_id, purchase_id) where purchase_id is not null;
create unique index sales_once on sales (tenant_id, purchase_id) where purchase_id is not null and days > 0;
create index sales_newest on sales (tenant_id, sold_at desc, id desc);
call isolate('sales');
create trigger emit_sale_created after insert on sales
  referencing new table as added for each statement execute function emit_sale_created();
