/*
 * The newest visitors of this tenant that match a LIKE pattern, at most `most`, and only those older than `after`. Under row-level security a condition that
 * is not leakproof, as ILIKE is, may not use an index; portico_system sees all rows, so here it may. The other conditions
 * are those of the list; null means no condition. Executed as text, because the plan depends on the pattern.
 */
create function search_visitors(pattern text, places uuid[], devices uuid[], providers text[], after uuid, most int)
returns setof uuid language plpgsql stable security definer set search_path = public, pg_temp as $$ begin
  return query execute $query$
    select v.id from visitors v
    where v.tenant_id = $1 and ($3 is null or v.location_id = any($3))
      and ($4 is null or v.device_id is null or v.device_id = any($4)) and ($5 is null or v.provider_type = any($5))
      and ($6 is null or v.id < $6)
      and (v.name || ' ' || coalesce(v.username, '') || ' ' || coalesce(v.email, '') || ' ' || coalesce(v.phone, '') || ' ' || coalesce(v.room_number, ''))
        ilike $2
    order by v.id desc limit $7 $query$ using current_tenant(), pattern, places, devices, providers, after, most;
end $$;
revoke execute on function search_visitors from public;
grant execute on function search_visitors to portico_app;
grant create on schema public to portico_system;
alter function search_visitors owner to portico_system;
revoke create on schema public from portico_system;

/* For sign-in methods that few visitors have. */
create index visitors_provider on visitors (tenant_id, provider_type, id desc);
