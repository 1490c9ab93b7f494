/*
 * How a text is compared in a search: I is the capital of ı to some and of i to others, and many keyboards have no ş. Written
 * out rather than left to unaccent, which knows nothing of ı, and to the collation, whose idea of I is another on each server.
 */
create function folded(t text) returns text language sql immutable strict parallel safe
  return lower(translate(normalize(t), 'ÇçĞğıİIÎîÍíÌìÏïÖöÓóÒòÔôÕõŞşÜüÛûÚúÙùÂâÄäÁáÀàÃãÅåÉéÈèÊêËëÑñ', 'ccggiiiiiiiiiiioooooooooossuuuuuuuuaaaaaaaaaaaaeeeeeeeenn'));

drop index visitors_search;
create index visitors_search on visitors using gin (folded(
  name || ' ' || coalesce(username, '') || ' ' || coalesce(email, '') || ' ' || coalesce(phone, '') || ' ' || coalesce(room_number, '')) gin_trgm_ops);

-- As in 0007, where it says why; what differs is the comparison.
create or replace function search_visitors(pattern text, places uuid[], devices uuid[], providers text[], after uuid, most int)
returns setof uuid language plpgsql stable security definer set search_path = public, pg_temp as $$ begin
  return query execute $query$
    select v.id from visitors v
    where v.tenant_id = $1 and ($3 is null or v.location_id = any($3))
      and ($4 is null or v.device_id is null or v.device_id = any($4)) and ($5 is null or v.provider_type = any($5))
      and ($6 is null or v.id < $6)
      and folded(v.name || ' ' || coalesce(v.username, '') || ' ' || coalesce(v.email, '') || ' ' || coalesce(v.phone, '') || ' ' || coalesce(v.room_number, ''))
        like folded($2)
    order by v.id desc limit $7 $query$ using current_tenant(), pattern, places, devices, providers, after, most;
end $$;
