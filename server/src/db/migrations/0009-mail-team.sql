/* Mails to be sent. What they say is encrypted (codes and links are keys) and dropped once they are on their way. */
create table outbox_mails (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  address text not null,
  language text not null check (language in ('tr', 'en')),
  template text not null,
  data text,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
  attempts int not null default 0,
  next_at timestamptz not null default now(),
  last_error text,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  primary key (tenant_id, id)
);
comment on column outbox_mails.data is 'encrypted with SECRET_KEY; null once sent or given up';
create index outbox_mails_due on outbox_mails (next_at) where state = 'waiting';
create index outbox_mails_old on outbox_mails (created_at) where state <> 'waiting';
call isolate('outbox_mails');

/* The code of a forgotten password: one per user, five tries; `sent` counts the codes of an hour. */
create table reset_codes (
  tenant_id uuid not null,
  user_id uuid not null,
  hash bytea not null,
  attempts int not null default 0,
  sent int not null default 1,
  sent_since timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references users on delete cascade
);
call isolate('reset_codes');

/* Links that confirm an address: the new one of a panel user, or a visitor's. */
create table email_confirmations (
  tenant_id uuid not null,
  id uuid not null,
  user_id uuid,
  visitor_id uuid,
  email text not null,
  hash bytea not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  confirmed_at timestamptz,
  primary key (tenant_id, id),
  check (num_nonnulls(user_id, visitor_id) = 1),
  foreign key (tenant_id, user_id) references users on delete cascade,
  foreign key (tenant_id, visitor_id) references visitors on delete cascade
);
create unique index email_confirmations_hash on email_confirmations (tenant_id, hash);
create index email_confirmations_user on email_confirmations (tenant_id, user_id) where user_id is not null;
create index email_confirmations_visitor on email_confirmations (tenant_id, visitor_id) where visitor_id is not null;
create index email_confirmations_old on email_confirmations (expires_at);
call isolate('email_confirmations');

/* device_ids null: every device of the location. */
create table invitations (
  tenant_id uuid not null,
  id uuid not null,
  location_id uuid not null,
  email text not null check (email = lower(email)),
  first_name text not null default '',
  last_name text not null default '',
  permissions text[] not null,
  device_ids uuid[],
  role_ids uuid[] not null default '{}',
  token_hash bytea not null,
  invited_by uuid,
  created_at timestamptz not null default now(),
  sent_at timestamptz not null default now(),
  times_sent int not null default 1,
  expires_at timestamptz not null,
  closed_as text check (closed_as in ('accepted', 'denied', 'cancelled')),
  closed_at timestamptz,
  primary key (tenant_id, id),
  check ((closed_as is null) = (closed_at is null)),
  foreign key (tenant_id, location_id) references locations on delete cascade,
  foreign key (tenant_id, invited_by) references users on delete set null (invited_by)
);
create unique index invitations_token on invitations (tenant_id, token_hash);
create unique index invitations_open on invitations (tenant_id, location_id, email) where closed_as is null;
create index invitations_email on invitations (tenant_id, email) where closed_as is null;
call isolate('invitations');

/* What a user is told in the panel. `once`: a key under which the same is told only one time. */
create table notifications (
  tenant_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  location_id uuid,
  device_id uuid,
  kind text not null,
  data jsonb not null default '{}',
  once text,
  read_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users on delete cascade,
  foreign key (tenant_id, location_id) references locations on delete cascade
);
create index notifications_newest on notifications (tenant_id, user_id, id desc);
create index notifications_unread on notifications (tenant_id, user_id) where read_at is null;
create unique index notifications_once on notifications (tenant_id, user_id, once) where once is not null;
call isolate('notifications');

/* Who did what. Rows are added and never changed, also by those who could: no foreign keys, as they outlive what they tell of. */
create table audit_log (
  tenant_id uuid not null,
  id uuid not null,
  created_at timestamptz not null default now(),
  user_id uuid,
  user_name text not null,
  user_email text not null,
  ip inet,
  verb text not null,
  subject_type text not null,
  subject_id uuid,
  subject_name text not null default '',
  location_id uuid,
  device_id uuid,
  before jsonb,
  after jsonb,
  primary key (tenant_id, id)
);
create index audit_log_location on audit_log (tenant_id, location_id, id desc);
create index audit_log_user on audit_log (tenant_id, user_id, id desc);
call isolate('audit_log');
revoke update, delete, truncate on audit_log from portico_app, portico_system;
create function refuse_change() returns trigger language plpgsql as $$ begin
  raise exception '% is append-only', tg_table_name;
end $$;
create trigger append_only before update or delete or truncate on audit_log for each statement execute function refuse_change();

/* email_confirmed_at null: they registered by themselves and have not shown yet that the address is theirs. */
alter table users
  add column email_confirmed_at timestamptz default now(),
  add column totp_secret text,
  add column totp_enabled boolean not null default false,
  add column totp_step bigint not null default 0,
  add column recovery_codes bytea[] not null default '{}';
comment on column users.totp_secret is 'encrypted with SECRET_KEY';
comment on column users.totp_step is 'the 30-second step of the last code used: an older or equal one is a replay';
