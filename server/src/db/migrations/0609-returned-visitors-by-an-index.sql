-- Returned visitors of a tenant are counted in visitor_device_days, whose rows never change, so an index alone gives them.
create index visitor_device_days_tenant on visitor_device_days (tenant_id, day, visitor_id);
drop index visitor_days_tenant;
