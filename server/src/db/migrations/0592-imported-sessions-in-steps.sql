-- A deletion goes on in a job, and so does a reading that failed.
alter table visitor_imports drop constraint visitor_imports_state_check;
alter table visitor_imports add constraint visitor_imports_state_check
  check (state in ('uploading', 'reading', 'failed', 'ready', 'running', 'done', 'deleting'));
alter table visitor_imports add column attempts int not null default 0;
alter table visitor_imports add column next_attempt_at timestamptz not null default now();
create index visitor_imports_deleting on visitor_imports (tenant_id) where state = 'deleting';
alter table imported_sessions drop constraint imported_sessions_tenant_id_location_id_fkey;
alter table imported_sessions drop constraint imported_sessions_tenant_id_visitor_id_fkey;
create index imported_sessions_mac on imported_sessions (tenant_id, client_mac, started_at);
create index imported_sessions_ip on imported_sessions (tenant_id, client_ip, started_at);

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
