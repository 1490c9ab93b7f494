-- The queue of e-mails. The content (codes and links) is encrypted and deleted once it is sent.
create table outbox_mails (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  address text not null,
  language text not null check (language in ('tr', 'en', 'de', 'ru', 'ar', 'fr', 'es', 'it', 'fa', 'uk', 'zh', 'ja')),
  template text not null,
  data text, -- encrypted with SECRET_KEY; null once sent or given up
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
  attempts int not null default 0,
  next_at timestamptz not null default now(),
  last_error text,
  created_at timestamptz not null default now(),
  expires_at timestamptz, -- not sent after that: the code in it is no longer valid
  sent_at timestamptz,
  location_id uuid, -- sent through the location's own mail server, if it has one
  primary key (tenant_id, id),
  foreign key (tenant_id, location_id) references locations on delete set null (location_id)
);
create index outbox_mails_due on outbox_mails (next_at) where state = 'waiting';
create index outbox_mails_old on outbox_mails (created_at) where state <> 'waiting';
-- The mails of a tenant in the last day are counted before another one is queued.
create index outbox_mails_day on outbox_mails (tenant_id, created_at);
create index outbox_mails_location on outbox_mails (tenant_id, location_id) where location_id is not null;
call isolate('outbox_mails');
