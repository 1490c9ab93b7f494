-- Uploaded pictures are kept in the database, so that every process can serve them. A job stores those of the folder.
alter table pictures add column content bytea;
alter table pictures alter column content set storage external;
-- The jobs of 0.5.0 delete rows whose file is not in their folder. A stored picture goes after its unused days only.
create policy kept on pictures as restrictive for delete to portico_app
  using (content is null or unused_since <= now() - interval '7 days');
