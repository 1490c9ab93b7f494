-- Two attempts that began a key at the same moment: the later one was refused for a second.
create or replace function failures_left(failures int, fading_since timestamptz, step interval, at timestamptz) returns int
language sql immutable parallel safe as $$
  -- Another attempt can set `fading_since` after `at` was read.
  select greatest(0, failures - greatest(0, floor(extract(epoch from at - fading_since) / extract(epoch from step))::int))
$$;

create or replace function begin_attempt(p_keys bytea[], p_free int[], p_window_seconds int[]) returns int
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

create or replace function end_attempt(p_keys bytea[], p_free int[], p_window_seconds int[], p_outcomes text[]) returns void
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

update throttles set blocked_until = '-infinity' where blocked_until <= now();
