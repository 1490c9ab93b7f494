-- The indexes by name have the order of sort_text. They are built while others read and write:
-- concurrently devices_name_new on devices (tenant_id, location_id, sort_text(name) collate "C", id)
-- concurrently devices_name_of_tenant_new on devices (tenant_id, sort_text(name) collate "C", id)
-- concurrently locations_by_name_new on locations (tenant_id, sort_text(name) collate "C", id)
-- concurrently locations_by_name_of_owner_new on locations (tenant_id, owner_id, sort_text(name) collate "C", id) where owner_id is not null
-- concurrently visitors_name_new on visitors (tenant_id, location_id, sort_text(name) collate "C", id)
-- concurrently visitors_name_of_tenant_new on visitors (tenant_id, sort_text(name) collate "C", id)
-- concurrently voucher_batches_name_new on voucher_batches (tenant_id, location_id, sort_text(name) collate "C", id)
-- concurrently voucher_batches_name_of_tenant_new on voucher_batches (tenant_id, sort_text(name) collate "C", id)
-- The strongest lock first: one who has read the table and then writes to it would wait for the index, and the drop for that one.
drop index devices_name, devices_name_of_tenant, locations_by_name, locations_by_name_of_owner, visitors_name, visitors_name_of_tenant, voucher_batches_name, voucher_batches_name_of_tenant;
create index if not exists devices_name_new on devices (tenant_id, location_id, sort_text(name) collate "C", id);
create index if not exists devices_name_of_tenant_new on devices (tenant_id, sort_text(name) collate "C", id);
create index if not exists locations_by_name_new on locations (tenant_id, sort_text(name) collate "C", id);
create index if not exists locations_by_name_of_owner_new on locations (tenant_id, owner_id, sort_text(name) collate "C", id) where owner_id is not null;
create index if not exists visitors_name_new on visitors (tenant_id, location_id, sort_text(name) collate "C", id);
create index if not exists visitors_name_of_tenant_new on visitors (tenant_id, sort_text(name) collate "C", id);
create index if not exists voucher_batches_name_new on voucher_batches (tenant_id, location_id, sort_text(name) collate "C", id);
create index if not exists voucher_batches_name_of_tenant_new on voucher_batches (tenant_id, sort_text(name) collate "C", id);
alter index devices_name_new rename to devices_name;
alter index devices_name_of_tenant_new rename to devices_name_of_tenant;
alter index locations_by_name_new rename to locations_by_name;
alter index locations_by_name_of_owner_new rename to locations_by_name_of_owner;
alter index visitors_name_new rename to visitors_name;
alter index visitors_name_of_tenant_new rename to visitors_name_of_tenant;
alter index voucher_batches_name_new rename to voucher_batches_name;
alter index voucher_batches_name_of_tenant_new rename to voucher_batches_name_of_tenant;
