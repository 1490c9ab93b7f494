-- How far the files of a device's chain were brought into the store of LOG_STORE_URL.

alter table log_streams add column stored_length int not null default 0;
