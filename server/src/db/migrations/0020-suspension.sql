/*
 * A customer whose service was stopped by hand: as if its licences were over, whatever they still hold. `suspended_by` is the
 * role of who did it: what an administrator stopped, a reseller cannot set going again.
 */
alter table locations
  add column suspended_at timestamptz,
  add column suspended_by text check (suspended_by in ('reseller', 'tenant-admin')),
  add check ((suspended_at is null) = (suspended_by is null));

/* Whether guests are let in at a device no more: its location is suspended, or both licences are over. */
create function out_of_service(d devices, l locations) returns boolean language sql stable as $$
  select coalesce(l.suspended_at is not null
    or greatest(d.license_end_at, d.trial_end_at, l.license_end_at, l.trial_end_at) <= now(), false) $$;

create or replace function device_refusal(d devices, l locations, blocked boolean) returns text language sql stable as $$
  select case
    when d.id is null then 'unknown_device'
    when out_of_service(d, l) then 'license_over'
    when not d.hotspot_status then 'hotspot_off'
    when blocked then 'blocked'
  end $$;

-- Accounting ends running sessions by the same rule. The rest of the function stays word for word what it is.
do $$
declare
  was text := pg_get_functiondef('account(jsonb)'::regprocedure);
  now_is text := replace(was,
    'coalesce(greatest(d.license_end_at, d.trial_end_at, l.license_end_at, l.trial_end_at) <= now(), false)', 'out_of_service(d, l)');
begin
  if now_is = was then raise exception 'account() has no rule about licences to replace'; end if;
  execute now_is;
end $$;
