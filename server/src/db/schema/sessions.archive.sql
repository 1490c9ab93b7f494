-- The archive: months of the history that moved to ClickHouse (docs/decisions/153, 154).

-- One copy of a month. A month has several when a copy began again, or rows turned up after the first move. Readers go by the
-- state: of an archived batch all rows are in ClickHouse, of any other all rows are here. So it changes in the transaction that
-- drops the rows here. It belongs to the installation, not to a tenant.
create table session_archives (
  batch bigint primary key, -- the second in which it began, or one later: a number is never used again
  month date not null, -- its first day
  state text not null default 'copying' check (state in ('copying', 'archived', 'dropping')),
  watched boolean not null default false, -- changes of the month are noted
  changed boolean not null default false, -- a row changed since the copy began, which therefore begins again
  copied_id uuid, -- of the last row that was copied, in the order of the ids
  rows bigint not null default 0, -- how many ClickHouse must have
  kept_after timestamptz not null, -- sessions that ended later stay here, because a router may still report them
  last_ended_at timestamptz,
  changed_at timestamptz not null default now() -- of the state
);
create unique index session_archives_copying on session_archives (month) where state = 'copying';
grant select on session_archives to portico_app;
grant select, insert, update, delete on session_archives to portico_system;

-- Visitors whose user names are to be blanked in ClickHouse: written in the transaction that erases them, deleted once done.
create table session_archive_erasures (
  tenant_id uuid not null,
  visitor_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, visitor_id)
);
call isolate('session_archive_erasures');

-- Trigger on the partition of a month that is being copied. An old month hardly ever changes, so it costs nothing.
create function note_archive_change() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update session_archives set changed = true where batch = tg_argv[0]::bigint and not changed;
  return null;
end $$;

-- Adds the copy of a month, unless it is under way.
create function add_archive(p_month date, p_kept_after timestamptz, p_watched boolean) returns bigint
language sql as $$
  insert into session_archives (batch, month, kept_after, watched)
  select greatest(extract(epoch from clock_timestamp())::bigint, max(batch) + 1), p_month, p_kept_after, p_watched from session_archives
  on conflict do nothing
  returning batch
$$;

-- Begins a copy again, as a batch with another number. From now on changes of the month are noted. Gives up rather than make
-- writers wait.
create function watch_archive(p_batch bigint) returns void
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '2s' as $$
declare
  it session_archives;
  part text;
begin
  perform pg_advisory_xact_lock(hashtext('portico.partitions'));
  update session_archives set state = 'dropping', changed_at = now() where batch = p_batch and state = 'copying' returning * into it;
  -- Another process was faster.
  if it.batch is null then return; end if;
  -- The lock waits for writers that the trigger would miss.
  part := 'session_history_' || to_char(it.month, 'YYYY_MM');
  execute format('create or replace trigger note_archive_change after insert or update or delete on %I
    for each row execute function note_archive_change(%L)', part, add_archive(it.month, it.kept_after, true));
  -- A tenant that arrives is loaded with session_replication_role = replica.
  execute format('alter table %I enable always trigger note_archive_change', part);
end $$;
revoke execute on function watch_archive from public;
grant execute on function watch_archive to portico_system;

-- Drops the partition of a month whose rows are in ClickHouse, and says so to readers, in one transaction. `kept`: the
-- sessions that stay; they move to session_history_other. Returns false if a row changed meanwhile or a lock was not to be had.
create function drop_archived(p_batch bigint, kept_tenants uuid[], kept_ids uuid[]) returns boolean
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '1s' as $$
declare
  it session_archives;
  part text;
  moved bigint;
begin
  perform pg_advisory_xact_lock(hashtext('portico.partitions'));
  -- Readers and writers wait for this lock, so nothing below it takes long.
  lock table session_history in access exclusive mode;
  select * into it from session_archives where batch = p_batch for update;
  if it.state is distinct from 'copying' or it.changed or not it.watched then return false; end if;
  part := 'session_history_' || to_char(it.month, 'YYYY_MM');
  execute format('alter table session_history detach partition %I', part);
  if kept_ids <> '{}' then
    -- The wall hides rows from an owner who is no superuser.
    execute format('alter table %I no force row level security', part);
    alter table session_history_other no force row level security;
    execute format('insert into session_history_other
      select * from %I where (tenant_id, id) in (select * from unnest($1, $2))', part) using kept_tenants, kept_ids;
    get diagnostics moved = row_count;
    alter table session_history_other force row level security;
    if moved <> cardinality(kept_ids) then
      raise exception 'Sessions that stay were not found: % of %', moved, cardinality(kept_ids);
    end if;
  end if;
  execute format('drop table %I', part);
  update session_archives set state = 'archived', changed_at = now() where batch = p_batch;
  return true;
exception when lock_not_available then
  return false;
end $$;
revoke execute on function drop_archived from public;
grant execute on function drop_archived to portico_system;
