/* The history looks for open sessions of one guest device or address too, and without these reads all that are open. */
create index online_sessions_mac on online_sessions (tenant_id, client_mac);
create index online_sessions_ip on online_sessions (tenant_id, client_ip);
