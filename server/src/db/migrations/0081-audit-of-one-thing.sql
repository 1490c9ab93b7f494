-- What was done to one thing, such as the licences of a device: found without reading all of its location.
create index audit_log_subject on audit_log (tenant_id, subject_id, id desc);
