-- The newest visitors of this tenant that match one of several LIKE patterns, for a search with a typing error: at most `max_rows`.
-- Runs as portico_system for the reason given at search_visitors.
create function misspelled_visitors(patterns text[], location_ids uuid[], device_ids uuid[], max_rows int) returns setof uuid
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query execute $query$
    select v.id from visitors v
    where v.tenant_id = $1
      and ($3 is null or v.location_id = any($3))
      and ($4 is null or v.device_id is null or v.device_id = any($4))
      and v.search_text like any($2)
    order by v.id desc
    limit $5
  $query$ using current_tenant(), array(select fold_text(pattern) from unnest(patterns) pattern), location_ids, device_ids, max_rows;
end $$;
revoke execute on function misspelled_visitors from public;
grant execute on function misspelled_visitors to portico_app;
alter function misspelled_visitors owner to portico_system;
