-- Two roles that own no table. Requests of a tenant run as portico_app, behind row-level security.
-- The few tasks that work across tenants (callers of withSystem) run as portico_system.
-- Another installation in the same cluster may have created them already. Every migration starts with this file.
do $$ begin
  if not exists (select from pg_roles where rolname = 'portico_app') then
    create role portico_app nologin;
  end if;
exception when duplicate_object or unique_violation then null;
end $$;
do $$ begin
  if not exists (select from pg_roles where rolname = 'portico_system') then
    create role portico_system nologin;
  end if;
exception when duplicate_object or unique_violation then null;
end $$;
do $$ begin
  execute format('grant portico_app, portico_system to %I', current_user);
exception when others then null;
end $$;
