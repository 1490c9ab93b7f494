-- A closed session is looked up by its id alone, and a guest device's by its MAC alone. They are built while others write:
-- concurrently session_history (id)
-- concurrently session_history (client_mac)
-- The strongest lock first, as in 0501.
lock table session_history in access exclusive mode;
create index session_history_id on session_history (id);
create index session_history_of_mac on session_history (client_mac);
alter table session_history drop constraint session_history_pkey;
drop index session_history_mac;
alter index session_history_of_mac rename to session_history_mac;
-- A month is copied to the archive in the order of the ids.
alter table session_archives drop column copied_tenant;
