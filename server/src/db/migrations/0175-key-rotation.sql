-- SECRET_KEY can be replaced while the product runs.
alter table installation
  add column hash_keys text,
  add column rotating_to text,
  add column rotating_at timestamptz;
grant update on radsec_authority to portico_system;
