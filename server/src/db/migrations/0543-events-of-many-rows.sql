-- The failure of an import says why, and the events of its rows are sent after the others.
alter table visitor_imports add column problem text generated always as (findings->'problem'->>'key') stored;
drop trigger tell_moments on visitor_imports;
call tell_moments('visitor_imports', 'import',
  '{id, source, file_name, total, created, updated, skipped, problem, started_at, finished_at}', '{created=created_at, read=state:ready, failed=state:failed, started=started_at, finished=state:done}');

-- The deliveries that are there are not.
alter table webhook_deliveries add column later boolean not null default false;
alter table webhook_deliveries alter column later set default coalesce(current_setting('portico.events', true) = 'later', false);
create index webhook_deliveries_next on webhook_deliveries (tenant_id, integration_id, later, id) where state = 'waiting';
