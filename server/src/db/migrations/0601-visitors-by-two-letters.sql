-- At most `most` visitors of this tenant whose texts have two letters of a to z and 0 to 9 in a row. The index finds them with
-- each character that can follow or come before: ASCII, Latin letters, or an end. So a pair between letters of other scripts is not
-- found. The index cannot use a larger class, or characters from U+0800 on.
create function visitors_with_letters(letters text, most int) returns setof uuid
language plpgsql stable security definer
set search_path = public, pg_temp set enable_seqscan = off set enable_indexscan = off set plan_cache_mode = force_generic_plan as $$
begin
  return query
    select v.id from visitors v
    where v.tenant_id = current_tenant()
      and (v.search_text ~ (letters || '[ -@[-~]') or v.search_text ~ (letters || U&'[\00df-\017e]')
        or v.search_text like '%' || letters
        or v.search_text ~ ('[ -@[-~]' || letters) or v.search_text ~ (U&'[\00df-\017e]' || letters)
        or v.search_text like letters || '%')
    limit most;
end $$;
revoke execute on function visitors_with_letters from public;
alter function visitors_with_letters owner to portico_system;

-- Also finds two letters that few visitors have by the index.
create or replace function search_visitors(
  pattern text, location_ids uuid[], device_ids uuid[], providers text[], before uuid, max_rows int
) returns setof uuid
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  folded text := fold_text(pattern);
  newest uuid[];
  is_common boolean;
  few uuid[];
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
  -- Two letters in a row are no trigram. If the newest visitors hardly have them, all would be read to find a few.
  if folded ~ '^%[a-z0-9]{2}%$' and before is null then
    is_common := count(*) = 10 from (
      select from (
        select search_text from visitors
        where tenant_id = current_tenant()
        order by id desc limit 3000) v
      where v.search_text like folded limit 10) x;
    if not is_common then
      few := array(select visitors_with_letters(substr(folded, 2, 2), 2000));
      if cardinality(few) < 2000 then
        return query
          select v.id from visitors v
          where v.tenant_id = current_tenant() and v.id = any(few)
            and (location_ids is null or v.location_id = any(location_ids))
            and (device_ids is null or v.device_id is null or v.device_id = any(device_ids))
            and (providers is null or v.provider_type = any(providers))
          order by v.id desc
          limit max_rows;
        return;
      end if;
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
