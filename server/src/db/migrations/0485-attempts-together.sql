-- Attempts that begin or end together do it in one transaction.
-- Locks keys in their order, those without a row too, so that two batches of attempts cannot deadlock.
create function lock_throttles(p_keys bytea[]) returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into throttles as t (key, failures, fading_since, blocked_until, under_way, under_way_until, expires_at)
  select key, 0, now(), '-infinity', 0, now(), now() + interval '1 minute' from (select distinct k as key from unnest(p_keys) k) x order by key
  on conflict (key) do update set key = excluded.key where false
$$;
revoke execute on function lock_throttles from public;
alter function lock_throttles owner to portico_system;

-- Several attempts, one after another. The keys of all follow one another; `p_sizes` tells how many each has.
create function begin_attempts(p_sizes int[], p_keys bytea[], p_free int[], p_window_seconds int[]) returns int[]
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  waits int[] := '{}';
  size int;
  first int := 1;
begin
  perform lock_throttles(p_keys);
  foreach size in array p_sizes loop
    waits := waits || begin_attempt(p_keys[first : first + size - 1], p_free[first : first + size - 1],
      p_window_seconds[first : first + size - 1]);
    first := first + size;
  end loop;
  return waits;
end $$;
revoke execute on function begin_attempts from public;
alter function begin_attempts owner to portico_system;

create function end_attempts(p_sizes int[], p_keys bytea[], p_free int[], p_window_seconds int[], p_outcomes text[]) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  size int;
  first int := 1;
begin
  perform from throttles where key = any(p_keys) order by key for update;
  foreach size in array p_sizes loop
    perform end_attempt(p_keys[first : first + size - 1], p_free[first : first + size - 1],
      p_window_seconds[first : first + size - 1], p_outcomes[first : first + size - 1]);
    first := first + size;
  end loop;
end $$;
revoke execute on function end_attempts from public;
alter function end_attempts owner to portico_system;
