/* What is erased after a time is erased by the server's clock. One that jumped ahead would erase everything: this row keeps the
   latest time that is known to be right, and since when a time far beyond it is looked at with doubt. */
create table clock (
  one boolean primary key default true check (one),
  known_at timestamptz not null default now(),
  looked_at timestamptz not null default now(),
  doubted_since timestamptz
);
insert into clock default values;
grant select, update on clock to portico_system;

/* Nothing was heard of in the future: after a clock that was ahead was put right, such devices and sessions would pass for
   present until it caught up. What they were then heard of is now, and their silence counts from here. Answers how many. */
create function not_after_now(at timestamptz) returns timestamptz language sql stable parallel safe as $$
  select case when at > now() then now() else at end $$;
create function mend_future() returns int language plpgsql security definer set search_path = public, pg_temp as $$
declare
  mended int;
begin
  update devices set last_seen_at = not_after_now(last_seen_at), polled_at = not_after_now(polled_at),
    down_since = not_after_now(down_since), up_since = not_after_now(up_since), auth_seen_at = not_after_now(auth_seen_at),
    acct_seen_at = not_after_now(acct_seen_at), offline_told_at = not_after_now(offline_told_at)
  where greatest(last_seen_at, polled_at, down_since, up_since, offline_told_at) > now() + interval '1 minute';
  get diagnostics mended = row_count;

  with late as (
    update online_sessions o set updated_at = least(o.updated_at, now()),
      started_at = least(o.started_at, now() - make_interval(secs => o.seconds)),
      day = least(o.day, (now() at time zone l.time_zone)::date),
      day_ends_at = least(o.day_ends_at, day_end((now() at time zone l.time_zone)::date, l.time_zone))
    from locations l
    where l.tenant_id = o.tenant_id and l.id = o.location_id and greatest(o.updated_at, o.started_at) > now() + interval '1 minute'
    returning o.tenant_id, o.location_id, o.client_mac, o.id, o.started_at
  ), devices_of_guests as (
    update guest_devices g set session_started_at = late.started_at from late
    where g.tenant_id = late.tenant_id and g.location_id = late.location_id and g.client_mac = late.client_mac and g.session_id = late.id
  )
  select mended + count(*) into mended from late;
  return mended;
end $$;
revoke execute on function mend_future from public;
grant create on schema public to portico_system;
alter function mend_future owner to portico_system;
revoke create on schema public from portico_system;
