-- Ascending, so that new sessions fill the last page of the index and split it no more, and without an id that only breaks ties.
lock table online_sessions in access exclusive mode;
drop index online_sessions_newest, online_sessions_location;
create index online_sessions_newest on online_sessions (tenant_id, started_at);
create index online_sessions_location on online_sessions (tenant_id, location_id, started_at);
