-- A guest whose browser refuses cookies is told why RADIUS has refused its ticket.
alter table tickets add column browser text;
create index tickets_browser on tickets (tenant_id, device_id, client_mac, browser) where browser is not null;
