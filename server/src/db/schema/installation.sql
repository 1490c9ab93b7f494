-- Facts about the whole installation, in one row.
create table installation (
  singleton boolean default true primary key check (singleton),
  key_fingerprint text, -- of SECRET_KEY; another key is refused at the start
  backed_up_at timestamptz,
  hash_keys text, -- the keys of hashes and lasting signatures, encrypted with SECRET_KEY; null until its first rotation
  rotating_to text, -- the fingerprint of the key that values are encrypted with while SECRET_KEY is rotated
  rotating_at timestamptz,
  backup_of timestamptz, -- the time of BACKUP_AT whose backup is made
  backup_tried_at timestamptz,
  backup_problem text, -- why the last one by schedule failed; null after a success
  id uuid not null default gen_random_uuid() -- the places of backups name it; a restored installation keeps it
);
insert into installation default values;
grant select, update on installation to portico_system;
