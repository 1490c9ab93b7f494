-- Vouchers: batches of codes with which guests sign in.

create table voucher_batches (
  tenant_id uuid not null,
  id uuid not null,
  location_id uuid not null,
  name text not null,
  profile_id uuid, -- null: the limits of the network or the location
  shared_user int not null, -- devices of a voucher at once
  valid_for jsonb not null, -- how long from the first use
  valid_until date, -- the last day, at the location
  price int not null check (price >= 0), -- in minor units of the currency
  currency text not null check (currency in ('eur', 'usd', 'gbp', 'try')),
  note text not null,
  at_desk boolean not null, -- the desk hands out further vouchers
  -- Counted in the transactions that change vouchers, so that lists need not count.
  total int not null default 0,
  used int not null default 0,
  revoked int not null default 0,
  remaining int not null default 0, -- neither used nor revoked
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, location_id) references locations on delete cascade,
  foreign key (tenant_id, profile_id) references profiles on delete set null (profile_id),
  foreign key (tenant_id, created_by) references users on delete set null (created_by),
  check ((valid_for->>'is_active')::boolean or valid_until is not null)
);
create index voucher_batches_location on voucher_batches (tenant_id, location_id, id desc);
-- For the orders of the list.
create index voucher_batches_name on voucher_batches (tenant_id, location_id, sort_text(name) collate "C", id);
create index voucher_batches_name_of_tenant on voucher_batches (tenant_id, sort_text(name) collate "C", id);
create index voucher_batches_profile on voucher_batches (tenant_id, profile_id) where profile_id is not null;
create index voucher_batches_desk on voucher_batches (tenant_id, location_id, name) where at_desk;
create index voucher_batches_folded_name on voucher_batches using gin (fold_text(name) gin_trgm_ops);
call isolate('voucher_batches');
create trigger announce after insert or delete or update on voucher_batches
  for each row execute function announce('vouchers', 'location_id');
call tell_changes('voucher_batches', 'voucher_batch', 'location_id',
  '{id, name, profile_id, shared_user, valid_for, valid_until, price, currency, at_desk, total}', '{note}');

create table vouchers (
  tenant_id uuid not null,
  id uuid not null,
  location_id uuid not null,
  batch_id uuid not null,
  number int not null, -- within the batch
  code text not null, -- encrypted with SECRET_KEY; found by code_hash
  code_hash bytea not null,
  visitor_id uuid, -- the guest, from the first use on
  issued_at timestamptz, -- when the desk handed it out
  issued_by uuid,
  used_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now(),
  -- The time that it added to the access of a guest who had another one; null means no end. Only the length counts.
  added_from timestamptz,
  added_until timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, location_id) references locations on delete cascade,
  foreign key (tenant_id, batch_id) references voucher_batches on delete cascade,
  foreign key (tenant_id, visitor_id) references visitors on delete set null (visitor_id),
  foreign key (tenant_id, issued_by) references users on delete set null (issued_by)
);
create unique index vouchers_code on vouchers (tenant_id, location_id, code_hash);
create unique index vouchers_number on vouchers (tenant_id, batch_id, number);
create index vouchers_visitor on vouchers (tenant_id, visitor_id) where visitor_id is not null;
create index vouchers_issued on vouchers (tenant_id, location_id, issued_at desc) where issued_at is not null;
call isolate('vouchers');
call tell_moments('vouchers', 'voucher', '{id, batch_id, number, visitor_id, issued_at, used_at, revoked_at}',
  '{issued=issued_at, redeemed=used_at, revoked=revoked_at}');

-- How the printed vouchers of a location look.
create table voucher_cards (
  tenant_id uuid not null,
  location_id uuid not null,
  ssid text not null,
  wifi_password text, -- encrypted with SECRET_KEY; null for an open Wi-Fi
  language text not null check (language in ('tr', 'en', 'de', 'ru', 'ar', 'fr', 'es', 'it', 'fa', 'uk', 'zh', 'ja')),
  paper text not null check (paper in ('a4', 'receipt-80', 'receipt-58', 'label')),
  text text not null,
  logo boolean not null,
  updated_at timestamptz not null default now(),
  primary key (tenant_id, location_id),
  foreign key (tenant_id, location_id) references locations on delete cascade
);
call isolate('voucher_cards');

-- A table that is created earlier refers to this one.
alter table sales add foreign key (tenant_id, batch_id) references voucher_batches on delete set null (batch_id);

-- Gives the batches that have a profile another one.
create function replace_batch_profile(p_profile uuid, p_replacement uuid) returns void
language sql as $$
  update voucher_batches set profile_id = p_replacement, updated_at = now()
  where tenant_id = current_tenant() and profile_id = p_profile
$$;

-- When vouchers of a last day end: at midnight on the clocks of the location.
create function voucher_end(last_day date, zone text) returns timestamptz
language sql stable parallel safe as $$
  select (last_day + 1)::timestamp at time zone zone
$$;
