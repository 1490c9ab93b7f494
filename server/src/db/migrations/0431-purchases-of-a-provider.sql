-- For the filter of the purchases by provider.
create index purchases_provider on purchases (tenant_id, provider, created_at desc, id desc);
