-- Visitors of this tenant that match one of several LIKE patterns, the first patterns first, for a search with a typing error: at
-- most `max_rows`, which are the newest of 500. Runs as portico_system for the reason given at search_visitors. One query with all patterns would read
-- every visitor, because the planner expects each pattern to match many. So each pattern asks the trigram index.
create function misspelled_visitors(patterns text[], location_ids uuid[], device_ids uuid[], max_rows int) returns setof uuid
language plpgsql stable security definer
set search_path = public, pg_temp set enable_seqscan = off set enable_indexscan = off set plan_cache_mode = force_generic_plan as $$
declare
  folded text;
  hits uuid[];
  found_ids uuid[] := '{}';
begin
  foreach folded in array array(select fold_text(pattern) from unnest(patterns) with ordinality p(pattern, at) order by at) loop
    select coalesce(array_agg(h.id), '{}') into hits from (
      select few.id from (
        select v.id from visitors v
        where v.tenant_id = current_tenant()
          and (location_ids is null or v.location_id = any(location_ids))
          and (device_ids is null or v.device_id is null or v.device_id = any(device_ids))
          and v.search_text like folded
          and v.id <> all(found_ids)
        limit 500
      ) few
      order by few.id desc
      limit max_rows - cardinality(found_ids)
    ) h;
    found_ids := found_ids || hits;
    exit when cardinality(found_ids) >= max_rows;
  end loop;
  return query select unnest(found_ids);
end $$;
revoke execute on function misspelled_visitors from public;
grant execute on function misspelled_visitors to portico_app;
alter function misspelled_visitors owner to portico_system;
