-- Licence rules. The licence columns themselves are in devices and locations.

-- The last second of a day in a time zone: a licence "until" a day includes that day.
-- Where clocks are set back across midnight the day ends twice, and PostgreSQL resolves to the second time.
create function end_of_day(day date, zone text) returns timestamptz
language sql stable parallel safe as $$
  select case when ((next - interval '1 hour') at time zone zone)::date > day then next - interval '1 hour' else next end
    - interval '1 second'
  from (select (day + 1)::timestamp at time zone zone as next) it
$$;

-- Whether a device serves no guests: its location is suspended, or both licences are over (its own and its location's).
-- A licence replaces the trial, so days left of a trial do not extend it. An end holds through the second that it names.
create function out_of_service(d devices, l locations) returns boolean
language sql stable as $$
  select coalesce(l.suspended_at is not null
    or greatest(coalesce(d.license_end_at, d.trial_end_at), coalesce(l.license_end_at, l.trial_end_at)) <= now() - interval '1 second', false)
$$;

create function any_device_serves(l locations) returns boolean
language sql stable as $$
  select exists (select from devices d where d.tenant_id = l.tenant_id and d.location_id = l.id and not out_of_service(d, l))
$$;

-- Whether a location serves guests: 'running', 'suspended', or 'ended': its licence or demo is over, and no device has one of its own.
-- Lists ask for each row. Without a subquery of its own PostgreSQL computes it in place.
create function location_service(l locations) returns text
language sql stable as $$
  select case when l.suspended_at is not null then 'suspended'
    when coalesce(l.license_end_at, l.trial_end_at) <= now() - interval '1 second' and not any_device_serves(l) then 'ended'
    else 'running' end
$$;
