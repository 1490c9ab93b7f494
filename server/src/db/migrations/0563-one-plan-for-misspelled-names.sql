-- Each pattern of a search with a typing error was planned anew, which took a millisecond for each of about thirty.
create or replace function misspelled_names(kind text, patterns text[], max_rows int, places uuid[] default null) returns setof uuid
language plpgsql stable security definer
set search_path = public, pg_temp set enable_seqscan = off set enable_indexscan = off set plan_cache_mode = force_generic_plan as $$
declare
  folded text;
begin
  if kind not in ('locations', 'devices', 'portals', 'voucher_batches') then
    raise exception 'no names of %', kind;
  end if;
  foreach folded in array array(select fold_text(pattern) from unnest(patterns) pattern) loop
    if kind = 'locations' then
      return query
        select t.id from locations t
        where t.tenant_id = current_tenant() and fold_text(t.name) like folded and (places is null or t.id = any(places))
        order by t.id desc limit max_rows;
    end if;
    if kind = 'devices' then
      return query
        select t.id from devices t
        where t.tenant_id = current_tenant() and fold_text(t.name) like folded and (places is null or t.location_id = any(places))
        order by t.id desc limit max_rows;
    end if;
    if kind = 'portals' then
      return query
        select t.id from portals t
        where t.tenant_id = current_tenant() and fold_text(t.name) like folded and (places is null or t.location_id is null or t.location_id = any(places))
        order by t.id desc limit max_rows;
    end if;
    if kind = 'voucher_batches' then
      return query
        select t.id from voucher_batches t
        where t.tenant_id = current_tenant() and fold_text(t.name) like folded and (places is null or t.location_id = any(places))
        order by t.id desc limit max_rows;
    end if;
  end loop;
end $$;
