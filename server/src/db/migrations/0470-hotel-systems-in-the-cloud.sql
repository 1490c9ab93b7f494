-- A hotel system in the cloud tells that something changed; its guests are then read at once.
alter table hotel_links add column asked_at timestamptz;
