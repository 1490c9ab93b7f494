alter table devices add column deleting_at timestamptz;

-- The reason to refuse a guest device with any credentials, or null. A device that is being deleted takes no guests, because their
-- sessions could not be recorded. If the deletion is broken off, it takes them again after two minutes.
create or replace function device_refusal(d devices, l locations, blocked boolean) returns text
language sql stable as $$
  select case
    when d.id is null then 'unknown_device'
    when out_of_service(d, l) then 'license_over'
    when not d.hotspot_status or d.deleting_at between now() - interval '2 minutes' and now() then 'hotspot_off'
    when blocked then 'blocked'
  end
$$;
