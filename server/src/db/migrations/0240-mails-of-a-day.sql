-- The mails of a tenant in the last day are counted before another one is queued.
create index outbox_mails_day on outbox_mails (tenant_id, created_at);
