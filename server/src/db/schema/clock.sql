-- Data ends by the server's clock, and a clock that jumps ahead would erase everything. This one row keeps the latest
-- time that is known to be right. It also keeps since when a time far beyond that one has been doubted.
create table clock (
  singleton boolean default true primary key check (singleton),
  known_at timestamptz not null default now(), -- the latest time known to be right
  checked_at timestamptz not null default now(), -- when the clock was last compared
  doubted_since timestamptz
);

insert into clock default values;
grant select, update on clock to portico_system;

-- Corrects what was written while the clock was ahead. Returns how many devices and sessions were corrected.
create function clamp_future_times() returns int
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  return clamp_future_device_times() + clamp_future_session_times();
end $$;
revoke execute on function clamp_future_times from public;
alter function clamp_future_times owner to portico_system;
