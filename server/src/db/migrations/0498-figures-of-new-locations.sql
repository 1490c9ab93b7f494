-- A location that is created with its time zone has no days of another one, so its first days are compared too.
create or replace function new_days_begin() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into figures_since as f (tenant_id, location_id, day)
  select new.tenant_id, new.id, (now() at time zone 'UTC')::date + 2
  where exists (select from session_days d where d.tenant_id = new.tenant_id and d.location_id = new.id)
    or exists (select from online_sessions o where o.tenant_id = new.tenant_id and o.location_id = new.id)
  on conflict (tenant_id, location_id) do update set day = greatest(f.day, excluded.day);
  return null;
end $$;
