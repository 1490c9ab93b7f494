-- What routers log. The lines themselves are files (DATA_DIR/logs); here is how far they were read, what they add up to, and the
-- register of the legal record. Written by the intake and the jobs only. No foreign keys: the record outlives its device.

/* How far the stream of a device's raw lines was read; the counts below hold exactly the lines before `position`. */
create table log_streams (
  tenant_id uuid not null,
  device_id uuid not null,
  position bigint not null,
  day date,
  day_position bigint,
  sealing_until timestamptz not null default '-infinity',
  chain_length int not null default 0,
  chain_head text not null default '',
  stamped_length int not null default 0,
  primary key (tenant_id, device_id)
) with (fillfactor = 70);
comment on column log_streams.day is 'the local day that lines are counted to now, which began at day_position';
comment on column log_streams.sealing_until is 'a process seals or erases files of this device; it lost its claim when this has passed';
comment on column log_streams.chain_head is 'the last hash of the chain of files, as in chain.jsonl';
call isolate('log_streams');
revoke insert, update, delete on log_streams from portico_app;

/* The part of a stream that makes one local day. A day that comes again (a clock was set back) is another part of it. */
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

/* The register: one file per device, type and day. Until it is sealed its lines are in the raw stream. */
create table log_files (
  tenant_id uuid not null,
  id uuid not null default new_id(),
  device_id uuid not null,
  start_position bigint not null,
  type text not null check (type in ('firewall', 'dhcp', 'proxy', 'dns', 'other')),
  day date not null,
  part int not null,
  lines bigint not null,
  bytes bigint not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  sealed_at timestamptz,
  path text,
  file_bytes bigint,
  sha256 text,
  chain_number int,
  chain_previous text,
  erased_at timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, device_id, start_position, type)
);
comment on column log_files.bytes is 'of the lines; file_bytes are those of the compressed file';
create index log_files_device on log_files (tenant_id, device_id, day desc, type, part) where erased_at is null;
create index log_files_age on log_files (day) where erased_at is null;
call isolate('log_files');
revoke insert, update, delete on log_files from portico_app;

/* Lines per minute, sixty to a row: a day of minutes is 24 rows. */
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

/* What guests used, per device and day: all of today's, later the most used only. */
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

/* Sums two lists of sixty. */
create function add_minutes(a int[], b int[]) returns int[] language sql immutable parallel safe
as $$ select array_agg(x + y order by i) from unnest(a, b) with ordinality as t(x, y, i) $$;
