/* Drops the partitions of months before the last that hold nothing any more; answers how many. Whether one is empty is asked of
   session_history, as row-level security lets nobody look into a partition. Who reads history at the moment is not kept waiting. */
create function drop_empty_partitions() returns int
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '2s' as $$
declare
  part text;
  first date;
  dropped int := 0;
begin
  perform pg_advisory_xact_lock(hashtext('portico.partitions'));
  for part, first in
    select c.relname, to_date(right(c.relname, 7), 'YYYY_MM') from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'session_history'::regclass and c.relname ~ '^session_history_[0-9]{4}_[0-9]{2}$' order by 1
  loop
    continue when first >= date_trunc('month', now() at time zone 'UTC') - interval '1 month';
    for turn in 1..2 loop
      exit when exists (select from session_history
        where started_at >= (first::text || ' 00:00+00')::timestamptz and started_at < ((first + interval '1 month')::date::text || ' 00:00+00')::timestamptz);
      -- Looked at twice: without a lock, so that none is taken for nothing, and with it, so that nothing comes in between.
      if turn = 1 then
        lock table session_history in access exclusive mode;
      else
        execute format('drop table %I', part);
        dropped := dropped + 1;
      end if;
    end loop;
  end loop;
  return dropped;
exception when lock_not_available then
  return 0;
end $$;
revoke execute on function drop_empty_partitions from public;
grant execute on function drop_empty_partitions to portico_system;
