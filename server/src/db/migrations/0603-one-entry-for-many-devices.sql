-- Notices of one kind about several devices, such as those of an outage, share an entry of the bell.
alter table notifications add column collected_under uuid;
