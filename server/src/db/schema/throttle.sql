-- Limits on failed attempts and on mails.
-- Failed attempts per key, shared by all processes. Unlogged: a crash of the database only forgives failures.
create unlogged table throttles (
  key bytea primary key, -- keyed hash of an account, a network, a device …
  failures int not null,
  fading_since timestamptz not null, -- since when the oldest failure fades
  blocked_until timestamptz not null, -- -infinity: not blocked
  under_way int not null,
  under_way_until timestamptz not null, -- a process that died never ends its attempts; they count until then
  expires_at timestamptz not null
);
create index throttles_expired on throttles (expires_at);
grant select, insert, update, delete on throttles to portico_system;

-- How many failures are left at a time: one fades per step.
create function failures_left(failures int, fading_since timestamptz, step interval, at timestamptz) returns int
language sql immutable parallel safe as $$
  -- Another attempt can set `fading_since` after `at` was read.
  select greatest(0, failures - greatest(0, floor(extract(epoch from at - fading_since) / extract(epoch from step))::int))
$$;

-- Begins an attempt under all keys or none. Returns the seconds to wait; 0: begun.
-- Keys are locked in their order, so that two attempts cannot deadlock.
create function begin_attempt(p_keys bytea[], p_free int[], p_window_seconds int[]) returns int
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  k record;
  at timestamptz;
  blocked timestamptz;
  begun bytea[] := '{}';
begin
  for k in
    select key, free, make_interval(secs => w) as time_window from unnest(p_keys, p_free, p_window_seconds) as it (key, free, w) order by key
  loop
    at := clock_timestamp();
    -- Another attempt can insert the row after `at`, so a row that is not blocked must not depend on the time.
    insert into throttles as t (key, failures, fading_since, blocked_until, under_way, under_way_until, expires_at)
    values (k.key, 0, at, '-infinity', 1, at + interval '1 minute', at + k.time_window)
    on conflict (key) do update set
      under_way = case when t.under_way_until > at then t.under_way else 0 end + 1,
      under_way_until = at + interval '1 minute',
      expires_at = greatest(t.expires_at, at + interval '1 minute')
    where t.blocked_until <= at
      and case when t.under_way_until > at then t.under_way else 0 end
        < greatest(1, k.free - failures_left(t.failures, t.fading_since, k.time_window / k.free, at));
    if not found then
      update throttles set under_way = under_way - 1 where key = any(begun);
      select blocked_until into blocked from throttles where key = k.key;
      return greatest(1, ceil(extract(epoch from greatest(blocked, at) - at))::int);
    end if;
    begun := begun || k.key;
  end loop;
  return 0;
end $$;
revoke execute on function begin_attempt from public;
alter function begin_attempt owner to portico_system;
grant execute on function begin_attempt to portico_app;

-- Ends an attempt. Outcome per key: failed (one more), succeeded (none left) or neither.
create function end_attempt(p_keys bytea[], p_free int[], p_window_seconds int[], p_outcomes text[]) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  k record;
  t throttles;
  at timestamptz;
  step interval;
  failed int;
begin
  for k in
    select key, free, make_interval(secs => w) as time_window, outcome
    from unnest(p_keys, p_free, p_window_seconds, p_outcomes) as it (key, free, w, outcome) order by key
  loop
    select * into t from throttles where key = k.key for update;
    at := clock_timestamp();
    step := k.time_window / k.free;
    failed := failures_left(t.failures, t.fading_since, step, at);
    if k.outcome = 'succeeded' then
      t.failures := 0;
      t.blocked_until := '-infinity';
    elsif k.outcome = 'failed' then
      -- Of the failures that are left, the oldest goes on fading.
      t.fading_since := case when failed = 0 then at else t.fading_since + (t.failures - failed) * step end;
      failed := failed + 1;
      if failed >= k.free then
        t.blocked_until := at + least(k.time_window, interval '1 second' * 2 ^ least(failed - k.free, 30));
      end if;
      t.failures := failed;
    end if;
    update throttles set failures = t.failures, fading_since = t.fading_since, blocked_until = t.blocked_until,
      under_way = greatest(0, under_way - 1),
      expires_at = greatest(t.blocked_until, t.under_way_until, t.fading_since + (t.failures + 1) * step)
    where key = k.key;
  end loop;
end $$;
revoke execute on function end_attempt from public;
alter function end_attempt owner to portico_system;
grant execute on function end_attempt to portico_app;

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
revoke execute on function begin_attempts from public;
alter function begin_attempts owner to portico_system;

create function end_attempts(p_sizes int[], p_keys bytea[], p_free int[], p_window_seconds int[], p_outcomes text[]) returns void
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
revoke execute on function end_attempts from public;
alter function end_attempts owner to portico_system;

-- Calls per key since the start of a window, for limits on calls as such. Shared by all processes, and unlogged as above.
create unlogged table call_counts (
  key bytea primary key,
  calls int not null,
  window_end timestamptz not null
);
create index call_counts_ended on call_counts (window_end);
grant select, insert, update, delete on call_counts to portico_system;

-- Takes some calls of a key. Returns the milliseconds until its window ends, negative when too few calls are left.
create function take_calls(p_key bytea, p_calls int, p_limit int, p_window_seconds int) returns int
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  at timestamptz := clock_timestamp();
  taken boolean;
  ends timestamptz;
begin
  insert into call_counts as c (key, calls, window_end)
  values (p_key, p_calls, at + make_interval(secs => p_window_seconds))
  on conflict (key) do update set
    calls = case when c.window_end <= at then 0 else c.calls end + p_calls,
    window_end = case when c.window_end <= at then excluded.window_end else c.window_end end
  where c.window_end <= at or c.calls + p_calls <= p_limit
  returning true, window_end into taken, ends;
  if taken is null then
    select window_end into ends from call_counts where key = p_key;
  end if;
  return ceil(extract(epoch from ends - at) * 1000)::int * case when taken then 1 else -1 end;
end $$;
revoke execute on function take_calls from public;
alter function take_calls owner to portico_system;
grant execute on function take_calls to portico_app;
