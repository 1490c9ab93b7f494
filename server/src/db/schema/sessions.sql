-- Sessions, sign-ins and the commands that end or change a session. Routers' packets are written by authorize()
-- (sessions.authorize.sql) and account() (sessions.account.sql) only; portico_app reads these tables.
-- Sessions have no foreign keys, because they outlive their visitor, device and location.

-- Open sessions: one row per guest device that is online. An interim update changes no indexed column, and pages keep
-- free space, so updates stay on their page and touch no index (HOT).
create table online_sessions (
  tenant_id uuid not null,
  id uuid not null default new_id(),
  accounting_id bytea not null, -- accounting_id(): unique across all routers
  location_id uuid not null,
  device_id uuid not null,
  network_id uuid,
  visitor_id uuid,
  profile_id uuid,
  user_name text not null default '', -- User-Name for the Disconnect-Request: a redeemed ticket or a user name
  acct_session_id text not null,
  class text, -- Class, RFC 2865 section 5.25
  client_mac macaddr,
  client_ip inet,
  started_at timestamptz not null,
  updated_at timestamptz not null,
  seconds bigint not null default 0,
  upload bigint not null default 0, -- bytes
  download bigint not null default 0, -- bytes
  interim int not null, -- seconds between updates; raised when the router turns out to be slower than asked
  reopened boolean not null default false,
  day date not null, -- the local day and hour that use is counted for now
  hour smallint not null default 0,
  hour_ends_at timestamptz not null,
  counted_seconds bigint not null default 0, -- what the roll-ups of earlier hours hold already
  counted_upload bigint not null default 0,
  counted_download bigint not null default 0,
  reduced boolean not null default false, -- was told the reduced speed, as a volume was used up
  primary key (tenant_id, id)
) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.05);
create unique index online_sessions_accounting on online_sessions (accounting_id);
create unique index online_sessions_guest on online_sessions (tenant_id, device_id, client_mac);
-- Ascending: PostgreSQL fills the last page of an index, and splits others in half. A page is free again when all of its sessions
-- have ended. So these indexes hold a few times as many entries as there are guests.
create index online_sessions_newest on online_sessions (tenant_id, started_at);
create index online_sessions_location on online_sessions (tenant_id, location_id, started_at);
create index online_sessions_visitor on online_sessions (tenant_id, visitor_id) where visitor_id is not null;
-- The history looks up open sessions by MAC and IP address too.
create index online_sessions_mac on online_sessions (tenant_id, client_mac);
create index online_sessions_ip on online_sessions (tenant_id, client_ip);
-- By its beginning too, which needs the operators of patterns.
create index online_sessions_acct on online_sessions (tenant_id, acct_session_id text_pattern_ops);
call isolate('online_sessions');
revoke insert, update, delete on online_sessions from portico_app;
create trigger set_first_device after insert on online_sessions
  referencing new table as fresh for each statement execute function set_first_device();
create trigger emit_guest_online after insert on online_sessions
  referencing new table as added for each statement execute function emit_guest_online();
create trigger emit_guest_offline after delete on online_sessions
  referencing old table as removed for each statement execute function emit_guest_offline();

-- Closed sessions, one partition per month of started_at (UTC).
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
  day date not null, -- the local day and hour of the last use; the hour is unknown for older sessions
  hour smallint,
  -- stop: Accounting-Stop; replaced: the guest device began another session; roamed: at another router of the location;
  -- stale: three updates missed; restart: the router went on or off
  close_reason text not null check (close_reason in ('stop', 'replaced', 'roamed', 'stale', 'restart')),
  terminate_cause text -- Acct-Terminate-Cause by name, RFC 2866 section 5.10
) partition by range (started_at);
-- The id is unique, because the row comes from online_sessions. A primary key would have to contain the start as well.
create index session_history_id on session_history (id);
create index session_history_accounting on session_history (accounting_id);
-- Most of a session's bytes are in these. Sessions that began in the same microsecond are sorted by the query. A visitor and a
-- MAC have few sessions in other tenants or months, so their indexes leave that out. The others are read alone, to count rows.
create index session_history_newest on session_history (tenant_id, started_at);
create index session_history_location on session_history (tenant_id, location_id, started_at);
create index session_history_device on session_history (tenant_id, device_id, started_at desc);
create index session_history_mac on session_history (client_mac);
create index session_history_ip on session_history (tenant_id, client_ip, started_at desc);
-- With the tenant: routers count these ids up and begin again, so thousands of routers have the same ones.
create index session_history_acct on session_history (tenant_id, acct_session_id text_pattern_ops);
create index session_history_visitor on session_history (visitor_id) where visitor_id is not null;
-- Sessions whose last use was days after their start: the others of a day are found by their start.
create index session_history_long on session_history (tenant_id, location_id, day) where day > (started_at at time zone 'UTC')::date + 1;
call isolate('session_history');
revoke insert, update, delete on session_history from portico_app;

-- Holds what no month's partition covers, so that a router with a wrong clock cannot stop the others.
create table session_history_other partition of session_history default;
alter table session_history_other enable row level security;
alter table session_history_other force row level security;

-- Creates the partitions from `behind` months ago to `ahead` months from now; returns how many were missing.
-- Partitions are reached through session_history only: nothing is granted on them, and their own forced row-level security
-- shows no rows. That holds for an owner who is no superuser too, so it is lifted while their rows are moved.
create function ensure_partitions(ahead int, behind int default 1) returns int
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  first date;
  begins text;
  ends text;
  part text;
  made int := 0;
begin
  perform pg_advisory_xact_lock(hashtext('portico.partitions'));
  for first in
    select generate_series(
      date_trunc('month', now() at time zone 'UTC') - make_interval(months => behind),
      date_trunc('month', now() at time zone 'UTC') + make_interval(months => ahead), '1 month')::date
  loop
    part := 'session_history_' || to_char(first, 'YYYY_MM');
    continue when to_regclass(part) is not null;
    begins := first::text || ' 00:00+00';
    ends := (first + interval '1 month')::date::text || ' 00:00+00';
    -- Filled before it is attached: attaching fails while the default partition holds rows of the month.
    execute format('create table %I (like session_history including defaults including constraints)', part);
    alter table session_history_other no force row level security;
    execute format('with late as (delete from session_history_other where started_at >= %L and started_at < %L returning *)
                    insert into %I select * from late', begins, ends, part);
    alter table session_history_other force row level security;
    execute format('alter table %I enable row level security', part);
    execute format('alter table %I force row level security', part);
    execute format('alter table session_history attach partition %I for values from (%L) to (%L)', part, begins, ends);
    made := made + 1;
  end loop;
  return made;
end $$;
revoke execute on function ensure_partitions from public;
grant execute on function ensure_partitions to portico_system;

-- Drops the empty partitions of months before the last; returns how many. Gives up at once rather than make readers wait.
create function drop_empty_partitions() returns int
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '2s' as $$
declare
  part text;
  first date;
  filled boolean;
  dropped int := 0;
begin
  perform pg_advisory_xact_lock(hashtext('portico.partitions'));
  for part, first in
    select c.relname, to_date(right(c.relname, 7), 'YYYY_MM')
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'session_history'::regclass and c.relname ~ '^session_history_[0-9]{4}_[0-9]{2}$'
    order by 1
  loop
    continue when first >= date_trunc('month', now() at time zone 'UTC') - interval '1 month';
    -- Checked twice: first without a lock, so that none is taken in vain, then with it, so that no row arrives in between.
    continue when exists (
      select from session_history
      where started_at >= (first::text || ' 00:00+00')::timestamptz
        and started_at < ((first + interval '1 month')::date::text || ' 00:00+00')::timestamptz);
    lock table session_history in access exclusive mode;
    -- Row-level security must not hide rows from the check.
    execute format('alter table %I no force row level security', part);
    execute format('select exists (select from %I)', part) into filled;
    if filled then
      execute format('alter table %I force row level security', part);
    else
      execute format('drop table %I', part);
      dropped := dropped + 1;
    end if;
  end loop;
  return dropped;
exception when lock_not_available then
  return 0;
end $$;
revoke execute on function drop_empty_partitions from public;
grant execute on function drop_empty_partitions to portico_system;
select ensure_partitions(3);

-- Daily and hourly totals. Both are updated in the transaction that changes the sessions, so the hours of a day add up to it.
-- Days and hours are those of the location's time zone. Use counts in the hour in which the router reported it.
-- They do not hold yet what open sessions used in their current hour: upload - counted_upload and so on.
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

create table session_hours (
  tenant_id uuid not null,
  location_id uuid not null,
  device_id uuid not null,
  day date not null,
  hour smallint not null,
  sessions bigint not null,
  seconds bigint not null,
  upload bigint not null,
  download bigint not null,
  primary key (tenant_id, location_id, day, hour, device_id)
) with (fillfactor = 70);
create index session_hours_tenant on session_hours (tenant_id, day, location_id);
call isolate('session_hours');
revoke insert, update, delete on session_hours from portico_app;

create table visitor_days (
  tenant_id uuid not null,
  location_id uuid not null,
  day date not null,
  visitor_id uuid not null,
  sessions int not null, -- that began on this day
  upload bigint not null,
  download bigint not null,
  seconds bigint not null default 0,
  primary key (tenant_id, location_id, day, visitor_id)
) with (fillfactor = 80);
create index visitor_days_visitor on visitor_days (tenant_id, visitor_id, day);
call isolate('visitor_days');
revoke insert, update, delete on visitor_days from portico_app;

-- At which device a visitor began a session on which day: returning visitors are counted by device without reading sessions.
create table visitor_device_days (
  tenant_id uuid not null,
  device_id uuid not null,
  day date not null,
  visitor_id uuid not null,
  location_id uuid not null,
  primary key (tenant_id, device_id, day, visitor_id, location_id)
);
create index visitor_device_days_tenant on visitor_device_days (tenant_id, day, visitor_id);
call isolate('visitor_device_days');
revoke insert, update, delete on visitor_device_days from portico_app;

-- The usage of sessions in hours before the one of their last use. With it each total can be computed from the sessions.
-- A session within one hour has no row here. Rows are added by account() and go with their session.
create table session_parts (
  tenant_id uuid not null,
  session_id uuid not null,
  location_id uuid not null,
  device_id uuid not null,
  visitor_id uuid,
  day date not null,
  hour smallint not null,
  seconds bigint not null,
  upload bigint not null,
  download bigint not null,
  primary key (tenant_id, session_id, day, hour)
);
create index session_parts_day on session_parts (tenant_id, location_id, day);
call isolate('session_parts');
revoke insert, update, delete on session_parts from portico_app;

-- Each guest device that was ever at a location: how many sessions it had, and the latest.
-- Two indexes carry the columns of the report of multiple sessions, which reads up to 10,000 of these rows.
create table guest_devices (
  tenant_id uuid not null,
  location_id uuid not null,
  client_mac macaddr not null,
  sessions int not null,
  device_id uuid not null,
  visitor_id uuid,
  session_id uuid not null, -- the latest session
  session_started_at timestamptz not null,
  primary key (tenant_id, location_id, client_mac)
) with (fillfactor = 80);
create index guest_devices_often on guest_devices (tenant_id, sessions desc, client_mac)
  include (location_id, device_id, session_started_at) where sessions > 1;
create index guest_devices_location on guest_devices (tenant_id, location_id, sessions desc, client_mac)
  include (device_id, session_started_at) where sessions > 1;
call isolate('guest_devices');
revoke insert, update, delete on guest_devices from portico_app;

-- Accepted sign-ins that wait for their accounting; a newer sign-in of the guest device replaces the row.
-- An admission counts as a device in use until expires_at. It is kept for a day to identify a session whose accounting is late.
-- Written at every sign-in, so it has few indexes and no foreign keys.
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

-- One-time passwords: the portal gives a guest a ticket, which is then user name and password at the router.
-- Valid once, for a short time, and at the device (and from the MAC) that it was issued for.
create table tickets (
  tenant_id uuid not null,
  id uuid not null,
  hash bytea not null, -- SHA-256 of the ticket
  location_id uuid not null,
  device_id uuid not null,
  visitor_id uuid not null,
  client_mac macaddr,
  provider_slug text not null,
  redirect text not null default '',
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  used_by text, -- the request that redeemed it; its retransmission gets the same answer
  class text,
  pseudo_mac macaddr, -- of the browser, where the router does not tell the client MAC
  login_host text, -- where the guest takes it, if the device has no hotspot_address
  by_address boolean not null default false, -- the guest was recognised by its MAC alone
  remember_token bytea, -- the router's request with this ticket ties the guest device to this token of its browser
  token_before bytea, -- what the browser had before
  browser text, -- the mark of one that has sent no cookie yet
  primary key (tenant_id, id),
  foreign key (tenant_id, location_id) references locations on delete cascade,
  foreign key (tenant_id, device_id) references devices on delete cascade,
  foreign key (tenant_id, visitor_id) references visitors on delete cascade
);
create unique index tickets_hash on tickets (tenant_id, hash);
create index tickets_visitor on tickets (tenant_id, visitor_id);
create index tickets_expired on tickets (expires_at);
create index tickets_browser on tickets (tenant_id, device_id, client_mac, browser) where browser is not null;
create index tickets_pseudo_mac on tickets (tenant_id, device_id, pseudo_mac) where pseudo_mac is not null;
call isolate('tickets');
create trigger learn_login_host after update of used_at on tickets
  for each row when (old.used_at is null and new.used_at is not null and new.login_host is not null) execute function learn_login_host();

create table failed_logins (
  tenant_id uuid not null,
  id uuid not null default new_id(),
  location_id uuid not null,
  device_id uuid,
  client_mac macaddr,
  client_ip inet,
  provider_slug text not null,
  params text, -- what was typed, passwords as dots; JSON encrypted with SECRET_KEY
  reason text not null,
  created_at timestamptz not null default now(),
  visitor_id uuid, -- whose attempt it was, when the user name told; otherwise found by client_mac
  typed_hash bytea, -- keyed hash of the typed name, number or address, by which the search finds the attempt
  primary key (tenant_id, id),
  foreign key (tenant_id, location_id) references locations on delete cascade,
  foreign key (tenant_id, device_id) references devices on delete set null (device_id),
  foreign key (tenant_id, visitor_id) references visitors on delete set null (visitor_id),
  check (typed_hash is null or params is not null)
);
create index failed_logins_newest on failed_logins (tenant_id, created_at desc);
create index failed_logins_location on failed_logins (tenant_id, location_id, created_at desc);
create index failed_logins_visitor on failed_logins (tenant_id, visitor_id, created_at desc) where visitor_id is not null;
create index failed_logins_mac on failed_logins (tenant_id, client_mac, created_at desc) where client_mac is not null;
create index failed_logins_typed on failed_logins (tenant_id, typed_hash, created_at desc) where typed_hash is not null;
create index failed_logins_inputs on failed_logins (created_at) where params is not null;
call isolate('failed_logins');

-- Disconnect and CoA requests (RFC 5176) to routers about one session. requested_by null: sent by a rule, not by a person.
create table session_commands (
  tenant_id uuid not null,
  id uuid not null default new_id(),
  session_id uuid not null,
  location_id uuid not null,
  device_id uuid not null,
  state text not null default 'requested'
    check (state in ('requested', 'acknowledged', 'refused', 'no-answer', 'confirmed')),
  words text not null default '', -- what the router answered
  reason text not null check (reason in ('operator', 'licence', 'blocked', 'stay-over', 'guest', 'limit')),
  requested_by uuid,
  requested_at timestamptz not null default now(),
  sent_at timestamptz,
  answered_at timestamptz,
  confirmed_at timestamptz,
  -- end: Disconnect-Request; change: CoA-Request with new limits
  kind text not null default 'end' check (kind in ('end', 'change')),
  within int, -- seconds in which a gateway that fetches its commands ends the session
  primary key (tenant_id, id),
  foreign key (tenant_id, device_id) references devices on delete cascade,
  foreign key (tenant_id, requested_by) references users on delete set null (requested_by)
);
create index session_commands_session on session_commands (tenant_id, session_id, requested_at desc);
create index session_commands_waiting on session_commands (requested_at) where state = 'requested';
call isolate('session_commands');

-- Trigger: a MAC address that is blocked loses its session now, not when the session would end.
create function disconnect_blocked() returns trigger
language plpgsql as $$
begin
  insert into session_commands (tenant_id, session_id, location_id, device_id, reason)
  select o.tenant_id, o.id, o.location_id, o.device_id, 'blocked'
  from online_sessions o
  where o.tenant_id = new.tenant_id and o.device_id = new.device_id and o.client_mac = new.mac
    and (new.networks = '{}' or o.network_id is null or o.network_id = any(new.networks));
  return null;
end $$;
create trigger disconnect_blocked after insert on mac_rules
  for each row when (new.type = 'blocked') execute function disconnect_blocked();

-- Corrects open sessions that lie in the future, as clamp_future_device_times() does for devices. Returns how many.
create function clamp_future_session_times() returns int
language plpgsql as $$
declare
  corrected int;
begin
  with late as (
    update online_sessions o set
      updated_at = least(o.updated_at, now()),
      started_at = least(o.started_at, now() - make_interval(secs => o.seconds)),
      day = least(o.day, (now() at time zone l.time_zone)::date),
      hour = case when o.updated_at > now() then extract(hour from now() at time zone l.time_zone) else o.hour end,
      hour_ends_at = least(o.hour_ends_at, hour_end(now(), l.time_zone))
    from locations l, online_sessions was
    where l.tenant_id = o.tenant_id and l.id = o.location_id and greatest(o.updated_at, o.started_at) > now() + interval '1 minute'
      and was.tenant_id = o.tenant_id and was.id = o.id
    returning o.tenant_id, o.location_id, o.client_mac, o.id, o.started_at,
      (was.started_at at time zone l.time_zone)::date as counted_on, (o.started_at at time zone l.time_zone)::date as began_on
  ), latest as (
    update guest_devices g set session_started_at = late.started_at
    from late
    where g.tenant_id = late.tenant_id and g.location_id = late.location_id and g.client_mac = late.client_mac
      and g.session_id = late.id
  ), noted as (
    -- They began in another hour now than the one in which they were counted. Counting them here would hold their rows.
    insert into figures_to_repair (tenant_id, location_id, day)
    select distinct tenant_id, location_id, d.day
    from late cross join lateral (values (counted_on), (began_on)) d (day)
  )
  select count(*) into corrected from late;
  return corrected;
end $$;
revoke execute on function clamp_future_session_times from public;
grant execute on function clamp_future_session_times to portico_system;
