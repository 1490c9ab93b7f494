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
  way text not null default 'bell' check (way in ('bell', 'push', 'mail', 'digest', 'off')), -- as chosen then; off: kept for its key only
  mail_due boolean not null default false, -- waits for its mail
  mailed_at timestamptz,
  permission text, -- which a member needs to see it
  collected_under uuid, -- the first notice of the entry that shows several devices as one; null: its own entry
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users on delete cascade,
  foreign key (tenant_id, location_id) references locations on delete cascade
);
create index notifications_newest on notifications (tenant_id, user_id, id desc);
create index notifications_entry on notifications (tenant_id, user_id, (case when collected_under is null then id else collected_under end), id);
create index notifications_unread on notifications (tenant_id, user_id) where read_at is null;
create unique index notifications_dedupe_key on notifications (tenant_id, user_id, dedupe_key) where dedupe_key is not null;
create index notifications_mail_due on notifications (tenant_id, user_id, id) where mail_due;
create index notifications_mailed on notifications (tenant_id, user_id, mailed_at) where mailed_at is not null;
call isolate('notifications');

-- How a user is notified. A kind that is missing in `ways` has its default.
create table notice_settings (
  tenant_id uuid not null,
  user_id uuid not null,
  ways jsonb not null default '{}', -- kind → bell, push, mail, digest or off
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

-- The key pair by which push services know this installation (VAPID, RFC 8292). One for all tenants.
create table push_keys (
  id int default 1 primary key check (id = 1),
  private_key text not null, -- JWK, encrypted with SECRET_KEY
  public_key text not null, -- the point, base64url, which browsers subscribe with
  created_at timestamptz not null default now()
);
grant select, insert, update on push_keys to portico_system;

-- Browsers that show notices of their user (Web Push, RFC 8030).
create table push_browsers (
  tenant_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  token_id uuid, -- the sign-in that added it; null once that ended by its time
  fingerprint bytea not null, -- SHA-256 of the address
  subscription text not null, -- address and keys of the browser; JSON, encrypted with SECRET_KEY
  server_key text not null, -- the public key that it subscribed with. The push service refuses any other.
  service text not null, -- the host of its push service
  name text not null, -- such as `Chrome, Windows`
  attempts int not null default 0, -- since the last notice that was accepted
  next_at timestamptz not null default now(),
  problem text check (problem in ('unreachable', 'refused')),
  sent_at timestamptz,
  hour_at timestamptz not null default now(), -- when the hour began in which `hour_sent` were sent
  hour_sent int not null default 0,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users on delete cascade,
  foreign key (tenant_id, token_id) references tokens on delete set null (token_id)
);
create unique index push_browsers_fingerprint on push_browsers (tenant_id, fingerprint);
create index push_browsers_user on push_browsers (tenant_id, user_id, created_at);
create index push_browsers_token on push_browsers (tenant_id, token_id) where token_id is not null;
call isolate('push_browsers');

-- The notices that a browser has not shown yet.
create table push_notices (
  tenant_id uuid not null,
  browser_id uuid not null,
  notification_id uuid not null,
  primary key (tenant_id, browser_id, notification_id),
  foreign key (tenant_id, browser_id) references push_browsers on delete cascade,
  foreign key (tenant_id, notification_id) references notifications on delete cascade
);
create index push_notices_notification on push_notices (tenant_id, notification_id);
call isolate('push_notices');

-- Signing out in a browser, or ending its sign-in from elsewhere, ends its notices too. A sign-in that ran out of time does not.
create function end_push() returns trigger
language plpgsql as $$
begin
  delete from push_browsers where tenant_id = old.tenant_id and token_id = old.id;
  return old;
end $$;
create trigger end_push before delete on tokens for each row when (old.expires_at > now() and old.scopes is null) execute function end_push();

-- A new password also ends the notices of browsers whose sign-in had run out: their sign-in is not there to be ended.
create function end_old_push() returns trigger
language plpgsql as $$
begin
  delete from push_browsers b where b.tenant_id = new.tenant_id and b.user_id = new.id and not exists (
    select from tokens t where t.tenant_id = b.tenant_id and t.id = b.token_id and t.expires_at > now());
  return null;
end $$;
create trigger end_old_push after update of password_hash on users for each row
  when (old.password_hash is distinct from new.password_hash) execute function end_old_push();
