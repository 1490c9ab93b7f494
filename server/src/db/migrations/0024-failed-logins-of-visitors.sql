/* Whose attempt it was, where the username told; others are known by the guest device that the visitor uses. */
alter table failed_logins add column visitor_id uuid;
alter table failed_logins add foreign key (tenant_id, visitor_id) references visitors on delete set null (visitor_id);
create index failed_logins_visitor on failed_logins (tenant_id, visitor_id, created_at desc) where visitor_id is not null;
create index failed_logins_mac on failed_logins (tenant_id, client_mac, created_at desc) where client_mac is not null;
