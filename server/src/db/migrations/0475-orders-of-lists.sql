-- For the orders by name of the lists of devices, locations and batches of vouchers.
create index devices_name on devices (tenant_id, location_id, fold_text(name), id);
create index devices_name_of_tenant on devices (tenant_id, fold_text(name), id);
create index locations_by_name on locations (tenant_id, fold_text(name), id);
create index locations_by_name_of_owner on locations (tenant_id, owner_id, fold_text(name), id) where owner_id is not null;
create index voucher_batches_name on voucher_batches (tenant_id, location_id, fold_text(name), id);
create index voucher_batches_name_of_tenant on voucher_batches (tenant_id, fold_text(name), id);
