/* The report of multiple sessions counts up to 10,000 guest devices, and asks of each where it was last and since when: read from
   their rows that took three times as long. All of it changes when a session begins, as their number does, which is in it anyway. */
drop index guest_devices_often, guest_devices_location;
create index guest_devices_often on guest_devices (tenant_id, sessions desc, client_mac)
  include (location_id, device_id, session_started_at) where sessions > 1;
create index guest_devices_location on guest_devices (tenant_id, location_id, sessions desc, client_mac)
  include (device_id, session_started_at) where sessions > 1;
