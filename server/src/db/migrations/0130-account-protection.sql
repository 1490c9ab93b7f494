-- Limits on failed attempts and on mails.
-- Failed attempts per key, shared by all processes. Unlogged: a crash of the database only forgives failures.
create unlogged table throttles (
  key bytea primary key, -- keyed hash of an account, a network, a device …
  failures int not null,
  fading_since timestamptz not null, -- since when the oldest failure fades
  blocked_until timestamptz not null,
  under_way int not null,
  under_way_until timestamptz not null, -- a process that died never ends its attempts; they count until then
  expires_at timestamptz not null
);
create index throttles_expired on throttles (expires_at);
grant select, insert, update, delete on throttles to portico_system;

-- How many failures are left at a time: one fades per step.
create function failures_left(failures int, fading_since timestamptz, step interval, at timestamptz) returns int
language sql immutable parallel safe as $$
  select greatest(0, failures - floor(extract(epoch from at - fading_since) / extract(epoch from step))::int)
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
    insert into throttles as t (key, failures, fading_since, blocked_until, under_way, under_way_until, expires_at)
    values (k.key, 0, at, at, 1, at + interval '1 minute', at + k.time_window)
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
      return greatest(1, ceil(extract(epoch from blocked - at))::int);
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
      t.blocked_until := at;
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

-- Reset codes per source. Codes that were sent before the upgrade stay valid, for every source.
alter table reset_codes add source bytea;
update reset_codes set source = '';
alter table reset_codes alter source set not null;
alter table reset_codes drop constraint reset_codes_pkey;
alter table reset_codes add primary key (tenant_id, user_id, source);

-- New tenants begin with eight characters; existing ones keep their setting.
alter table tenants alter password_min set default 8;
alter table tenants add registration text not null default 'open' check (registration in ('open', 'invitation'));

-- Host names that lead to a tenant go on doing so.
alter table tenant_domains drop constraint tenant_domains_pkey;
alter table tenant_domains add primary key (tenant_id, host);
alter table tenant_domains add proof text;
update tenant_domains set proof = 'portico=' || replace(gen_random_uuid()::text, '-', '');
alter table tenant_domains alter proof set not null;
alter table tenant_domains add verified_at timestamptz;
update tenant_domains set verified_at = created_at;
create unique index tenant_domains_host on tenant_domains (host) where verified_at is not null;
-- Lets a host name lead to the current tenant. Its DNS has just shown that, so another tenant loses it.
create function verify_domain(p_host text) returns void
language sql security definer set search_path = public, pg_temp as $$
  update tenant_domains set verified_at = null where host = p_host and tenant_id <> current_tenant();
  update tenant_domains set verified_at = now() where host = p_host and tenant_id = current_tenant();
$$;
revoke execute on function verify_domain from public;
alter function verify_domain owner to portico_system;
grant execute on function verify_domain to portico_app;
