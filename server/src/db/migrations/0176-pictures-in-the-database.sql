-- Uploaded pictures are kept in the database, so that every process can serve them. A job stores those of the folder.
alter table pictures add column content bytea;
alter table pictures alter column content set storage external;
