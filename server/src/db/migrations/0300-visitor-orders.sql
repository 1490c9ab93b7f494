-- The visitor list can be ordered by name and by the end of the access, and filtered by status.
create index visitors_name on visitors (tenant_id, location_id, fold_text(name), id);
create index visitors_name_of_tenant on visitors (tenant_id, fold_text(name), id);
create index visitors_end on visitors (tenant_id, location_id, session_end_at, id);
create index visitors_end_of_tenant on visitors (tenant_id, session_end_at, id);
-- For statuses that few visitors have.
create index visitors_paused on visitors (tenant_id, id desc) where blocked;
create index visitors_later on visitors (tenant_id, session_start_at) where session_start_at is not null;
create index visitors_erased on visitors (tenant_id, id desc) where erased_at is not null;
