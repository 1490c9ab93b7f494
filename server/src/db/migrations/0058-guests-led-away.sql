-- Guests whom a rule has led to an address before their sign-in: they come back to sign in.

create table guests_led_away (
  tenant_id uuid not null,
  rule_id uuid not null,
  device_id uuid not null,
  client_mac macaddr not null,
  led_at timestamptz not null default now(),
  primary key (tenant_id, rule_id, device_id, client_mac),
  foreign key (tenant_id, rule_id) references portal_rules on delete cascade,
  foreign key (tenant_id, device_id) references devices on delete cascade
);
create index guests_led_away_device on guests_led_away (tenant_id, device_id);
create index guests_led_away_old on guests_led_away (led_at);
call isolate('guests_led_away');
