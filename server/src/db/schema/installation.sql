-- Facts about the whole installation, in one row.
create table installation (
  singleton boolean default true primary key check (singleton),
  key_fingerprint text, -- of SECRET_KEY; another key is refused at the start
  backed_up_at timestamptz
);
insert into installation default values;
grant select, update on installation to portico_system;
