-- The keys of hashes and signatures of a tenant that came from another installation, so that what it printed and stored there
-- stays valid. All processes keep them in memory.
create table tenant_keys (
  tenant uuid primary key,
  keys text not null -- encrypted with SECRET_KEY
);
grant select, insert, update, delete on tenant_keys to portico_system;
