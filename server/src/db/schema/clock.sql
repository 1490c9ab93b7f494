-- Data ends by the server's clock, and a clock that jumps ahead would erase everything. This one row keeps the latest
-- time that is known to be right. It also keeps since when a time far beyond that one has been doubted.
create table clock (
  singleton boolean default true primary key check (singleton),
  known_at timestamptz not null default now(), -- the latest time known to be right
  checked_at timestamptz not null default now(), -- when the clock was last compared
  doubted_since timestamptz,
  seen_at timestamptz not null default now() -- what the clock said seconds ago; follow_clock sees a clock that was set back
);

insert into clock default values;
grant select, update on clock to portico_system;

-- Corrects what was written while the clock was ahead. Returns how many devices and sessions were corrected.
create function clamp_future_times() returns int
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  return clamp_future_device_times() + clamp_future_session_times();
end $$;
revoke execute on function clamp_future_times from public;
alter function clamp_future_times owner to portico_system;

-- Work waits for a stored time. If the clock is set back, it would wait longer by as much. So these times are moved with the clock:
-- those at which work is due, and those at which it was tried last. Leases end within their usual length instead, because two
-- workers must not hold one. Returns by how much the clock was set back; 0: it was not. Called every 15 seconds.
create function follow_clock() returns interval
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
revoke execute on function follow_clock from public;
alter function follow_clock owner to portico_system;
