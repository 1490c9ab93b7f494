-- Indexes of closed sessions without the columns that no list needs: an id that only breaks ties of the start, the tenant of a
-- visitor or a guest device, and the start of a visitor's few sessions. They are built while others write:
-- concurrently session_history (tenant_id, started_at)
-- concurrently session_history (tenant_id, location_id, started_at)
-- concurrently session_history (client_mac, started_at)
-- concurrently session_history (visitor_id) where visitor_id is not null
-- The strongest lock first: one who has read the table and then writes to it would wait for the indexes, and the drop for that one.
lock table session_history in access exclusive mode;
create index session_history_newest_first on session_history (tenant_id, started_at);
create index session_history_of_location on session_history (tenant_id, location_id, started_at);
create index session_history_of_mac on session_history (client_mac, started_at);
create index session_history_of_visitor on session_history (visitor_id) where visitor_id is not null;
drop index session_history_newest, session_history_location, session_history_mac, session_history_visitor;
alter index session_history_newest_first rename to session_history_newest;
alter index session_history_of_location rename to session_history_location;
alter index session_history_of_mac rename to session_history_mac;
alter index session_history_of_visitor rename to session_history_visitor;
