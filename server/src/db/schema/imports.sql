-- Imports from other programs. A file of visitors is read into rows, which a job turns into visitors. A file of past sessions comes
-- in parts, which a job reads into chunks, and then turns into imported_sessions.
create table visitor_imports (
  tenant_id uuid not null,
  id uuid not null,
  location_id uuid not null,
  source text not null check (source in ('freeradius', 'radiusdesk', 'user-manager', 'csv', 'sessions')),
  file_name text not null,
  -- uploading, reading, failed: only of past sessions
  state text not null default 'ready' check (state in ('uploading', 'reading', 'failed', 'ready', 'running', 'done')),
  existing text not null default 'keep' check (existing in ('keep', 'update')), -- what happens to visitors with the user name
  groups jsonb not null, -- [{name, visitors, hints, profile_id}]
  findings jsonb not null, -- what else the file has: {unknown, passwords, own_limits, accounting}, or of past sessions {first_at, last_at, skipped, problem}
  total int not null,
  created int not null default 0,
  updated int not null default 0,
  skipped int not null default 0,
  created_by uuid,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  bytes bigint, -- of a file of past sessions
  received bigint not null default 0, -- of these bytes
  primary key (tenant_id, id),
  foreign key (tenant_id, location_id) references locations on delete cascade,
  foreign key (tenant_id, created_by) references users on delete set null (created_by)
);
create index visitor_imports_location on visitor_imports (tenant_id, location_id, id desc);
create index visitor_imports_running on visitor_imports (started_at) where state = 'running';
create index visitor_imports_reading on visitor_imports (created_at) where state = 'reading';
create index visitor_imports_old on visitor_imports (created_at);
call isolate('visitor_imports');
call tell_moments('visitor_imports', 'import',
  '{id, source, file_name, total, created, updated, skipped, started_at, finished_at}', '{created=created_at, started=started_at, finished=state:done}');

create table visitor_import_rows (
  tenant_id uuid not null,
  import_id uuid not null,
  n int not null,
  line int not null, -- of the file, where the user name is first
  username text not null,
  data text, -- the visitor as JSON, encrypted with SECRET_KEY; null with a problem, and once it is skipped
  problem jsonb, -- why the row cannot become a visitor: {key, values}
  done boolean not null default false, -- skipped; rows that became visitors are deleted
  primary key (tenant_id, import_id, n),
  foreign key (tenant_id, import_id) references visitor_imports on delete cascade
);
call isolate('visitor_import_rows');

-- The bytes of a file of past sessions, until they are read.
create table session_import_parts (
  tenant_id uuid not null,
  import_id uuid not null,
  starts_at bigint not null, -- the place of the first byte in the file
  data bytea not null,
  primary key (tenant_id, import_id, starts_at),
  foreign key (tenant_id, import_id) references visitor_imports on delete cascade
);
call isolate('session_import_parts');

-- What was read, until it is imported: a list of sessions as JSON.
create table session_import_chunks (
  tenant_id uuid not null,
  import_id uuid not null,
  n int not null,
  rows int not null,
  data text not null,
  primary key (tenant_id, import_id, n),
  foreign key (tenant_id, import_id) references visitor_imports on delete cascade
);
call isolate('session_import_chunks');

-- Past sessions as another program wrote them. They prove nothing that this product saw, so they have a table of their own: no
-- limit, no figure and no answer of who-was-it reads it. They go with their visitor, and after the retention period.
create table imported_sessions (
  tenant_id uuid not null,
  id uuid not null default new_id(),
  location_id uuid not null,
  import_id uuid not null, -- without a foreign key: the import is forgotten after 30 days
  source_key bytea not null, -- a hash of AcctUniqueId: the same session is imported once
  user_name text not null,
  visitor_id uuid,
  client_mac macaddr,
  client_ip inet,
  nas text not null, -- the address of the router in the other program
  started_at timestamptz not null,
  ended_at timestamptz not null,
  seconds bigint not null,
  upload bigint not null, -- bytes
  download bigint not null, -- bytes
  terminate_cause text not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, location_id) references locations on delete cascade,
  foreign key (tenant_id, visitor_id) references visitors on delete cascade
);
create unique index imported_sessions_source on imported_sessions (tenant_id, location_id, source_key);
create index imported_sessions_newest on imported_sessions (tenant_id, started_at);
create index imported_sessions_location on imported_sessions (tenant_id, location_id, started_at);
create index imported_sessions_visitor on imported_sessions (tenant_id, visitor_id) where visitor_id is not null;
create index imported_sessions_unknown on imported_sessions (tenant_id, location_id, user_name) where visitor_id is null;
create index imported_sessions_search on imported_sessions using gin (fold_text(user_name) gin_trgm_ops);
create index imported_sessions_import on imported_sessions (tenant_id, import_id);
create index imported_sessions_old on imported_sessions (ended_at);
call isolate('imported_sessions');
