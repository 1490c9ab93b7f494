-- The visitors of this tenant whose texts are most like some words, for a search with a typing error: at most `max_rows`.
-- Runs as portico_system for the reason given at search_visitors.
create function similar_visitors(words text, location_ids uuid[], device_ids uuid[], max_rows int) returns setof uuid
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query execute $query$
    select v.id from visitors v
    where v.tenant_id = $1
      and ($3 is null or v.location_id = any($3))
      and ($4 is null or v.device_id is null or v.device_id = any($4))
      and fold_text($2) <% v.search_text
    order by fold_text($2) <<-> v.search_text, v.id desc
    limit $5
  $query$ using current_tenant(), words, location_ids, device_ids, max_rows;
end $$;
revoke execute on function similar_visitors from public;
grant execute on function similar_visitors to portico_app;
alter function similar_visitors owner to portico_system;
