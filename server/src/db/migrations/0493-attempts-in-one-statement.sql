-- Attempts that begin or end together are counted in one statement, unless one is refused or failed.

create or replace function begin_attempts(p_sizes int[], p_keys bytea[], p_free int[], p_window_seconds int[]) returns int[]
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  waits int[] := '{}';
  size int;
  first int := 1;
  at timestamptz;
begin
  perform lock_throttles(p_keys);
  at := clock_timestamp();
  -- Mostly all may begin. One statement counts them, because each update of a row that all share takes longer than the one before.
  with counted as (
    select key, count(*)::int as attempts, min(free) as free, min(make_interval(secs => w)) as time_window
    from unnest(p_keys, p_free, p_window_seconds) as it (key, free, w)
    group by key
  ), refused as (
    select from counted c
    join throttles t on t.key = c.key
    where t.blocked_until > at
      or case when t.under_way_until > at then t.under_way else 0 end + c.attempts
        > greatest(1, c.free - failures_left(t.failures, t.fading_since, c.time_window / c.free, at))
  )
  update throttles t set
    under_way = case when t.under_way_until > at then t.under_way else 0 end + c.attempts,
    under_way_until = at + interval '1 minute',
    expires_at = greatest(t.expires_at, at + interval '1 minute')
  from counted c
  where t.key = c.key and not exists (select from refused);
  if found then return array_fill(0, array[cardinality(p_sizes)]); end if;

  foreach size in array p_sizes loop
    waits := waits || begin_attempt(p_keys[first : first + size - 1], p_free[first : first + size - 1],
      p_window_seconds[first : first + size - 1]);
    first := first + size;
  end loop;
  return waits;
end $$;

create or replace function end_attempts(p_sizes int[], p_keys bytea[], p_free int[], p_window_seconds int[], p_outcomes text[]) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  size int;
  first int := 1;
begin
  perform from throttles where key = any(p_keys) order by key for update;
  -- Without a failure their order does not matter.
  if 'failed' <> all (p_outcomes) then
    update throttles t set
      failures = e.failures, blocked_until = e.blocked_until, under_way = greatest(0, t.under_way - e.attempts),
      expires_at = greatest(e.blocked_until, t.under_way_until, t.fading_since + (e.failures + 1) * e.step)
    from (
      select x.key, x.attempts, x.step, case when x.cleared then 0 else b.failures end as failures,
        case when x.cleared then '-infinity' else b.blocked_until end as blocked_until
      from (
        select key, count(*)::int as attempts, bool_or(outcome = 'succeeded') as cleared, min(make_interval(secs => w) / free) as step
        from unnest(p_keys, p_free, p_window_seconds, p_outcomes) as it (key, free, w, outcome)
        group by key) x
      join throttles b on b.key = x.key) e
    where t.key = e.key;
    return;
  end if;
  foreach size in array p_sizes loop
    perform end_attempt(p_keys[first : first + size - 1], p_free[first : first + size - 1],
      p_window_seconds[first : first + size - 1], p_outcomes[first : first + size - 1]);
    first := first + size;
  end loop;
end $$;
