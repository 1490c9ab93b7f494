-- A search with a typing error looks only at the names of the caller's locations. Processes of the version before call it without them.
drop function misspelled_names(text, text[], int);
create function misspelled_names(kind text, patterns text[], max_rows int, places uuid[] default null) returns setof uuid
language plpgsql stable security definer
set search_path = public, pg_temp set enable_seqscan = off set enable_indexscan = off as $$
declare
  pattern text;
  place text := case kind when 'locations' then 't.id' else 't.location_id' end;
begin
  if kind not in ('locations', 'devices', 'portals', 'voucher_batches') then
    raise exception 'no names of %', kind;
  end if;
  foreach pattern in array patterns loop
    return query execute format($query$
      select t.id from %1$I t
      where t.tenant_id = $1 and fold_text(t.name) like fold_text($2) and ($4 is null or %2$s is null or %2$s = any($4))
      order by t.id desc limit $3
    $query$, kind, place) using current_tenant(), pattern, max_rows, places;
  end loop;
end $$;
revoke execute on function misspelled_names from public;
grant execute on function misspelled_names to portico_app;
alter function misspelled_names owner to portico_system;
