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
