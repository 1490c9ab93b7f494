-- Consents of erased visitors told their devices: what is left is that somebody agreed, when and to what.
delete from consents c using consents first, visitors v
where (v.tenant_id, v.id) = (c.tenant_id, c.visitor_id) and v.erased_at is not null
  and (first.tenant_id, first.visitor_id, first.version) = (c.tenant_id, c.visitor_id, c.version)
  and (first.created_at, first.client_mac) < (c.created_at, c.client_mac);
update consents c set client_mac = '00:00:00:00:00:00' from visitors v
where (v.tenant_id, v.id) = (c.tenant_id, c.visitor_id) and v.erased_at is not null;
