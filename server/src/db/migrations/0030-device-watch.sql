/*
 * Whether a device is there. `expected_within`: so many seconds after it was last heard of, something must come (a poll, an
 * interim update of a guest's session); null: nothing need come, as it has no guests and does not poll.
 */
alter table devices
  add column expected_within int,
  add column down_since timestamptz,
  add column up_since timestamptz,
  add column offline_told boolean not null default false,
  add column offline_told_at timestamptz;
comment on column devices.down_since is 'when it was last heard of before it missed three polls or interims; null: it is there';
create trigger announce_watch after update of down_since on devices for each row execute function announce('devices', 'location_id');
