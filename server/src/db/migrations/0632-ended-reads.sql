-- A guest waits for a read that has begun, also in another process.
alter table integrations add column last_ended_try timestamptz;
update integrations set last_ended_try = last_tried_at;

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
      ('visitor_imports', 'next_attempt_at'), ('tenant_domains', 'next_check_at'), ('integrations', 'last_tried_at'), ('integrations', 'last_ended_try'),
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
