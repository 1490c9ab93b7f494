-- The clock was set back. Guests whose access began by the clock that was ahead would be refused until then: it began now, and its
-- end stays. A start that an operator chose is no moment of a sign-in, and stays too: unlike the clock it has no microseconds. A
-- tenant that moves may not be changed.
create or replace function start_visitors_after_clock(back interval) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update visitors v set session_start_at = clock_timestamp()
  where session_start_at > clock_timestamp() and session_start_at <= clock_timestamp() + back + interval '1 minute' -- the look before was some seconds ago
    and (portal_mac is not null and session_start_at <> date_trunc('milliseconds', session_start_at)
      or session_start_at in (created_at, updated_at)
      or exists (select from vouchers k where k.tenant_id = v.tenant_id and k.visitor_id = v.id and k.used_at > clock_timestamp()))
    and tenant_id not in (select tenant from tenant_moves where direction = 'out' or state = 'arriving');
end $$;
