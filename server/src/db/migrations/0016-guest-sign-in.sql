/* Messages to phones. What they say is encrypted and dropped once they are on their way; whom by a keyed hash, to count by. */
create table sms_messages (
  tenant_id uuid not null,
  id uuid not null,
  location_id uuid not null,
  phone_hash bytea not null,
  client_mac macaddr,
  address inet,
  data text,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
  attempts int not null default 0,
  next_at timestamptz not null default now(),
  last_error text,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, location_id) references locations on delete cascade
);
comment on column sms_messages.data is 'encrypted with SECRET_KEY; null once sent or given up';
create index sms_messages_due on sms_messages (next_at) where state = 'waiting';
create index sms_messages_phone on sms_messages (tenant_id, phone_hash, created_at);
create index sms_messages_mac on sms_messages (tenant_id, client_mac, created_at);
create index sms_messages_address on sms_messages (tenant_id, address, created_at);
create index sms_messages_location on sms_messages (tenant_id, location_id);
create index sms_messages_old on sms_messages (created_at);
call isolate('sms_messages');

/* The code that a guest device waits for: good for that device only, so that nobody else can use or spoil it. */
create table sms_codes (
  tenant_id uuid not null,
  location_id uuid not null,
  phone_hash bytea not null,
  client_mac macaddr not null,
  hash bytea not null,
  tries int not null default 0,
  expires_at timestamptz not null,
  primary key (tenant_id, location_id, phone_hash, client_mac),
  foreign key (tenant_id, location_id) references locations on delete cascade
);
create index sms_codes_old on sms_codes (expires_at);
call isolate('sms_codes');

/* The device of a visitor with free access: one visitor per device, for each of these methods. */
alter table visitors add column portal_mac macaddr;
create unique index visitors_portal_mac on visitors (tenant_id, location_id, provider_type, portal_mac) where portal_mac is not null;

/* What guests agreed to, word for word, by a hash of it. */
create table agreement_versions (
  tenant_id uuid not null references tenants on delete cascade,
  version text not null,
  texts jsonb not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, version)
);
call isolate('agreement_versions');

/* Who agreed to it, when first, on which device and in which language. */
create table consents (
  tenant_id uuid not null,
  visitor_id uuid not null,
  client_mac macaddr not null,
  version text not null,
  location_id uuid not null,
  language text not null check (language in ('tr', 'en', 'de', 'ru', 'ar')),
  created_at timestamptz not null default now(),
  primary key (tenant_id, visitor_id, client_mac, version),
  foreign key (tenant_id, visitor_id) references visitors on delete cascade,
  foreign key (tenant_id, location_id) references locations on delete cascade,
  foreign key (tenant_id, version) references agreement_versions
);
create index consents_version on consents (tenant_id, version);
create index consents_location on consents (tenant_id, location_id);
call isolate('consents');
