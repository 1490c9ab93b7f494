-- A dot after the last number is no part of an address.
create or replace function parse_ip(t text) returns inet
language sql immutable parallel safe as $$
  select case when t ~ '^((25[0-5]|2[0-4]\d|1?\d?\d)(\.(?=.)|$)){4}$' then t::inet end
$$;
