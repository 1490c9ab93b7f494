-- Text messages. The content is encrypted and deleted once it is sent; recipients are counted by a keyed hash.
create table sms_messages (
  tenant_id uuid not null,
  id uuid not null,
  location_id uuid not null,
  phone_hash bytea not null, -- keyed hash
  client_mac macaddr,
  address inet,
  data text, -- encrypted with SECRET_KEY; null once sent or given up
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'delivered', 'failed')),
  attempts int not null default 0,
  next_at timestamptz not null default now(),
  last_error text,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  integration_id uuid, -- the location's own gateway; null: the installation's
  gateway_id text, -- the id that the gateway gave the message
  recipient text, -- masked
  problem text,
  check_at timestamptz, -- when the gateway is asked next whether it was delivered
  delivered_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, location_id) references locations on delete cascade,
  foreign key (tenant_id, integration_id) references integrations on delete set null (integration_id)
);
create index sms_messages_due on sms_messages (next_at) where state = 'waiting';
create index sms_messages_phone on sms_messages (tenant_id, phone_hash, created_at);
create index sms_messages_mac on sms_messages (tenant_id, client_mac, created_at);
create index sms_messages_address on sms_messages (tenant_id, address, created_at);
create index sms_messages_location on sms_messages (tenant_id, location_id);
create index sms_messages_old on sms_messages (created_at);
create index sms_messages_integration on sms_messages (tenant_id, integration_id, id desc) where integration_id is not null;
create index sms_messages_check on sms_messages (check_at) where check_at is not null;
call isolate('sms_messages');
call tell_moments('sms_messages', 'message', '{id, integration_id, recipient, state, problem, sent_at, delivered_at}',
  '{sent=state:sent, delivered=state:delivered, failed=state:failed}');
