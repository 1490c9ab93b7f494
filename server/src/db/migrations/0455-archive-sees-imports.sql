-- Changes by an import of a tenant are noted too, so that a month is not dropped with rows that were not copied. Databases in
-- which 0460 comes later get the function from there.
do $do$
begin
  if to_regclass('session_archives') is null then return; end if;
  execute $sql$
create or replace function watch_archive(p_batch bigint) returns void
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
end $$
$sql$;
  -- Their triggers do not see imports: they begin again.
  update session_archives set changed = true where state = 'copying';
end $do$;
