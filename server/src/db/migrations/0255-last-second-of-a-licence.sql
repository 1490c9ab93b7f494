-- A licence until a day ends at 23:59:59 of that day, and that second is part of it.
create or replace function out_of_service(d devices, l locations) returns boolean
language sql stable as $$
  select coalesce(l.suspended_at is not null
    or greatest(coalesce(d.license_end_at, d.trial_end_at), coalesce(l.license_end_at, l.trial_end_at)) <= now() - interval '1 second', false)
$$;
