-- Router logs. The lines themselves are files (DATA_DIR/logs); these tables have the reading positions, the totals and
-- the files of the legal record. Written by the intake and by jobs only. No foreign keys: the record outlives its device.

-- The reading position in the raw stream of a device. The totals below contain exactly the lines before `position`.
create table log_streams (
  tenant_id uuid not null,
  device_id uuid not null,
  position bigint not null, -- byte offset
  day date, -- the current local day of the lines; it began at day_position
  day_position bigint,
  -- a process has claimed the files of this device until then
  sealing_until timestamptz not null default '-infinity',
  chain_length int not null default 0,
  chain_head text not null default '', -- the last hash of the chain of files, as in chain.jsonl
  stamped_length int not null default 0,
  checked_at timestamptz,
  problem text, -- the first finding of the last check, or null
  problem_where text, -- the file or the link of the chain
  stored_length int not null default 0, -- the number of links whose files were moved to the store (LOG_STORE_URL)
  primary key (tenant_id, device_id)
) with (fillfactor = 70);
call isolate('log_streams');
revoke insert, update, delete on log_streams from portico_app;

-- The part of a stream that makes up one local day. A day that occurs again (a clock was set back) is another part.
create table log_days (
  tenant_id uuid not null,
  device_id uuid not null,
  start_position bigint not null,
  end_position bigint,
  day date not null,
  part int not null,
  sealed_at timestamptz,
  primary key (tenant_id, device_id, start_position),
  unique (tenant_id, device_id, day, part)
);
create index log_days_unsealed on log_days (end_position) where sealed_at is null;
call isolate('log_days');
revoke insert, update, delete on log_days from portico_app;

-- The files of the legal record: one per device, type and day. Until a file is sealed, its lines are in the raw stream.
create table log_files (
  tenant_id uuid not null,
  id uuid not null default new_id(),
  device_id uuid not null,
  start_position bigint not null,
  type text not null check (type in ('firewall', 'dhcp', 'proxy', 'dns', 'other')),
  day date not null,
  part int not null,
  lines bigint not null,
  bytes bigint not null, -- of the lines; file_bytes: of the compressed file
  sealed_at timestamptz,
  path text,
  file_bytes bigint,
  sha256 text,
  chain_number int,
  chain_previous text,
  erased_at timestamptz,
  problem text check (problem in ('missing', 'changed')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, device_id, start_position, type)
);
create index log_files_device on log_files (tenant_id, device_id, day desc, type, part) where erased_at is null;
create index log_files_age on log_files (day) where erased_at is null;
call isolate('log_files');
call tell_changes('log_files', 'log_file', 'device_id', '{id, device_id, type, day, part, sealed_at, sha256}', '{problem, erased_at}');
revoke insert, update, delete on log_files from portico_app;

-- Lines per minute: one row per hour with sixty counts.
create table log_hours (
  tenant_id uuid not null,
  device_id uuid not null,
  hour timestamptz not null,
  lines bigint not null,
  minutes int[] not null check (cardinality(minutes) = 60),
  primary key (tenant_id, device_id, hour)
) with (fillfactor = 50);
call isolate('log_hours');
revoke insert, update, delete on log_hours from portico_app;

-- Sites, applications and countries per device and local day. Past days keep the most used ones only.
create table log_tops (
  tenant_id uuid not null,
  device_id uuid not null,
  day date not null,
  kind text not null check (kind in ('website', 'application', 'country')),
  name text not null,
  recv bigint not null,
  sent bigint not null,
  connections bigint not null,
  primary key (tenant_id, device_id, kind, day, name)
) with (fillfactor = 70);
create index log_tops_age on log_tops (day);
call isolate('log_tops');
revoke insert, update, delete on log_tops from portico_app;

-- The same per local hour, for periods with partial days.
create table log_top_hours (
  tenant_id uuid not null,
  device_id uuid not null,
  day date not null,
  hour smallint not null check (hour between 0 and 23),
  kind text not null check (kind in ('website', 'application', 'country')),
  name text not null,
  recv bigint not null,
  sent bigint not null,
  connections bigint not null,
  primary key (tenant_id, device_id, kind, day, hour, name)
) with (fillfactor = 70);
create index log_top_hours_age on log_top_hours (day);
call isolate('log_top_hours');
revoke insert, update, delete on log_top_hours from portico_app;

-- Dropped and truncated lines of a device per day and reason.
create table log_dropped_lines (
  tenant_id uuid not null,
  device_id uuid not null,
  day date not null,
  -- cut: the line was truncated; unnamed: the sender address is shared by several devices;
  -- unproven: the device has not proven the sender address
  reason text not null
    check (reason in ('flood', 'disk_full', 'memory_full', 'device_full', 'unnamed', 'unproven', 'cut', 'logging_off')),
  lines bigint not null,
  last_at timestamptz not null,
  primary key (tenant_id, device_id, day, reason)
);
create index log_dropped_lines_age on log_dropped_lines (day);
call isolate('log_dropped_lines');
revoke insert, update, delete on log_dropped_lines from portico_app;

-- Log traffic of no known device per day.
create table log_overflow (
  day date primary key,
  lines bigint not null, -- datagrams that the kernel dropped
  unknown_lines bigint not null default 0, -- log lines of senders that match no device
  unknown_flows bigint not null default 0 -- NetFlow packets of senders that match no device
);
grant select on log_overflow to portico_app;
grant select, insert, update, delete on log_overflow to portico_system;

-- The outbox of totals for ClickHouse (LOG_DATABASE_URL). Written in the transaction that moves the streams, and deleted once
-- they were sent. ClickHouse uses the id to recognise a batch that it already has.
create table log_outbox (
  id uuid default new_id() primary key,
  created_at timestamptz not null default now(),
  minutes text not null, -- JSONCompactEachRow, one row per line
  tops text not null
);
create index log_outbox_order on log_outbox (created_at, id);
grant select, insert, delete on log_outbox to portico_system;

-- Adds two lists of sixty counts.
create function add_minutes(a int[], b int[]) returns int[]
language sql immutable parallel safe as $$
  select array_agg(x + y order by i) from unnest(a, b) with ordinality as t(x, y, i)
$$;
