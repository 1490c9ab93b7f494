/*
 * Whoever has a licence is on trial no more, so that the days left of a trial do not keep going what a licence has ended: the
 * panel calls a customer stopped whose licence is over, and so do the doors from now on. Either of both, the device's or its
 * location's, is enough, as before.
 */
create or replace function out_of_service(d devices, l locations) returns boolean language sql stable as $$
  select coalesce(l.suspended_at is not null
    or greatest(coalesce(d.license_end_at, d.trial_end_at), coalesce(l.license_end_at, l.trial_end_at)) <= now(), false) $$;
