/* Row security is forced on the tables of months, and they have no policies of their own: an owner who is no superuser sees no row in
   them by their names. So the default partition seemed empty to it, and a month whose sessions had come too early never got its table.
   While these functions work on a table, which they hold alone, its owner is not held to it. */
create or replace function ensure_partitions(ahead int, behind int default 1) returns int
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  first date;
  made int := 0;
  part text;
begin
  perform pg_advisory_xact_lock(hashtext('portico.partitions'));
  for first in select generate_series(date_trunc('month', now() at time zone 'UTC') - make_interval(months => behind),
                                      date_trunc('month', now() at time zone 'UTC') + make_interval(months => ahead), '1 month')::date
  loop
    part := 'session_history_' || to_char(first, 'YYYY_MM');
    continue when to_regclass(part) is not null;
    -- Filled before it is attached, as a month whose rows went to the default partition could not be attached otherwise.
    execute format('create table %I (like session_history including defaults including constraints)', part);
    alter table session_history_other no force row level security;
    execute format('with late as (delete from session_history_other where started_at >= %L and started_at < %L returning *)
                    insert into %I select * from late', first::text || ' 00:00+00', (first + interval '1 month')::date::text || ' 00:00+00', part);
    alter table session_history_other force row level security;
    execute format('alter table %I enable row level security', part);
    execute format('alter table %I force row level security', part);
    execute format('alter table session_history attach partition %I for values from (%L) to (%L)',
                   part, first::text || ' 00:00+00', (first + interval '1 month')::date::text || ' 00:00+00');
    made := made + 1;
  end loop;
  return made;
end $$;

create or replace function drop_empty_partitions() returns int
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '2s' as $$
declare
  part text;
  first date;
  filled boolean;
  dropped int := 0;
begin
  perform pg_advisory_xact_lock(hashtext('portico.partitions'));
  for part, first in
    select c.relname, to_date(right(c.relname, 7), 'YYYY_MM') from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'session_history'::regclass and c.relname ~ '^session_history_[0-9]{4}_[0-9]{2}$' order by 1
  loop
    continue when first >= date_trunc('month', now() at time zone 'UTC') - interval '1 month';
    -- Looked at twice: without a lock, so that none is taken for nothing, and with it, so that nothing comes in between.
    continue when exists (select from session_history
      where started_at >= (first::text || ' 00:00+00')::timestamptz and started_at < ((first + interval '1 month')::date::text || ' 00:00+00')::timestamptz);
    lock table session_history in access exclusive mode;
    -- What policies hide is there all the same.
    execute format('alter table %I no force row level security', part);
    execute format('select exists (select from %I)', part) into filled;
    if filled then
      execute format('alter table %I force row level security', part);
    else
      execute format('drop table %I', part);
      dropped := dropped + 1;
    end if;
  end loop;
  return dropped;
exception when lock_not_available then
  return 0;
end $$;
