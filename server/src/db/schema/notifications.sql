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
  way text not null default 'bell' check (way in ('bell', 'mail', 'digest', 'off')), -- as chosen then; off: kept for its key only
  mail_due boolean not null default false, -- waits for its mail
  mailed_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users on delete cascade,
  foreign key (tenant_id, location_id) references locations on delete cascade
);
create index notifications_newest on notifications (tenant_id, user_id, id desc);
create index notifications_unread on notifications (tenant_id, user_id) where read_at is null;
create unique index notifications_dedupe_key on notifications (tenant_id, user_id, dedupe_key) where dedupe_key is not null;
create index notifications_mail_due on notifications (tenant_id, user_id, id) where mail_due;
create index notifications_mailed on notifications (tenant_id, user_id, mailed_at) where mailed_at is not null;
call isolate('notifications');

-- How a user is notified. A kind that is missing in `ways` has its default.
create table notice_settings (
  tenant_id uuid not null,
  user_id uuid not null,
  ways jsonb not null default '{}', -- kind → bell, mail, digest or off
  digest_hour int not null default 8 check (digest_hour between 0 and 23),
  time_zone text, -- of that hour; null: of the location that the first notice is about
  digested_on date, -- the local day of the last daily mail
  updated_at timestamptz not null default now(),
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references users on delete cascade
);
call isolate('notice_settings');

-- Other choices at one location. A kind that is missing follows the user's settings.
create table notice_location_ways (
  tenant_id uuid not null,
  user_id uuid not null,
  location_id uuid not null,
  ways jsonb not null,
  primary key (tenant_id, user_id, location_id),
  foreign key (tenant_id, user_id) references users on delete cascade,
  foreign key (tenant_id, location_id) references locations on delete cascade
);
create index notice_location_ways_location on notice_location_ways (tenant_id, location_id);
call isolate('notice_location_ways');
