-- Returned visitors of a tenant are counted in visitor_device_days, whose rows never change, so an index alone gives them. It is
-- built while others write:
-- concurrently visitor_device_days_tenant on visitor_device_days (tenant_id, day, visitor_id)
-- The strongest lock first: accounting writes visitor_days and then visitor_device_days, in one transaction.
drop index visitor_days_tenant;
create index if not exists visitor_device_days_tenant on visitor_device_days (tenant_id, day, visitor_id);
