/* Ends the sessions of devices that are about to be deleted: their routers are heard of no more, and nobody could end them. Routers'
   locks are taken as accounting takes them, sorted and before anything is read, so that none of their sessions begins meanwhile. */
create function close_sessions_of(gone uuid[]) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  closings session_closing[];
  deltas usage_delta[];
begin
  perform pg_advisory_xact_lock(key) from (select lock_of('router', id::text) as key from unnest(gone) id order by 1) x;
  closings := array(
    select row(tenant_id, id, updated_at, 'stale', null)::session_closing from online_sessions
    where tenant_id = current_tenant() and device_id = any(gone));
  if closings = '{}' then return; end if;
  deltas := array(select c from close_sessions(closings) c);
  call add_usage(deltas);
  call tell_sessions_changed(deltas);
end $$;
revoke execute on function close_sessions_of from public;
grant execute on function close_sessions_of to portico_app;
grant create on schema public to portico_system;
alter function close_sessions_of owner to portico_system;
revoke create on schema public from portico_system;
