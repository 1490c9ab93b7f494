-- Lists find names despite a typing error.
create index locations_folded_name on locations using gin (fold_text(name) gin_trgm_ops);
create index devices_folded_name on devices using gin (fold_text(name) gin_trgm_ops);
create index portals_folded_name on portals using gin (fold_text(name) gin_trgm_ops);
create index voucher_batches_folded_name on voucher_batches using gin (fold_text(name) gin_trgm_ops);

-- The newest things of a kind in this tenant whose name matches one of several LIKE patterns, for a search with a typing error.
-- Runs as portico_system for the reason given at search_visitors. Each pattern asks the trigram index.
create function misspelled_names(kind text, patterns text[], max_rows int) returns setof uuid
language plpgsql stable security definer
set search_path = public, pg_temp set enable_seqscan = off set enable_indexscan = off as $$
declare
  pattern text;
begin
  if kind not in ('locations', 'devices', 'portals', 'voucher_batches') then
    raise exception 'no names of %', kind;
  end if;
  foreach pattern in array patterns loop
    return query execute format($query$
      select t.id from %I t where t.tenant_id = $1 and fold_text(t.name) like fold_text($2) order by t.id desc limit $3
    $query$, kind) using current_tenant(), pattern, max_rows;
  end loop;
end $$;
revoke execute on function misspelled_names from public;
grant execute on function misspelled_names to portico_app;
alter function misspelled_names owner to portico_system;
