-- The clock was set back. Guests whose access began by the clock that was ahead would be refused until then: it began now, and its
-- end stays. A start that an operator chose is no moment of a sign-in, and stays too. A tenant that moves may not be changed.
create function start_visitors_after_clock(back interval) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update visitors v set session_start_at = clock_timestamp()
  where session_start_at > clock_timestamp() and session_start_at <= clock_timestamp() + back + interval '1 minute' -- the look before was some seconds ago
    and (portal_mac is not null or session_start_at in (created_at, updated_at)
      or exists (select from vouchers k where k.tenant_id = v.tenant_id and k.visitor_id = v.id and k.used_at > clock_timestamp()))
    and tenant_id not in (select tenant from tenant_moves where direction = 'out' or state = 'arriving');
end $$;
revoke execute on function start_visitors_after_clock from public;
alter function start_visitors_after_clock owner to portico_system;

-- Work waits for a stored time. If the clock is set back, it would wait longer by as much. So these times are moved with the clock:
-- those at which work is due, and those at which it was tried last. Leases end within their usual length instead, because two
-- workers must not hold one. Returns by how much the clock was set back; 0: it was not. Called every 15 seconds.
create or replace function follow_clock() returns interval
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  back interval;
  moved record;
begin
  select seen_at - clock_timestamp() into back from clock for update;
  update clock set seen_at = clock_timestamp();
  if back < interval '5 seconds' then
    return interval '0';
  end if;
  for moved in
    select * from (values
      ('outbox_mails', 'next_at'), ('sms_messages', 'next_at'), ('sms_messages', 'check_at'), ('webhook_deliveries', 'next_at'),
      ('push_browsers', 'next_at'), ('router_commands', 'next_at'), ('router_commands', 'sent_at'), ('session_commands', 'sent_at'),
      ('room_charges', 'next_at'), ('purchases', 'check_at'), ('purchases', 'asked_at'), ('licence_payments', 'check_at'),
      ('visitor_imports', 'next_attempt_at'), ('tenant_domains', 'next_check_at'), ('integrations', 'last_tried_at'),
      ('hotel_links', 'asked_at'), ('controller_states', 'tried_at'), ('controller_states', 'asked_at'),
      ('log_streams', 'checked_at'), ('devices', 'pages_checked_at'), ('throttles', 'fading_since'), ('throttles', 'blocked_until'),
      ('throttles', 'under_way_until'), ('throttles', 'expires_at'), ('call_counts', 'window_end'), ('reset_codes', 'sent_since'),
      ('push_browsers', 'hour_at'), ('room_charges', 'give_up_at')
    ) as it (place, moment)
  loop
    -- The domains of a tenant that leaves are seen, but may not be changed.
    execute format('update %I set %2$I = %2$I - $1 where %2$I > clock_timestamp()'
      || case moved.place when 'tenant_domains' then ' and tenant_id not in (select tenant from tenant_moves where direction = ''out'')' else '' end,
      moved.place, moved.moment) using back;
  end loop;
  for moved in
    select * from (values ('hotel_links', 'lease_until', interval '15 seconds'), ('log_streams', 'sealing_until', interval '10 minutes'))
      as it (place, moment, longest)
  loop
    execute format('update %I set %2$I = clock_timestamp() + $1 where %2$I > clock_timestamp() + $1', moved.place, moved.moment)
      using moved.longest;
  end loop;
  perform start_visitors_after_clock(back);
  return back;
end $$;
revoke execute on function follow_clock from public;
alter function follow_clock owner to portico_system;
