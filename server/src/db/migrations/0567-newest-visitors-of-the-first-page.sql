-- With `before` the planner of a prepared statement read thousands of visitors to find the newest 500. Only the first page looks there.
create or replace function search_visitors(
  pattern text, location_ids uuid[], device_ids uuid[], providers text[], before uuid, max_rows int
) returns setof uuid
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  folded text := fold_text(pattern);
  newest uuid[];
begin
  if max_rows <= 10 and before is null then
    newest := array(
      select v.id from (
        select * from visitors
        where tenant_id = current_tenant()
        order by id desc limit 500) v
      where (location_ids is null or v.location_id = any(location_ids))
        and (device_ids is null or v.device_id is null or v.device_id = any(device_ids))
        and (providers is null or v.provider_type = any(providers))
        and v.search_text like folded
      order by v.id desc limit max_rows);
    if cardinality(newest) = max_rows then
      return query select unnest(newest);
      return;
    end if;
  end if;
  return query execute $query$
    select v.id from visitors v
    where v.tenant_id = $1
      and ($3 is null or v.location_id = any($3))
      and ($4 is null or v.device_id is null or v.device_id = any($4))
      and ($5 is null or v.provider_type = any($5))
      and ($6 is null or v.id < $6)
      and v.search_text like $2
    order by v.id desc
    limit $7
  $query$ using current_tenant(), folded, location_ids, device_ids, providers, before, max_rows;
end $$;
