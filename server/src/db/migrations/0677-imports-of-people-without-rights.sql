alter table visitor_imports drop constraint visitor_imports_state_check;
alter table visitor_imports add constraint visitor_imports_state_check
  check (state in ('uploading', 'reading', 'failed', 'ready', 'running', 'stopped', 'done', 'deleting'));
alter table visitor_imports add column started_by uuid; -- no foreign key: without that account the import stops
alter table visitor_imports add column rights jsonb; -- of that account when it started the import
