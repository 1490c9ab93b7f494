-- Imports from other programs. A file of visitors is read into rows, which a job turns into visitors. A file of past sessions comes
-- in parts, which a job reads into chunks, and then turns into imported_sessions.
create table visitor_imports (
  tenant_id uuid not null,
  id uuid not null,
  location_id uuid not null,
  source text not null check (source in ('freeradius', 'radiusdesk', 'user-manager', 'csv', 'sessions')),
  file_name text not null,
  -- uploading, failed, deleting: only of past sessions; a file of visitors is reading within one transaction
  state text not null default 'ready' check (state in ('uploading', 'reading', 'failed', 'ready', 'running', 'stopped', 'done', 'deleting')), -- stopped: who started it lost the rights to it
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
  attempts int not null default 0, -- to read the file, which failed
  next_attempt_at timestamptz not null default now(),
  problem text generated always as (findings->'problem'->>'key') stored, -- why the file cannot be read, for webhooks
  progress_at timestamptz not null default now(), -- when a part came, a list was read or imported, or the reading ended
  started_by uuid, -- no foreign key: without that account the import stops
  rights jsonb, -- of that account when it started the import
  primary key (tenant_id, id),
  foreign key (tenant_id, location_id) references locations on delete cascade,
  foreign key (tenant_id, created_by) references users on delete set null (created_by)
);
create index visitor_imports_location on visitor_imports (tenant_id, location_id, id desc);
create index visitor_imports_running on visitor_imports (started_at) where state = 'running';
create index visitor_imports_reading on visitor_imports (created_at) where state = 'reading';
create index visitor_imports_deleting on visitor_imports (tenant_id) where state = 'deleting';
create index visitor_imports_old on visitor_imports (created_at);
call isolate('visitor_imports');
call tell_moments('visitor_imports', 'import',
  '{id, source, file_name, total, created, updated, skipped, problem, started_at, finished_at}', '{created=created_at, read=state:ready, failed=state:failed, started=started_at, finished=state:done}');
create trigger tell_deletion after delete on visitor_imports for each row execute function tell_change('import', 'location_id', '{id}', '{}');

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

-- The sessions that were read, until they are imported: a list as JSON.
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
  location_id uuid not null, -- without a foreign key: see forget_imported_sessions
  import_id uuid not null, -- without a foreign key: sessions are deleted before it, in steps
  source_key bytea not null, -- a hash of AcctUniqueId: the same session is imported once
  user_name text not null,
  visitor_id uuid, -- as location_id
  client_mac macaddr,
  client_ip inet,
  nas text not null, -- the address of the router in the other program
  started_at timestamptz not null,
  ended_at timestamptz not null,
  seconds bigint not null,
  upload bigint not null, -- bytes
  download bigint not null, -- bytes
  terminate_cause text not null,
  primary key (tenant_id, id)
);
create unique index imported_sessions_source on imported_sessions (tenant_id, location_id, source_key);
create index imported_sessions_newest on imported_sessions (tenant_id, started_at);
create index imported_sessions_location on imported_sessions (tenant_id, location_id, started_at);
create index imported_sessions_visitor on imported_sessions (tenant_id, visitor_id) where visitor_id is not null;
create index imported_sessions_unknown on imported_sessions (tenant_id, location_id, user_name) where visitor_id is null;
create index imported_sessions_search on imported_sessions using gin (fold_text(user_name) gin_trgm_ops);
create index imported_sessions_import on imported_sessions (tenant_id, import_id);
create index imported_sessions_mac on imported_sessions (tenant_id, client_mac, started_at);
create index imported_sessions_ip on imported_sessions (tenant_id, client_ip, started_at);
create index imported_sessions_old on imported_sessions (ended_at);
call isolate('imported_sessions');

-- Past sessions of this tenant whose user name is like the pattern, or which belong to these visitors: the first of an order, by the time
-- they began. Runs as portico_system for the reason given at search_visitors. The planner expects few matches. So the trigram index
-- is asked for some, and a word that most names have is looked for in the order of time instead.
create function search_imported_sessions(
  pattern text, visitor_ids uuid[], location_ids uuid[], since timestamptz, until timestamptz, oldest_first boolean, max_rows int
) returns setof uuid
language plpgsql stable security definer
set search_path = public, pg_temp set enable_seqscan = off set enable_bitmapscan = on set enable_sort = on as $$
declare
  few constant int := 20000;
  matching constant text := $query$
    from imported_sessions s
    where s.tenant_id = $1
      and (fold_text(s.user_name) like fold_text($2) or s.visitor_id = any($3))
      and ($4 is null or s.location_id = any($4))
      and ($5 is null or s.started_at >= $5)
      and ($6 is null or s.started_at < $6)$query$;
  direction constant text := case when oldest_first then 'asc' else 'desc' end;
  hits uuid[];
begin
  execute format('select array_agg(h.id) from (select s.id %s limit %s) h', matching, few) into hits
  using current_tenant(), pattern, visitor_ids, location_ids, since, until;
  if cardinality(hits) = few then
    perform set_config('enable_bitmapscan', 'off', true), set_config('enable_sort', 'off', true);
    return query execute format('select s.id %1$s order by s.started_at %3$s, s.id %3$s limit %2$s', matching, max_rows, direction)
    using current_tenant(), pattern, visitor_ids, location_ids, since, until;
  else
    return query execute format('select s.id from imported_sessions s where s.tenant_id = $1 and s.id = any($2)
      order by s.started_at %1$s, s.id %1$s limit %2$s', direction, max_rows)
    using current_tenant(), hits;
  end if;
end $$;
revoke execute on function search_imported_sessions from public;
grant execute on function search_imported_sessions to portico_app;
alter function search_imported_sessions owner to portico_system;

-- However a visitor is created, renamed or moved, the past sessions of that name become its own.
create function tie_imported_sessions() returns trigger language plpgsql as $$
begin
  update imported_sessions s set visitor_id = new.id
  where s.tenant_id = new.tenant_id and s.location_id = new.location_id and s.user_name = new.username and s.visitor_id is null;
  return null;
end $$;
create trigger tie_imported_sessions after insert on visitors
  for each row when (new.username is not null) execute function tie_imported_sessions();
create trigger tie_imported_sessions_of_renamed after update of username, location_id on visitors
  for each row when (new.username is not null and (new.username, new.location_id) is distinct from (old.username, old.location_id))
  execute function tie_imported_sessions();

-- Past sessions go with their visitor, also those that only have its name, because they came while it was created. A deleted location
-- may have millions, which a job deletes in steps.
create function forget_imported_sessions() returns trigger language plpgsql as $$
begin
  if exists (select from locations l where l.tenant_id = old.tenant_id and l.id = old.location_id) then
    delete from imported_sessions s where s.tenant_id = old.tenant_id and s.visitor_id = old.id;
    delete from imported_sessions s
    where s.tenant_id = old.tenant_id and s.location_id = old.location_id and s.user_name = old.username and s.visitor_id is null;
  end if;
  return null;
end $$;
create trigger forget_imported_sessions after delete on visitors
  for each row execute function forget_imported_sessions();
create trigger forget_imported_sessions_of_erased after update of erased_at on visitors
  for each row when (new.erased_at is not null and old.erased_at is null) execute function forget_imported_sessions();
