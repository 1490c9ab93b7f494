-- A UUIDv7 (RFC 9562) in the order of its microsecond: the twelve bits after the version are the fraction of the
-- millisecond (section 6.2, method 3), as in uuidv7() of PostgreSQL 18.
create or replace function new_id() returns uuid
language sql volatile parallel safe as $$
  select (overlay(lpad(to_hex((date_part('epoch', clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') placing '7' from 13 for 0)
    || substr(gen_random_uuid()::text, 20))::uuid
$$;
