-- Vouchers, with which guests sign in. Their sales have prices in cents.
alter table visitors drop constraint visitors_provider_type_check;
alter table visitors add constraint visitors_provider_type_check
  check (provider_type in ('citizen-id', 'room-number', 'sms', 'username', 'temp', 'email', 'voucher'));

-- A voucher has a number of devices of its own.
create or replace function limits_in_force(v visitors, p profiles, l locations)
returns table (
  shared_user int, session_seconds bigint, day_seconds bigint, total_seconds bigint,
  session_bytes bigint, day_bytes bigint, total_bytes bigint, upload_bps bigint, download_bps bigint, reduced_bps bigint
)
language sql stable as $$
  select
    case when v.special_profile or v.provider_type = 'voucher' then v.shared_user else p.shared_user end,
    case
      when v.special_profile then limit_seconds(v.session_duration)
      when p.id is not null then limit_seconds(p.session_duration)
      when l.time_limit_enabled then
        limit_seconds(jsonb_build_object('is_active', true, 'option', l.time_limit_unit, 'value', l.time_limit))
    end,
    case when v.special_profile is not true then limit_seconds(p.daily_duration) end,
    case when v.special_profile is not true then limit_seconds(p.total_duration) end,
    case when v.special_profile is not true then limit_bytes(p.session_quota) end,
    least(
      case when v.special_profile is not true then limit_bytes(p.daily_quota) end,
      case when l.daily_bandwidth_enabled then
        limit_bytes(jsonb_build_object('is_active', true, 'option', l.daily_bandwidth_unit, 'value', l.daily_bandwidth))
      end),
    case when v.special_profile is not true then limit_bytes(p.total_quota) end,
    case
      when v.special_profile then limit_bps(v.max_upload)
      when p.id is not null then limit_bps(p.max_upload)
      when l.upload_limit_enabled then l.upload_limit * 1000000::bigint
    end,
    case
      when v.special_profile then limit_bps(v.max_download)
      when p.id is not null then limit_bps(p.max_download)
      when l.download_limit_enabled then l.download_limit * 1000000::bigint
    end,
    case when v.special_profile is not true then limit_bps(p.reduced_speed) end
$$;

alter table sales
  alter column unit_price type numeric(14, 2),
  alter column total type numeric(14, 2),
  add column kind text not null default 'days' check (kind in ('days', 'voucher')),
  add column batch_id uuid;
create index sales_batch on sales (tenant_id, batch_id) include (total) where batch_id is not null;

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
create index voucher_batches_profile on voucher_batches (tenant_id, profile_id) where profile_id is not null;
create index voucher_batches_desk on voucher_batches (tenant_id, location_id, name) where at_desk;
call isolate('voucher_batches');
create trigger announce after insert or delete or update on voucher_batches
  for each row execute function announce('vouchers', 'location_id');

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

-- How the printed vouchers of a location look.
create table voucher_cards (
  tenant_id uuid not null,
  location_id uuid not null,
  ssid text not null,
  wifi_password text, -- encrypted with SECRET_KEY; null for an open Wi-Fi
  language text not null check (language in ('tr', 'en', 'de', 'ru', 'ar')),
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
