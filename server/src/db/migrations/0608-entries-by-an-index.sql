-- The rows of an entry of the bell, and its newest one.
create index notifications_entry on notifications (tenant_id, user_id, (case when collected_under is null then id else collected_under end), id);
