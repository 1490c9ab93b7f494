-- A visitor's first session sent a notice of its own to every process.
drop trigger announce on visitors;
create trigger announce after insert or delete on visitors
  for each row execute function announce('visitors', 'location_id');
-- A visitor's first session sets the device. Screens of visitors hear of sessions too, which RADIUS announces in few notices.
create trigger announce_update after update on visitors
  for each row when (old.device_id is not null or new.device_id is null) execute function announce('visitors', 'location_id');
