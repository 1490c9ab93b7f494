-- The process that works on a request, so that another one learns at once that it died.
alter table idempotent_replies add column process int;
