/* The first word of a new device is told at once: whoever sets it up is waiting for it before the screen. */

create trigger announce_first_seen after update of last_seen_at on devices for each row
  when (old.last_seen_at is null and new.last_seen_at is not null) execute function announce('devices', 'location_id');
