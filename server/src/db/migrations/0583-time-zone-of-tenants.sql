-- Figures, reports and mails over several locations had the time zone of Istanbul. It is a setting of the tenant now.
alter table tenants add column time_zone text not null default 'Europe/Istanbul';
