-- Imports of visitors from other programs: a file is read into rows, which a job turns into visitors.
create table visitor_imports (
  tenant_id uuid not null,
  id uuid not null,
  location_id uuid not null,
  source text not null check (source in ('freeradius', 'radiusdesk', 'user-manager', 'csv')),
  file_name text not null,
  state text not null default 'ready' check (state in ('ready', 'running', 'done')),
  existing text not null default 'keep' check (existing in ('keep', 'update')), -- what happens to visitors with the user name
  groups jsonb not null, -- [{name, visitors, hints, profile_id}]
  findings jsonb not null, -- what else the file has: {unknown, passwords, own_limits, accounting}
  total int not null,
  created int not null default 0,
  updated int not null default 0,
  skipped int not null default 0,
  created_by uuid,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, location_id) references locations on delete cascade,
  foreign key (tenant_id, created_by) references users on delete set null (created_by)
);
create index visitor_imports_location on visitor_imports (tenant_id, location_id, id desc);
create index visitor_imports_running on visitor_imports (started_at) where state = 'running';
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
