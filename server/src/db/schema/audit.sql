-- The actions of users. Rows are only ever added: no role may change or delete them, and no foreign key does.
create table audit_log (
  tenant_id uuid not null,
  id uuid not null,
  created_at timestamptz not null default now(),
  user_id uuid,
  user_name text not null,
  user_email text not null,
  ip inet,
  verb text not null,
  subject_type text not null,
  subject_id uuid,
  subject_name text not null default '',
  location_id uuid,
  device_id uuid,
  before jsonb,
  after jsonb,
  primary key (tenant_id, id)
);
create index audit_log_location on audit_log (tenant_id, location_id, id desc);
create index audit_log_user on audit_log (tenant_id, user_id, id desc);
-- The actions on one object, such as the licences of a device.
create index audit_log_subject on audit_log (tenant_id, subject_id, id desc);
call isolate('audit_log');
call tell_moments('audit_log', 'audit', '{id, user_id, verb, subject_type, subject_id, device_id}', '{recorded=created_at}');

revoke update, delete, truncate on audit_log from portico_app, portico_system;
create function refuse_change() returns trigger
language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;
create trigger append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_change();
