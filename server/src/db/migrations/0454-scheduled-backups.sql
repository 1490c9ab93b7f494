-- Backups that the jobs make.
alter table installation
  add column backup_of timestamptz,
  add column backup_tried_at timestamptz,
  add column backup_problem text;
