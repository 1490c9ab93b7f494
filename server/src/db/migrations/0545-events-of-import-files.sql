-- Webhooks hear that the file of an import was read or cannot be read, and that an import was deleted.
drop trigger tell_moments on visitor_imports;
call tell_moments('visitor_imports', 'import',
  '{id, source, file_name, total, created, updated, skipped, problem, started_at, finished_at}',
  '{created=created_at, read=state:ready, failed=state:failed, started=started_at, finished=state:done}');
create trigger tell_deletion after delete on visitor_imports for each row execute function tell_change('import', 'location_id', '{id}', '{}');
