-- Notices for panel users.
create table notifications (
  tenant_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  location_id uuid,
  device_id uuid,
  kind text not null,
  data jsonb not null default '{}',
  dedupe_key text, -- a user gets at most one notification per key
  read_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users on delete cascade,
  foreign key (tenant_id, location_id) references locations on delete cascade
);
create index notifications_newest on notifications (tenant_id, user_id, id desc);
create index notifications_unread on notifications (tenant_id, user_id) where read_at is null;
create unique index notifications_dedupe_key on notifications (tenant_id, user_id, dedupe_key) where dedupe_key is not null;
call isolate('notifications');
