-- Sessions and sign-in decisions. What the routers tell us is written by the functions of the two files after this one
-- and by nothing else; everybody else reads.

/* A UUIDv7 (RFC 9562), as the application makes them: PostgreSQL has its own from version 18 only. */
create function new_id() returns uuid language sql volatile parallel safe as $$
  select encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1), 'hex')::uuid $$;

/*
 * Open sessions: one row per guest device that is online. No index holds a column that an interim update changes, and the
 * pages keep room, so that an update stays on its page and touches no index (HOT).
 * No foreign keys on sessions: they outlive their visitor, device and location.
 */
create table online_sessions (
  tenant_id uuid not null,
  id uuid not null default new_id(),
  accounting_id bytea not null,
  location_id uuid not null,
  device_id uuid not null,
  network_id uuid,
  visitor_id uuid,
  profile_id uuid,
  user_name text not null default '',
  acct_session_id text not null,
  class text,
  client_mac macaddr,
  client_ip inet,
  started_at timestamptz not null,
  updated_at timestamptz not null,
  seconds bigint not null default 0,
  upload bigint not null default 0,
  download bigint not null default 0,
  interim int not null,
  reopened boolean not null default false,
  day date not null,
  day_ends_at timestamptz not null,
  day_seconds bigint not null default 0,
  day_upload bigint not null default 0,
  day_download bigint not null default 0,
  primary key (tenant_id, id)
) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.05);
comment on column online_sessions.user_name is 'as the router knows it, for Disconnect: a used ticket or a user name';
comment on column online_sessions.interim is 'seconds between updates; learned when a router turns out to be slower than asked';
comment on column online_sessions.day is 'the local day that use is counted on now; day_* is what earlier days already hold';
create unique index online_sessions_accounting on online_sessions (accounting_id);
create unique index online_sessions_guest on online_sessions (tenant_id, device_id, client_mac);
create index online_sessions_newest on online_sessions (tenant_id, started_at desc, id desc);
create index online_sessions_location on online_sessions (tenant_id, location_id, started_at desc, id desc);
create index online_sessions_visitor on online_sessions (tenant_id, visitor_id) where visitor_id is not null;
call isolate('online_sessions');
revoke insert, update, delete on online_sessions from portico_app;

/* Closed sessions, one partition a month. */
create table session_history (
  tenant_id uuid not null,
  id uuid not null,
  accounting_id bytea not null,
  location_id uuid not null,
  device_id uuid not null,
  network_id uuid,
  visitor_id uuid,
  profile_id uuid,
  user_name text not null,
  acct_session_id text not null,
  class text,
  client_mac macaddr,
  client_ip inet,
  started_at timestamptz not null,
  ended_at timestamptz not null,
  seconds bigint not null,
  upload bigint not null,
  download bigint not null,
  interim int not null,
  reopened boolean not null,
  day date not null,
  close_reason text not null check (close_reason in ('stop', 'replaced', 'stale', 'restart')),
  terminate_cause text,
  primary key (tenant_id, id, started_at)
) partition by range (started_at);
comment on column session_history.close_reason is
  'stop: the router said so; replaced: the guest device began another; stale: no update for three intervals; restart: the router went on or off';
comment on column session_history.terminate_cause is 'Acct-Terminate-Cause by its name, RFC 2866 section 5.10';
create index session_history_accounting on session_history (accounting_id);
create index session_history_newest on session_history (tenant_id, started_at desc, id desc);
create index session_history_location on session_history (tenant_id, location_id, started_at desc, id desc);
create index session_history_device on session_history (tenant_id, device_id, started_at desc);
create index session_history_mac on session_history (tenant_id, client_mac, started_at desc);
create index session_history_ip on session_history (tenant_id, client_ip, started_at desc);
create index session_history_visitor on session_history (tenant_id, visitor_id, started_at desc) where visitor_id is not null;
call isolate('session_history');
revoke insert, update, delete on session_history from portico_app;

/* Takes what no month's partition covers, so that a router with a wrong clock cannot stop the others. */
create table session_history_other partition of session_history default;
alter table session_history_other enable row level security;
alter table session_history_other force row level security;

/* Makes the partitions of the months from `behind` ago to `ahead` from now; answers how many were missing. Partitions are
   reached through session_history only: nobody is granted anything on them, and their own row-level security lets nothing by. */
create function ensure_partitions(ahead int, behind int default 1) returns int
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  first date;
  made int := 0;
  part text;
begin
  perform pg_advisory_xact_lock(hashtext('portico.partitions'));
  for first in select generate_series(date_trunc('month', now() at time zone 'UTC') - make_interval(months => behind),
                                      date_trunc('month', now() at time zone 'UTC') + make_interval(months => ahead), '1 month')
  loop
    part := 'session_history_' || to_char(first, 'YYYY_MM');
    continue when to_regclass(part) is not null;
    -- Filled before it is attached, as a month whose rows went to the default partition could not be attached otherwise.
    execute format('create table %I (like session_history including defaults including constraints)', part);
    execute format('with late as (delete from session_history_other where started_at >= %L and started_at < %L returning *)
                    insert into %I select * from late', first::text || ' 00:00+00', (first + interval '1 month')::date::text || ' 00:00+00', part);
    execute format('alter table %I enable row level security', part);
    execute format('alter table %I force row level security', part);
    execute format('alter table session_history attach partition %I for values from (%L) to (%L)',
                   part, first::text || ' 00:00+00', (first + interval '1 month')::date::text || ' 00:00+00');
    made := made + 1;
  end loop;
  return made;
end $$;
revoke execute on function ensure_partitions from public;
grant execute on function ensure_partitions to portico_system;
select ensure_partitions(3);

/* Roll-ups, kept up in the transaction that changes the sessions. A day is one of the location's time zone. What open sessions
   used today is not in them yet: that is online_sessions, upload - day_upload and so on, where day is today. */
create table session_days (
  tenant_id uuid not null,
  location_id uuid not null,
  device_id uuid not null,
  day date not null,
  sessions bigint not null,
  seconds bigint not null,
  upload bigint not null,
  download bigint not null,
  primary key (tenant_id, location_id, day, device_id)
) with (fillfactor = 70);
create index session_days_tenant on session_days (tenant_id, day, location_id);
call isolate('session_days');
revoke insert, update, delete on session_days from portico_app;

create table visitor_days (
  tenant_id uuid not null,
  location_id uuid not null,
  day date not null,
  visitor_id uuid not null,
  sessions int not null,
  upload bigint not null,
  download bigint not null,
  primary key (tenant_id, location_id, day, visitor_id)
) with (fillfactor = 80);
create index visitor_days_tenant on visitor_days (tenant_id, day, visitor_id);
create index visitor_days_visitor on visitor_days (tenant_id, visitor_id, day);
call isolate('visitor_days');
revoke insert, update, delete on visitor_days from portico_app;

/* Each guest device that was ever at a location, with how often and its latest session. */
create table guest_devices (
  tenant_id uuid not null,
  location_id uuid not null,
  client_mac macaddr not null,
  sessions int not null,
  device_id uuid not null,
  visitor_id uuid,
  session_id uuid not null,
  session_started_at timestamptz not null,
  primary key (tenant_id, location_id, client_mac)
) with (fillfactor = 80);
create index guest_devices_often on guest_devices (tenant_id, sessions desc, client_mac) include (device_id) where sessions > 1;
create index guest_devices_location on guest_devices (tenant_id, location_id, sessions desc, client_mac) include (device_id) where sessions > 1;
call isolate('guest_devices');
revoke insert, update, delete on guest_devices from portico_app;

/* An accepted sign-in that waits for its accounting. It counts as a device in use until expires_at, and is kept longer only
   to tell whose session it is when the accounting comes late. One per guest device: a newer sign-in takes the place.
   Written at every sign-in and gone after a day: what is not asked for often has no index, and there are no foreign keys. */
create table admissions (
  tenant_id uuid not null,
  id uuid not null default new_id(),
  class text not null,
  location_id uuid not null,
  device_id uuid not null,
  client_mac macaddr,
  visitor_id uuid,
  profile_id uuid,
  network_id uuid,
  interim int not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (tenant_id, id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
create unique index admissions_class on admissions (tenant_id, device_id, class);
create unique index admissions_guest on admissions (tenant_id, device_id, client_mac) where client_mac is not null;
create index admissions_visitor on admissions (tenant_id, visitor_id) where visitor_id is not null;
call isolate('admissions');
revoke insert, update, delete on admissions from portico_app;

/* What the portal gives a guest to sign in at the router with, as user name and password: once, soon, there and from that device. */
create table tickets (
  tenant_id uuid not null,
  id uuid not null,
  hash bytea not null,
  location_id uuid not null,
  device_id uuid not null,
  visitor_id uuid not null,
  client_mac macaddr,
  provider_slug text not null,
  redirect text not null default '',
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  used_by text,
  class text,
  primary key (tenant_id, id),
  foreign key (tenant_id, location_id) references locations on delete cascade,
  foreign key (tenant_id, device_id) references devices on delete cascade,
  foreign key (tenant_id, visitor_id) references visitors on delete cascade
);
comment on column tickets.hash is 'SHA-256 of the ticket';
comment on column tickets.used_by is 'the request that used it, so that its retransmission gets the same answer';
create unique index tickets_hash on tickets (tenant_id, hash);
create index tickets_visitor on tickets (tenant_id, visitor_id);
create index tickets_expired on tickets (expires_at);
call isolate('tickets');

create table failed_logins (
  tenant_id uuid not null,
  id uuid not null default new_id(),
  location_id uuid not null,
  device_id uuid,
  client_mac macaddr,
  client_ip inet,
  provider_slug text not null,
  params text,
  reason text not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, location_id) references locations on delete cascade,
  foreign key (tenant_id, device_id) references devices on delete set null (device_id)
);
comment on column failed_logins.params is 'what was typed, passwords as dots; JSON encrypted with SECRET_KEY';
create index failed_logins_newest on failed_logins (tenant_id, created_at desc);
create index failed_logins_location on failed_logins (tenant_id, location_id, created_at desc);
call isolate('failed_logins');

/* Orders to routers to end a session. requested_by null: ordered by the rules (reason), not by a person. */
create table kicks (
  tenant_id uuid not null,
  id uuid not null default new_id(),
  session_id uuid not null,
  location_id uuid not null,
  device_id uuid not null,
  state text not null default 'requested' check (state in ('requested', 'acknowledged', 'refused', 'no-answer', 'confirmed')),
  words text not null default '',
  reason text not null check (reason in ('operator', 'licence')),
  requested_by uuid,
  requested_at timestamptz not null default now(),
  sent_at timestamptz,
  answered_at timestamptz,
  confirmed_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, device_id) references devices on delete cascade,
  foreign key (tenant_id, requested_by) references users on delete set null (requested_by)
);
comment on column kicks.words is 'what the router answered';
create index kicks_session on kicks (tenant_id, session_id, requested_at desc);
create index kicks_waiting on kicks (requested_at) where state = 'requested';
call isolate('kicks');
