alter table portal_ads
  add link text,
  add starts_on date, -- days of the guest's location
  add ends_on date,
  add weekdays int[], -- 1 is Monday; null: every day
  add languages text[], -- null: all
  add weight int not null default 1 check (weight between 1 and 100),
  add daily_cap int check (daily_cap between 1 and 100), -- views per guest device and day
  add check (ends_on >= starts_on);
alter table ad_days add clicks bigint not null default 0;

-- What one guest device has seen and opened today: for the daily cap, and so that each counts one click. Deleted after two days.
create table ad_guests (
  tenant_id uuid not null,
  ad_id uuid not null,
  client_mac macaddr not null,
  day date not null,
  views int not null default 0,
  clicked boolean not null default false,
  primary key (tenant_id, ad_id, client_mac, day),
  foreign key (tenant_id, ad_id) references portal_ads on delete cascade
) with (fillfactor = 70);
create index ad_guests_day on ad_guests (day);
call isolate('ad_guests');
