-- Ends the running hour of the open sessions of a location whose time zone has changed. What they use from now on counts to the day
-- and the hour of the new zone. The caller holds the locks of its routers. A session that another transaction is closing is
-- skipped, so that neither waits for the other.
create function start_new_hours(p_location uuid) returns void
language sql security definer set search_path = public, pg_temp as $$
  update online_sessions set hour_ends_at = now()
  where tenant_id = current_tenant() and hour_ends_at > now() and id in (
    select id from online_sessions
    where tenant_id = current_tenant() and location_id = p_location
    order by id
    for update skip locked)
$$;
revoke execute on function start_new_hours from public;
grant execute on function start_new_hours to portico_app;
alter function start_new_hours owner to portico_system;
