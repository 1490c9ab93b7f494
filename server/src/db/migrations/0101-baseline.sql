-- Brings a database of 0.5.0 to the baseline, which is the schema of server/src/db/schema at 0.6.0.
-- Nothing but names and function bodies changes: no table is rewritten, no row is touched.

alter table kicks rename to session_commands;
alter table log_losses rename to log_dropped_lines;
alter table guests_led_away rename to guest_redirects;
alter table unnamed_devices rename to pseudo_macs;

alter table router_commands rename wish to command;
alter table tickets rename stands_for to pseudo_mac;
alter table pseudo_macs rename stands_for to pseudo_mac;
alter table guest_redirects rename led_at to redirected_at;
alter table devices rename offline_told to offline_notified;
alter table devices rename offline_told_at to offline_notified_at;
alter table devices rename distrusted_at to bad_secret_at;
alter table devices rename distrusted_address to bad_secret_address;
alter table device_certificates rename ending_told to expiry_notified;
alter table roles rename ready_made to built_in;
alter table notifications rename once to dedupe_key;
alter table integrations rename doubted to last_read_empty;
alter table clock rename looked_at to checked_at;
alter table clock rename one to singleton;

-- Constraints and indexes follow the names of their tables and columns. Since PostgreSQL 18 not-null constraints have names too.
do $$
declare
  renamed record;
  item record;
begin
  for renamed in
    select * from (values
      ('session_commands', 'kicks', 'session_commands'),
      ('log_dropped_lines', 'log_losses', 'log_dropped_lines'),
      ('guest_redirects', 'guests_led_away', 'guest_redirects'),
      ('guest_redirects', 'led_at', 'redirected_at'),
      ('pseudo_macs', 'unnamed_devices', 'pseudo_macs'),
      ('pseudo_macs', 'stands_for', 'pseudo_mac'),
      ('tickets', 'stands_for', 'pseudo_mac'),
      ('router_commands', 'wish', 'command'),
      ('devices', 'offline_told', 'offline_notified'),
      ('device_certificates', 'ending_told', 'expiry_notified'),
      ('device_certificates', 'certificates_ending', 'certificates_expiring'),
      ('roles', 'ready_made', 'built_in'),
      ('notifications', 'notifications_once', 'notifications_dedupe_key'),
      ('integrations', 'doubted', 'last_read_empty'),
      ('survey_responses', 'responses_unnamed', 'responses_anonymous'),
      ('clock', 'looked_at', 'checked_at'),
      ('clock', 'clock_one', 'clock_singleton')
    ) as x(on_table, old, new)
  loop
    for item in
      select conname as name from pg_constraint
      where conrelid = renamed.on_table::regclass and strpos(conname, renamed.old) > 0
    loop
      execute format('alter table %I rename constraint %I to %I',
        renamed.on_table, item.name, replace(item.name, renamed.old, renamed.new));
    end loop;
    for item in
      select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
      where i.indrelid = renamed.on_table::regclass and strpos(c.relname, renamed.old) > 0
    loop
      execute format('alter index %I rename to %I', item.name, replace(item.name, renamed.old, renamed.new));
    end loop;
  end loop;
end $$;

-- The schema files explain tables and columns where they define them; comments in the catalogue would be a second copy.
do $$
declare
  item record;
begin
  for item in
    select d.objoid::regclass as on_table, a.attname as on_column
    from pg_description d
    join pg_class c on c.oid = d.objoid and d.classoid = 'pg_class'::regclass and c.relnamespace = 'public'::regnamespace
    left join pg_attribute a on a.attrelid = d.objoid and a.attnum = d.objsubid and d.objsubid > 0
  loop
    if item.on_column is null then
      execute format('comment on table %s is null', item.on_table);
    else
      execute format('comment on column %s.%I is null', item.on_table, item.on_column);
    end if;
  end loop;
end $$;

-- Functions that columns, policies, indexes or triggers depend on keep their identity; all others are created anew below.
alter function folded rename to fold_text;
alter function note_visitor_device rename to set_first_device;
alter function kick_blocked rename to disconnect_blocked;
alter function tell_guest_online rename to emit_guest_online;
alter function tell_guest_offline rename to emit_guest_offline;
alter function tell_visitor_created rename to emit_visitor_created;
alter function tell_sale_created rename to emit_sale_created;
alter function tell_survey_answered rename to emit_survey_answered;
alter function forget_deliveries_of_visitor rename to delete_deliveries_of_visitor;
alter function forget_deliveries_of_response rename to delete_deliveries_of_response;

alter trigger note_visitor_device on online_sessions rename to set_first_device;
alter trigger tell_guest_online on online_sessions rename to emit_guest_online;
alter trigger tell_guest_offline on online_sessions rename to emit_guest_offline;
alter trigger kick_blocked on mac_rules rename to disconnect_blocked;
alter trigger tell_visitor_created on visitors rename to emit_visitor_created;
alter trigger forget_deliveries on visitors rename to delete_deliveries;
alter trigger forget_deliveries_of_erased on visitors rename to delete_deliveries_of_erased;
alter trigger tell_sale_created on sales rename to emit_sale_created;
alter trigger tell_survey_answered on survey_responses rename to emit_survey_answered;
alter trigger forget_deliveries on survey_responses rename to delete_deliveries;

drop procedure isolate(regclass);
drop procedure add_usage(usage_delta[]);
drop procedure tell_sessions_changed(usage_delta[]);
drop function
  mac_of(text), ip_of(text), lock_of(text, text), local_day(text), day_end(date, text), not_after_now(timestamptz),
  end_of_day(date, text), limit_seconds(jsonb), limit_bps(jsonb), add_minutes(int[], int[]),
  network_of(uuid, uuid, inet), out_of_service(devices, locations), device_refusal(devices, locations, boolean),
  used_today(uuid, uuid, uuid, date), devices_in_use(uuid, uuid, macaddr), take_admissions(admission_grant[]),
  name_free_guest(uuid, uuid, macaddr, macaddr), use_ticket(uuid, uuid, text, admission_grant), authorize(jsonb), admit(jsonb),
  accounting_id(uuid, text, text, text, text), guest_of(accounting_fact), account(jsonb), close_sessions(session_closing[]),
  close_sessions_of(uuid[]), close_stale(), ensure_partitions(int, int), drop_empty_partitions(), mend_future(),
  search_visitors(text, uuid[], uuid[], text[], uuid, int), emit_event(uuid, uuid, text, jsonb), has_webhook(uuid, uuid);

-- Every function as the schema files define it.

-- shared

create or replace function current_tenant() returns uuid
language sql stable parallel safe as $$
  select nullif(current_setting('portico.tenant', true), '')::uuid
$$;

create or replace procedure isolate(t regclass)
language plpgsql as $$
begin
  execute format('alter table %s alter column tenant_id set default current_tenant()', t);
  execute format('alter table %s enable row level security', t);
  execute format('alter table %s force row level security', t);
  execute format('create policy tenant on %s to portico_app using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())', t);
  execute format('create policy system on %s to portico_system using (true) with check (true)', t);
  execute format('grant select, insert, update, delete on %s to portico_app, portico_system', t);
end $$;

create or replace function announce() returns trigger
language plpgsql as $$
declare
  changed jsonb := to_jsonb(case when tg_op = 'DELETE' then old else new end);
begin
  perform pg_notify('portico', json_build_object(
    'tenant', changed->>'tenant_id',
    'location', case when tg_nargs > 1 then changed->>tg_argv[1] end,
    'topic', tg_argv[0])::text);
  return null;
end $$;

create or replace function new_id() returns uuid
language sql volatile parallel safe as $$
  select encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1), 'hex')::uuid
$$;

create or replace function parse_mac(t text) returns macaddr
language sql immutable parallel safe as $$
  select case when t ~* '^[0-9a-f]{2}([:-][0-9a-f]{2}){5}$' then t::macaddr end
$$;

create or replace function parse_ip(t text) returns inet
language sql immutable parallel safe as $$
  select case when t ~ '^((25[0-5]|2[0-4]\d|1?\d?\d)(\.|$)){4}$' then t::inet end
$$;

create or replace function lock_key(kind text, id text) returns bigint
language sql immutable parallel safe as $$
  select hashtextextended(id, hashtext(kind))
$$;

create or replace function local_day(zone text) returns date
language sql stable parallel safe as $$
  select (now() at time zone zone)::date
$$;

create or replace function day_end(day date, zone text) returns timestamptz
language sql stable parallel safe as $$
  select (day + 1)::timestamp at time zone zone
$$;

create or replace function not_after_now(at timestamptz) returns timestamptz
language sql stable parallel safe as $$
  select case when at > now() then now() else at end
$$;

create or replace function fold_text(t text) returns text
language sql immutable strict parallel safe
return lower(translate(normalize(t),
  'ÇçĞğıİIÎîÍíÌìÏïÖöÓóÒòÔôÕõŞşÜüÛûÚúÙùÂâÄäÁáÀàÃãÅåÉéÈèÊêËëÑñ',
  'ccggiiiiiiiiiiioooooooooossuuuuuuuuaaaaaaaaaaaaeeeeeeeenn'));

-- auth

create or replace function move_to_next_location(p_location uuid, p_users uuid[]) returns void
language plpgsql as $$
begin
  update users u set active_location_id = (
    select m.location_id from location_members m
    where m.tenant_id = u.tenant_id and m.user_id = u.id and m.location_id <> p_location
    order by m.created_at
    limit 1)
  where u.tenant_id = current_tenant() and u.id = any(p_users) and u.active_location_id = p_location;
end $$;

-- team

create or replace function add_manager(p_location uuid, p_user uuid, p_permissions text[]) returns void
language sql as $$
  insert into location_members (location_id, user_id, permissions, role_ids)
  values (p_location, p_user, p_permissions,
    array(select id from roles where tenant_id = current_tenant() and built_in = 'manager'))
$$;

create or replace function add_built_in_role(p_tenant uuid, p_id uuid, p_name text, p_built_in text, p_permissions text[]) returns void
language sql as $$
  insert into roles (tenant_id, id, name, built_in, permissions)
  values (p_tenant, p_id, p_name, p_built_in, p_permissions)
$$;

-- profiles

create or replace function limit_seconds(l jsonb) returns bigint
language sql immutable parallel safe as $$
  select case when (l->>'is_active')::boolean then
    (l->>'value')::bigint * case l->>'option' when 'minute' then 60 when 'hour' then 3600 when 'day' then 86400 end
  end
$$;

create or replace function limit_bps(l jsonb) returns bigint
language sql immutable parallel safe as $$
  select case when (l->>'is_active')::boolean then
    (l->>'value')::bigint * case l->>'option' when 'kbps' then 1000 when 'mbps' then 1000000 when 'gbps' then 1000000000 end
  end
$$;

-- integrations

create or replace function queue_webhook_event(tenant uuid, location uuid, event_name text, content jsonb) returns void
language sql as $$
  insert into webhook_deliveries (tenant_id, id, location_id, integration_id, event, body, visitor_id, response_id)
  select i.tenant_id, new_id(), i.location_id, i.id, event_name,
    json_build_object(
      'type', event_name,
      'timestamp', to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'data', content)::text,
    case
      when event_name = 'visitor.created' then content->>'id'
      else coalesce(content->'visitor'->>'id', content->>'visitor_id')
    end::uuid,
    case when event_name = 'survey.answered' then (content->>'id')::uuid end
  from integrations i
  where i.tenant_id = tenant and i.location_id = location and i.kind = 'webhook' and event_name = any(i.events)
$$;

create or replace function has_webhook(tenant uuid, location uuid) returns boolean
language sql stable as $$
  select exists (
    select from integrations i
    where i.tenant_id = tenant and i.location_id = location and i.kind = 'webhook')
$$;

create or replace function emit_guest_online() returns trigger
language plpgsql as $$
begin
  perform queue_webhook_event(s.tenant_id, s.location_id, 'guest.online', jsonb_build_object(
    'session_id', s.id, 'location_id', s.location_id, 'device_id', s.device_id,
    'mac', upper(s.client_mac::text), 'ip', host(s.client_ip), 'started_at', s.started_at,
    'visitor', case when v.id is not null then jsonb_build_object('id', v.id, 'name', v.name, 'room_number', v.room_number) end))
  from added s
  left join visitors v on v.tenant_id = s.tenant_id and v.id = s.visitor_id
  where not s.reopened and has_webhook(s.tenant_id, s.location_id);
  return null;
end $$;

create or replace function emit_guest_offline() returns trigger
language plpgsql as $$
begin
  perform queue_webhook_event(s.tenant_id, s.location_id, 'guest.offline', jsonb_build_object(
    'session_id', s.id, 'location_id', s.location_id, 'device_id', s.device_id,
    'mac', upper(s.client_mac::text), 'ip', host(s.client_ip), 'started_at', s.started_at,
    'seconds', s.seconds, 'upload_bytes', s.upload, 'download_bytes', s.download,
    'visitor', case when v.id is not null then jsonb_build_object('id', v.id, 'name', v.name, 'room_number', v.room_number) end))
  from removed s
  left join visitors v on v.tenant_id = s.tenant_id and v.id = s.visitor_id
  where has_webhook(s.tenant_id, s.location_id);
  return null;
end $$;

create or replace function emit_visitor_created() returns trigger
language plpgsql as $$
begin
  perform queue_webhook_event(v.tenant_id, v.location_id, 'visitor.created', jsonb_build_object(
    'id', v.id, 'location_id', v.location_id, 'name', v.name, 'provider_type', v.provider_type, 'room_number', v.room_number,
    'session_start_at', v.session_start_at, 'session_end_at', v.session_end_at))
  from added v
  where has_webhook(v.tenant_id, v.location_id);
  return null;
end $$;

create or replace function emit_sale_created() returns trigger
language plpgsql as $$
begin
  perform queue_webhook_event(s.tenant_id, s.location_id, 'sale.created', jsonb_build_object(
    'id', s.id, 'location_id', s.location_id, 'visitor_id', s.visitor_id, 'profile_id', s.profile_id, 'days', s.days,
    'unit_price', s.unit_price, 'total', s.total, 'currency', s.currency, 'sold_at', s.sold_at))
  from added s
  where has_webhook(s.tenant_id, s.location_id);
  return null;
end $$;

create or replace function emit_survey_answered() returns trigger
language plpgsql as $$
begin
  perform queue_webhook_event(r.tenant_id, r.location_id, 'survey.answered', jsonb_build_object(
    'id', r.id, 'survey_id', r.survey_id, 'location_id', r.location_id, 'device_id', r.device_id, 'visitor_id', r.visitor_id,
    'language', r.language, 'answers', r.answers))
  from added r
  where r.answers is not null and has_webhook(r.tenant_id, r.location_id);
  return null;
end $$;

create or replace function delete_deliveries_of_visitor() returns trigger
language plpgsql as $$
begin
  delete from webhook_deliveries where tenant_id = old.tenant_id and visitor_id = old.id;
  return null;
end $$;

create or replace function delete_deliveries_of_response() returns trigger
language plpgsql as $$
begin
  delete from webhook_deliveries where tenant_id = old.tenant_id and response_id = old.id;
  return null;
end $$;

-- portals

create or replace function pictures_in(content text) returns text[]
language sql immutable parallel safe as $$
  select coalesce(array_agg(distinct m[1]), '{}')
  from regexp_matches(content, '/uploads/[0-9a-f-]{36}/([a-z0-9-]+\.webp)', 'g') m
$$;

-- devices

create or replace function find_network(p_tenant uuid, p_device uuid, p_ip inet) returns setof networks
language sql stable parallel safe as $$
  select * from networks
  where tenant_id = p_tenant and device_id = p_device and p_ip <<= set_masklen(start_ip, subnet)
  order by subnet desc
  limit 1
$$;

create or replace function clamp_future_device_times() returns int
language plpgsql as $$
declare
  corrected int;
begin
  update devices set
    last_seen_at = not_after_now(last_seen_at), polled_at = not_after_now(polled_at),
    down_since = not_after_now(down_since), up_since = not_after_now(up_since),
    auth_seen_at = not_after_now(auth_seen_at), acct_seen_at = not_after_now(acct_seen_at),
    offline_notified_at = not_after_now(offline_notified_at)
  where greatest(last_seen_at, polled_at, down_since, up_since, offline_notified_at) > now() + interval '1 minute';
  get diagnostics corrected = row_count;
  return corrected;
end $$;
revoke execute on function clamp_future_device_times from public;
grant execute on function clamp_future_device_times to portico_system;

create or replace function replace_network_profile(p_profile uuid, p_replacement uuid) returns void
language sql as $$
  update networks set profile_id = p_replacement, updated_at = now()
  where tenant_id = current_tenant() and profile_id = p_profile
$$;

-- licences

create or replace function end_of_day(day date, zone text) returns timestamptz
language sql stable parallel safe as $$
  select case when ((next - interval '1 hour') at time zone zone)::date > day then next - interval '1 hour' else next end
    - interval '1 second'
  from (select (day + 1)::timestamp at time zone zone as next) it
$$;

create or replace function out_of_service(d devices, l locations) returns boolean
language sql stable as $$
  select coalesce(l.suspended_at is not null
    or greatest(coalesce(d.license_end_at, d.trial_end_at), coalesce(l.license_end_at, l.trial_end_at)) <= now(), false)
$$;

-- visitors

create or replace function search_visitors(
  pattern text, location_ids uuid[], device_ids uuid[], providers text[], before uuid, max_rows int
) returns setof uuid
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query execute $query$
    select v.id from visitors v
    where v.tenant_id = $1
      and ($3 is null or v.location_id = any($3))
      and ($4 is null or v.device_id is null or v.device_id = any($4))
      and ($5 is null or v.provider_type = any($5))
      and ($6 is null or v.id < $6)
      and v.search_text like fold_text($2)
    order by v.id desc
    limit $7
  $query$ using current_tenant(), pattern, location_ids, device_ids, providers, before, max_rows;
end $$;
revoke execute on function search_visitors from public;
grant execute on function search_visitors to portico_app;
alter function search_visitors owner to portico_system;

create or replace function set_first_device() returns trigger
language plpgsql as $$
begin
  -- Locked in one order, so that two batches cannot deadlock.
  perform from visitors v
  where (v.tenant_id, v.id) in (select f.tenant_id, f.visitor_id from fresh f) and v.device_id is null
  order by v.id for no key update;
  update visitors v set device_id = f.device_id
  from (
    select distinct on (x.tenant_id, x.visitor_id) x.tenant_id, x.visitor_id, x.device_id, x.location_id
    from fresh x
    where x.visitor_id is not null
    order by x.tenant_id, x.visitor_id, x.started_at) f
  where v.tenant_id = f.tenant_id and v.id = f.visitor_id and v.location_id = f.location_id and v.device_id is null;
  return null;
end $$;

create or replace function set_free_access_device(p_tenant uuid, p_visitor uuid, p_pseudo_mac macaddr, p_mac macaddr, out used_up boolean)
language plpgsql as $$
declare
  mine visitors;
  earlier visitors;
  began_today boolean;
begin
  used_up := false;
  select * into mine from visitors where tenant_id = p_tenant and id = p_visitor and portal_mac = p_pseudo_mac;
  if not found then return; end if;

  select * into earlier from visitors v
  where v.tenant_id = p_tenant and v.location_id = mine.location_id and v.provider_type = mine.provider_type and v.portal_mac = p_mac
  for update;
  if found then
    select (earlier.session_start_at at time zone l.time_zone)::date = local_day(l.time_zone) into began_today
    from locations l
    where l.tenant_id = p_tenant and l.id = mine.location_id;
    if began_today then
      used_up := coalesce(earlier.session_end_at <= now(), false);
      update visitors set session_end_at = least(session_end_at, earlier.session_end_at)
      where tenant_id = p_tenant and id = mine.id;
      return;
    end if;
    update visitors set portal_mac = null where tenant_id = p_tenant and id = earlier.id;
  end if;
  update visitors set
    portal_mac = p_mac,
    name = case when name = upper(p_pseudo_mac::text) then upper(p_mac::text) else name end
  where tenant_id = p_tenant and id = mine.id;
end $$;
alter function set_free_access_device owner to portico_system;

create or replace function replace_visitor_profile(p_profile uuid, p_replacement uuid) returns void
language sql as $$
  update visitors set profile_id = p_replacement, updated_at = now()
  where tenant_id = current_tenant() and profile_id = p_profile
$$;

-- sessions

create or replace function ensure_partitions(ahead int, behind int default 1) returns int
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  first date;
  begins text;
  ends text;
  part text;
  made int := 0;
begin
  perform pg_advisory_xact_lock(hashtext('portico.partitions'));
  for first in
    select generate_series(
      date_trunc('month', now() at time zone 'UTC') - make_interval(months => behind),
      date_trunc('month', now() at time zone 'UTC') + make_interval(months => ahead), '1 month')::date
  loop
    part := 'session_history_' || to_char(first, 'YYYY_MM');
    continue when to_regclass(part) is not null;
    begins := first::text || ' 00:00+00';
    ends := (first + interval '1 month')::date::text || ' 00:00+00';
    -- Filled before it is attached: attaching fails while the default partition holds rows of the month.
    execute format('create table %I (like session_history including defaults including constraints)', part);
    alter table session_history_other no force row level security;
    execute format('with late as (delete from session_history_other where started_at >= %L and started_at < %L returning *)
                    insert into %I select * from late', begins, ends, part);
    alter table session_history_other force row level security;
    execute format('alter table %I enable row level security', part);
    execute format('alter table %I force row level security', part);
    execute format('alter table session_history attach partition %I for values from (%L) to (%L)', part, begins, ends);
    made := made + 1;
  end loop;
  return made;
end $$;
revoke execute on function ensure_partitions from public;
grant execute on function ensure_partitions to portico_system;

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
    select c.relname, to_date(right(c.relname, 7), 'YYYY_MM')
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'session_history'::regclass and c.relname ~ '^session_history_[0-9]{4}_[0-9]{2}$'
    order by 1
  loop
    continue when first >= date_trunc('month', now() at time zone 'UTC') - interval '1 month';
    -- Checked twice: first without a lock, so that none is taken in vain, then with it, so that no row arrives in between.
    continue when exists (
      select from session_history
      where started_at >= (first::text || ' 00:00+00')::timestamptz
        and started_at < ((first + interval '1 month')::date::text || ' 00:00+00')::timestamptz);
    lock table session_history in access exclusive mode;
    -- Row-level security must not hide rows from the check.
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
revoke execute on function drop_empty_partitions from public;
grant execute on function drop_empty_partitions to portico_system;

create or replace function disconnect_blocked() returns trigger
language plpgsql as $$
begin
  insert into session_commands (tenant_id, session_id, location_id, device_id, reason)
  select o.tenant_id, o.id, o.location_id, o.device_id, 'blocked'
  from online_sessions o
  where o.tenant_id = new.tenant_id and o.device_id = new.device_id and o.client_mac = new.mac
    and (new.networks = '{}' or o.network_id is null or o.network_id = any(new.networks));
  return null;
end $$;

create or replace function clamp_future_session_times() returns int
language plpgsql as $$
declare
  corrected int;
begin
  with late as (
    update online_sessions o set
      updated_at = least(o.updated_at, now()),
      started_at = least(o.started_at, now() - make_interval(secs => o.seconds)),
      day = least(o.day, (now() at time zone l.time_zone)::date),
      day_ends_at = least(o.day_ends_at, day_end((now() at time zone l.time_zone)::date, l.time_zone))
    from locations l
    where l.tenant_id = o.tenant_id and l.id = o.location_id and greatest(o.updated_at, o.started_at) > now() + interval '1 minute'
    returning o.tenant_id, o.location_id, o.client_mac, o.id, o.started_at
  ), latest as (
    update guest_devices g set session_started_at = late.started_at
    from late
    where g.tenant_id = late.tenant_id and g.location_id = late.location_id and g.client_mac = late.client_mac
      and g.session_id = late.id
  )
  select count(*) into corrected from late;
  return corrected;
end $$;
revoke execute on function clamp_future_session_times from public;
grant execute on function clamp_future_session_times to portico_system;

-- sessions.authorize

create or replace function used_today(p_tenant uuid, p_location uuid, p_visitor uuid, p_day date) returns numeric
language sql stable as $$
  select coalesce((
      select upload + download from visitor_days
      where (tenant_id, location_id, day, visitor_id) = (p_tenant, p_location, p_day, p_visitor)), 0)
    + coalesce((
      select sum(upload + download - case when day = p_day then day_upload + day_download else upload + download end)
      from online_sessions
      where tenant_id = p_tenant and visitor_id = p_visitor and location_id = p_location), 0)
$$;

create or replace function devices_in_use(p_tenant uuid, p_visitor uuid, p_mac macaddr) returns table (used bigint)
language sql stable as $$
  select count(*) from (
    select coalesce(client_mac::text, id::text) from online_sessions
    where tenant_id = p_tenant and visitor_id = p_visitor and client_mac is distinct from p_mac
    union
    select coalesce(client_mac::text, id::text) from admissions
    where tenant_id = p_tenant and visitor_id = p_visitor and client_mac is distinct from p_mac and expires_at > now()) in_use
$$;

create or replace function take_admissions(grants admission_grant[]) returns table (place bigint, class text)
language plpgsql as $$
begin
  return query
  with asked as (
    select g.*, replace(gen_random_uuid()::text, '-', '') as new_class
    from unnest(grants) with ordinality
      as g(tenant_id, location_id, device_id, visitor_id, profile_id, network_id, mac, interim, shared_user, n)
  ), fitting as (
    select a.* from asked a
    cross join lateral devices_in_use(a.tenant_id, a.visitor_id, a.mac) u
    where a.visitor_id is null or a.shared_user is null or u.used < a.shared_user
  ), taken as (
    insert into admissions (tenant_id, class, location_id, device_id, client_mac, visitor_id, profile_id, network_id, interim, expires_at)
    select f.tenant_id, f.new_class, f.location_id, f.device_id, f.mac, f.visitor_id, f.profile_id, f.network_id, f.interim,
      now() + interval '2 minutes'
    from fitting f
    order by f.device_id, f.mac
    on conflict (tenant_id, device_id, client_mac) where client_mac is not null do update set
      class = excluded.class, location_id = excluded.location_id, visitor_id = excluded.visitor_id,
      profile_id = excluded.profile_id, network_id = excluded.network_id, interim = excluded.interim,
      created_at = excluded.created_at, expires_at = excluded.expires_at
  )
  select a.n, f.new_class from asked a left join fitting f on f.n = a.n order by a.n;
end $$;

create or replace function redeem_ticket(
  p_tenant uuid, p_ticket uuid, p_key text, admission admission_grant, out given text, out refused text
)
language plpgsql as $$
declare
  t tickets;
  reveals_mac boolean;
begin
  -- Read here, not by the caller: two requests with one ticket can be in one batch.
  select * into t from tickets where tenant_id = p_tenant and id = p_ticket;
  if t.used_at is not null then
    if t.used_by = p_key then given := t.class; else refused := 'wrong_credentials'; end if;
    return;
  end if;

  reveals_mac := t.pseudo_mac is not null and admission.mac is not null;
  if reveals_mac and (select used_up from set_free_access_device(p_tenant, t.visitor_id, t.pseudo_mac, admission.mac)) then
    refused := 'expired';
  else
    given := (select taken.class from take_admissions(array[admission]) taken);
    if given is null then
      refused := 'over_limit';
      return;
    end if;
    update tickets set used_at = now(), used_by = p_key, class = given where tenant_id = p_tenant and id = p_ticket;
  end if;
  if reveals_mac then
    perform save_pseudo_mac(p_tenant, t.device_id, t.pseudo_mac, admission.mac);
  end if;
end $$;

create or replace function device_refusal(d devices, l locations, blocked boolean) returns text
language sql stable as $$
  select case
    when d.id is null then 'unknown_device'
    when out_of_service(d, l) then 'license_over'
    when not d.hotspot_status then 'hotspot_off'
    when blocked then 'blocked'
  end
$$;

create or replace function authorize(requests jsonb) returns setof sign_in_decision
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  hashes bytea[];
  r record;
  o sign_in_decision;
begin
  hashes := array(
    select sha256(convert_to(q.user_name, 'UTF8'))
    from jsonb_populate_recordset(null::sign_in_request, requests) q
    where q.same);
  if hashes <> '{}' then
    perform pg_advisory_xact_lock(lock_key('visitor', v.visitor_id::text))
    from (select distinct visitor_id from tickets where hash = any(hashes) order by 1) v;
    perform from tickets where hash = any(hashes) order by hash for update;
  end if;

  for r in
    select q.n, q.mac, q.key, d.tenant_id, d.location_id, d.id as device_id, n.id as network_id, p.id as profile_id,
      v.id as visitor_id, v.password, t.id as ticket_id, coalesce(t.provider_slug, 'username') as provider_slug,
      b.bypassed, local_day(l.time_zone) as today,
      device_refusal(d, l, b.blocked) as device_refused,
      (v.id is null or t.device_id <> d.id or t.client_mac <> q.mac
        or t.used_at is null and t.expires_at <= now()) is true as wrong,
      case
        when v.blocked then 'blocked'
        when v.session_start_at > now() then 'not_yet'
        when v.session_end_at <= now() then 'expired'
      end as visitor_refused,
      -- Limits come from the visitor, else its profile, else the location. A limit that is off there means unlimited.
      case when v.special_profile then v.shared_user else p.shared_user end as shared_user,
      least(
        ceil(extract(epoch from v.session_end_at - now()))::bigint,
        case
          when v.special_profile then limit_seconds(v.session_duration)
          when p.id is not null then limit_seconds(p.session_duration)
          when l.time_limit_enabled then
            limit_seconds(jsonb_build_object('is_active', true, 'option', l.time_limit_unit, 'value', l.time_limit))
        end) as seconds,
      case
        when v.special_profile then limit_bps(v.max_upload)
        when p.id is not null then limit_bps(p.max_upload)
        when l.upload_limit_enabled then l.upload_limit * 1000000::bigint
      end as upload_bps,
      case
        when v.special_profile then limit_bps(v.max_download)
        when p.id is not null then limit_bps(p.max_download)
        when l.download_limit_enabled then l.download_limit * 1000000::bigint
      end as download_bps,
      -- Profiles have no daily volume, so the location's holds for all of its guests.
      case when l.daily_bandwidth_enabled then
        l.daily_bandwidth * case l.daily_bandwidth_unit
          when 'mb' then 1000000::bigint when 'tb' then 1000000000000 else 1000000000 end
      end as daily_bytes
    from (
      select x.n, x.tenant, x.device, x.user_name, parse_mac(x.mac) as mac, parse_ip(x.ip) as ip, x.key, x.same
      from jsonb_populate_recordset(null::sign_in_request, requests)
        with ordinality as x(tenant, device, user_name, mac, ip, key, same, n)) q
    left join devices d on d.tenant_id = q.tenant and d.id = q.device
    left join locations l on l.tenant_id = d.tenant_id and l.id = d.location_id
    left join lateral find_network(d.tenant_id, d.id, q.ip) n on true
    left join lateral (
      -- A rule for some networks also blocks an address outside all networks, but bypasses only one that is inside them.
      select
        coalesce(bool_or(m.type = 'blocked' and (m.networks = '{}' or n.id is null or n.id = any(m.networks))), false)
          or (l.mac_blacklist_enabled and q.mac = any(l.mac_blacklist)) is true as blocked,
        coalesce(bool_or(m.type = 'bypassed' and (m.networks = '{}' or n.id = any(m.networks))), false)
          or (l.mac_whitelist_enabled and q.mac = any(l.mac_whitelist)) is true as bypassed
      from mac_rules m
      where m.tenant_id = d.tenant_id and m.device_id = d.id and m.type in ('blocked', 'bypassed') and m.mac = q.mac) b on true
    left join tickets t on q.same and t.tenant_id = d.tenant_id and t.hash = sha256(convert_to(q.user_name, 'UTF8'))
    left join lateral (
      select x.* from visitors x
      where t.id is not null and x.tenant_id = t.tenant_id and x.id = t.visitor_id
      union all
      select x.* from visitors x
      where t.id is null and x.tenant_id = d.tenant_id and x.location_id = d.location_id and x.username = q.user_name) v on true
    left join profiles p on p.tenant_id = d.tenant_id and p.id = coalesce(v.profile_id, n.profile_id, l.default_profile_id)
    order by d.id, q.mac, q.n
  loop
    o := null;
    o.n := r.n;
    o.provider_slug := r.provider_slug;
    o.ticket := r.ticket_id is not null;
    o.idle_timeout := 900;
    o.interim := 60;
    o.granting := row(r.tenant_id, r.location_id, r.device_id, r.visitor_id, r.profile_id, r.network_id, r.mac, o.interim, r.shared_user);

    if r.device_refused is not null then
      o.outcome := 'reject';
      o.reason := r.device_refused;
    elsif r.bypassed then
      o.outcome := 'accept';
      o.granting := row(r.tenant_id, r.location_id, r.device_id, null, null, r.network_id, r.mac, o.interim, null);
      o.class := (select taken.class from take_admissions(array[o.granting]) taken);
    elsif r.wrong or (r.ticket_id is null and r.password is null) then
      o.outcome := 'reject';
      o.reason := 'wrong_credentials';
    else
      o.reason := r.visitor_refused;
      o.session_timeout := r.seconds;
      o.upload_bps := r.upload_bps;
      o.download_bps := r.download_bps;
      if r.daily_bytes is not null then
        o.total_bytes := r.daily_bytes - used_today(r.tenant_id, r.location_id, r.visitor_id, r.today);
        if o.total_bytes <= 0 then o.reason := coalesce(o.reason, 'over_quota'); end if;
      end if;
      if r.ticket_id is null then
        o.outcome := 'check';
        o.password := r.password;
      else
        if o.reason is null then
          select * into o.class, o.reason from redeem_ticket(r.tenant_id, r.ticket_id, r.key, o.granting);
        end if;
        o.outcome := case when o.reason is null then 'accept' else 'reject' end;
      end if;
    end if;
    return next o;
  end loop;
end $$;

create or replace function admit(grants jsonb) returns table (n bigint, class text)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  places bigint[];
  these admission_grant[];
begin
  perform pg_advisory_xact_lock(lock_key('visitor', v.visitor_id::text))
  from (select distinct x.visitor_id from jsonb_populate_recordset(null::admission_grant, grants) x order by 1) v;
  for places, these in
    select array_agg(x.place order by x.place), array_agg(x.granting order by x.place)
    from (
      select q.place,
        row(tenant_id, location_id, device_id, visitor_id, profile_id, network_id, mac, interim, shared_user)::admission_grant as granting,
        case
          when count(*) over (partition by visitor_id) > 1 or count(*) over (partition by device_id, mac) > 1 then q.place
          else 0
        end as round
      from jsonb_populate_recordset(null::admission_grant, grants)
        with ordinality as q(tenant_id, location_id, device_id, visitor_id, profile_id, network_id, mac, interim, shared_user, place)) x
    group by x.round
    order by x.round
  loop
    return query select places[t.place], t.class from take_admissions(these) t;
  end loop;
end $$;
revoke execute on function authorize, admit, redeem_ticket, take_admissions from public;
alter function authorize owner to portico_system;
alter function admit owner to portico_system;
alter function redeem_ticket owner to portico_system;
alter function take_admissions owner to portico_system;

-- sessions.account

create or replace function accounting_id(device uuid, session text, user_name text, mac text, class text) returns bytea
language sql stable parallel safe as $$
  select substring(sha256(convert_to(jsonb_build_array(device, session, user_name, mac, class)::text, 'UTF8')) for 16)
$$;

create or replace procedure add_usage(deltas usage_delta[])
language plpgsql as $$
begin
  insert into session_days (tenant_id, location_id, day, device_id, sessions, seconds, upload, download)
  select tenant_id, location_id, day, device_id, sum(sessions), sum(seconds), sum(upload), sum(download)
  from unnest(deltas)
  group by 1, 2, 3, 4
  order by 1, 2, 3, 4
  on conflict (tenant_id, location_id, day, device_id) do update set
    sessions = session_days.sessions + excluded.sessions,
    seconds = session_days.seconds + excluded.seconds,
    upload = session_days.upload + excluded.upload,
    download = session_days.download + excluded.download;

  insert into visitor_days (tenant_id, location_id, day, visitor_id, sessions, upload, download)
  select tenant_id, location_id, day, visitor_id, sum(sessions), sum(upload), sum(download)
  from unnest(deltas)
  where visitor_id is not null
  group by 1, 2, 3, 4
  order by 1, 2, 3, 4
  on conflict (tenant_id, location_id, day, visitor_id) do update set
    sessions = visitor_days.sessions + excluded.sessions,
    upload = visitor_days.upload + excluded.upload,
    download = visitor_days.download + excluded.download;

  insert into visitor_device_days (tenant_id, device_id, day, visitor_id, location_id)
  select distinct tenant_id, device_id, day, visitor_id, location_id
  from unnest(deltas)
  where visitor_id is not null
  order by 1, 2, 3, 4, 5
  on conflict do nothing;
end $$;

create or replace function close_sessions(closings session_closing[]) returns setof usage_delta
language plpgsql as $$
begin
  return query
  with gone as (
    delete from online_sessions o using unnest(closings) c
    where o.tenant_id = c.tenant_id and o.id = c.id
    returning o.*, greatest(c.ended_at, o.started_at) as ended_at, c.close_reason, c.terminate_cause
  ), kept as (
    insert into session_history (
      tenant_id, id, accounting_id, location_id, device_id, network_id, visitor_id, profile_id, user_name, acct_session_id, class,
      client_mac, client_ip, started_at, ended_at, seconds, upload, download, interim, reopened, day, close_reason, terminate_cause)
    select
      tenant_id, id, accounting_id, location_id, device_id, network_id, visitor_id, profile_id, user_name, acct_session_id, class,
      client_mac, client_ip, started_at, ended_at, seconds, upload, download, interim, reopened, day, close_reason, terminate_cause
    from gone
  ), confirmed as (
    update session_commands k set state = 'confirmed', confirmed_at = now()
    from gone
    where k.tenant_id = gone.tenant_id and k.session_id = gone.id and gone.close_reason = 'stop'
      and k.state in ('requested', 'acknowledged', 'no-answer')
  )
  select tenant_id, location_id, device_id, visitor_id, day, 0, seconds - day_seconds, upload - day_upload, download - day_download
  from gone;
end $$;

create or replace procedure announce_sessions(deltas usage_delta[])
language plpgsql as $$
begin
  perform pg_notify('portico', json_build_object('tenant', tenant_id, 'location', location_id, 'topic', 'sessions')::text)
  from (select distinct tenant_id, location_id from unnest(deltas)) x;
end $$;

create or replace function find_session_guest(f accounting_fact)
returns table (visitor_id uuid, profile_id uuid, network_id uuid, interim int, admission_id uuid)
language sql stable as $$
  select
    case when a.id is null then v.id else a.visitor_id end,
    case when a.id is null then v.profile_id else a.profile_id end,
    case when a.id is null then n.id else a.network_id end,
    coalesce(a.interim, 60),
    a.id
  from (select) one
  left join admissions c on c.tenant_id = f.tenant_id and c.device_id = f.device_id and c.class = f.class
  left join admissions m on c.id is null and m.tenant_id = f.tenant_id and m.device_id = f.device_id and m.client_mac = f.mac
  left join lateral (select (coalesce(c, m)).*) a on true
  left join visitors v on a.id is null and v.tenant_id = f.tenant_id and v.location_id = f.location_id and v.username = f.user_name
  left join lateral find_network(f.tenant_id, f.device_id, f.ip) n on a.id is null
$$;

create or replace function account(records jsonb) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  facts accounting_fact[];
  matches accounting_match[];
  closings session_closing[];
  now_used usage_delta[];
  deltas usage_delta[] := '{}';
  begun guest_devices[] := '{}';
  now_begun guest_devices[];
  used_up uuid[] := '{}';
  this bigint;
begin
  -- Locks: routers, then guest devices.
  perform case when whole then pg_advisory_xact_lock(key)::text else pg_advisory_xact_lock_shared(key)::text end
  from (
    select lock_key('router', device::text) as key, bool_or(status in ('on', 'off')) as whole
    from jsonb_populate_recordset(null::accounting_record, records)
    group by 1
    order by 1) x;
  perform pg_advisory_xact_lock(key)
  from (
    select distinct lock_key('guest', device || coalesce(mac, session)) as key
    from jsonb_populate_recordset(null::accounting_record, records)
    where status not in ('on', 'off')
    order by 1) x;

  facts := array(
    select row(
        r.restarts * 1000000 + case
          when r.status in ('on', 'off') then 0
          else row_number() over (partition by r.device, r.restarts, coalesce(r.mac, r.session) order by r.n)
        end,
        r.status, d.tenant_id, d.location_id, d.id, l.time_zone, out_of_service(d, l),
        accounting_id(d.id, r.session, r.user_name, r.mac, r.class), r.session, r.class, coalesce(r.user_name, ''),
        parse_mac(r.mac), parse_ip(r.ip), least(r.at, now()), least(r.at, now()) - make_interval(secs => r.seconds),
        r.seconds, r.upload, r.download, r.cause)::accounting_fact
    from (
      select x.*, count(*) filter (where x.status in ('on', 'off')) over (partition by x.device order by x.n) as restarts
      from jsonb_populate_recordset(null::accounting_record, records) with ordinality
        as x(tenant, device, status, session, class, user_name, mac, ip, at, seconds, upload, download, cause, n)) r
    join devices d on d.tenant_id = r.tenant and d.id = r.device
    join locations l on l.tenant_id = d.tenant_id and l.id = d.location_id);

  for this in select distinct round from unnest(facts) order by 1 loop
    -- Accounting-On and -Off: the router's sessions ended at their last update, except those with a later update.
    closings := array(
      select row(o.tenant_id, o.id, o.updated_at, 'restart', null)::session_closing
      from unnest(facts) f
      join online_sessions o on o.tenant_id = f.tenant_id and o.device_id = f.device_id and o.updated_at <= f.at
      where f.round = this and f.status in ('on', 'off'));
    if closings <> '{}' then
      deltas := deltas || array(select c from close_sessions(closings) c);
    end if;

    matches := array(
      select row(f,
        case
          when o.id is not null then case f.status when 'stop' then 'stop' else 'update' end
          -- A closed session stays closed, unless it was closed as stale and turns out to be alive.
          when h.id is not null then case
            when f.status = 'start' then 'none'
            when f.status = 'interim' and h.close_reason = 'stale' and f.at > h.ended_at and r.id is null then 'reopen'
            else 'amend'
          end
          -- Older than the session that the guest device has now: the record is late, and its session is over.
          when f.status = 'stop' or f.at < r.started_at then 'keep'
          else 'open'
        end,
        o, h, r)::accounting_match
      from unnest(facts) f
      left join online_sessions o on o.accounting_id = f.accounting_id
      left join online_sessions r on r.tenant_id = f.tenant_id and r.device_id = f.device_id and r.client_mac = f.mac
        and r.accounting_id <> f.accounting_id
      left join lateral (
        select * from session_history x
        where o.id is null and x.accounting_id = f.accounting_id
          and x.started_at > least(now() - interval '62 days', f.began_at - interval '2 days')
        limit 1) h on true
      where f.round = this and f.status in ('start', 'interim', 'stop'));
    continue when matches = '{}';

    -- Sessions that entered a new day: what they used until then belongs to the day that ended.
    deltas := deltas || array(
      select row((open).tenant_id, (open).location_id, (open).device_id, (open).visitor_id, (open).day, 0,
        (open).seconds - (open).day_seconds, (open).upload - (open).day_upload, (open).download - (open).day_download)::usage_delta
      from unnest(matches) m
      where action in ('update', 'stop') and (fact).at >= (open).day_ends_at);

    update online_sessions o set
      updated_at = greatest(o.updated_at, f.at),
      seconds = greatest(o.seconds, f.seconds),
      upload = greatest(o.upload, f.upload),
      download = greatest(o.download, f.download),
      client_ip = case when f.at < o.updated_at then o.client_ip else coalesce(f.ip, o.client_ip) end,
      day = case when f.at < o.day_ends_at then o.day else (f.at at time zone f.zone)::date end,
      day_ends_at = case when f.at < o.day_ends_at then o.day_ends_at else day_end((f.at at time zone f.zone)::date, f.zone) end,
      day_seconds = case when f.at < o.day_ends_at then o.day_seconds else o.seconds end,
      day_upload = case when f.at < o.day_ends_at then o.day_upload else o.upload end,
      day_download = case when f.at < o.day_ends_at then o.day_download else o.download end
    from (select (open).id, (fact).* from unnest(matches) m where action in ('update', 'stop')) f
    where o.tenant_id = f.tenant_id and o.id = f.id;

    closings := array(
      select row((open).tenant_id, (open).id, (fact).at, 'stop', (fact).cause)::session_closing
      from unnest(matches) m
      where action = 'stop'
      union all
      select row((rival).tenant_id, (rival).id, (rival).updated_at, 'replaced', null)::session_closing
      from unnest(matches) m
      where action = 'open' and (rival).id is not null);
    if closings <> '{}' then
      deltas := deltas || array(select c from close_sessions(closings) c);
    end if;

    -- New sessions, and late records of sessions that are over already.
    if exists (select from unnest(matches) m where action in ('open', 'keep')) then
      with new as (
        select new_id() as id, m.action, (m.fact).*, g.visitor_id, g.profile_id, g.network_id, g.interim, g.admission_id,
          ((m.fact).began_at at time zone (m.fact).zone)::date as first_day,
          ((m.fact).at at time zone (m.fact).zone)::date as day
        from unnest(matches) m
        cross join lateral find_session_guest(m.fact) g
        where m.action in ('open', 'keep')
      ), opened as (
        insert into online_sessions (
          tenant_id, id, accounting_id, location_id, device_id, network_id, visitor_id, profile_id, user_name, acct_session_id, class,
          client_mac, client_ip, started_at, updated_at, seconds, upload, download, interim, day, day_ends_at)
        select
          tenant_id, id, accounting_id, location_id, device_id, network_id, visitor_id, profile_id, user_name, session, class,
          mac, ip, began_at, at, seconds, upload, download, interim, day, day_end(day, zone)
        from new
        where action = 'open'
      ), kept as (
        insert into session_history (
          tenant_id, id, accounting_id, location_id, device_id, network_id, visitor_id, profile_id, user_name, acct_session_id, class,
          client_mac, client_ip, started_at, ended_at, seconds, upload, download, interim, reopened, day, close_reason, terminate_cause)
        select
          tenant_id, id, accounting_id, location_id, device_id, network_id, visitor_id, profile_id, user_name, session, class,
          mac, ip, began_at, at, seconds, upload, download, interim, false, day,
          case status when 'stop' then 'stop' else 'replaced' end, cause
        from new
        where action = 'keep'
      )
      select
        array_agg(row(tenant_id, location_id, device_id, visitor_id, first_day, 1, 0, 0, 0)::usage_delta)
          || coalesce(array_agg(row(tenant_id, location_id, device_id, visitor_id, day, 0, seconds, upload, download)::usage_delta)
            filter (where action = 'keep'), '{}'),
        coalesce(array_agg(row(tenant_id, location_id, mac, 1, device_id, visitor_id, id, began_at)::guest_devices)
          filter (where mac is not null), '{}'),
        used_up || coalesce(array_agg(admission_id) filter (where admission_id is not null), '{}')
      into now_used, now_begun, used_up
      from new;
      deltas := deltas || now_used;
      begun := begun || now_begun;
    end if;

    -- Sessions that were closed already: stale ones that are alive are opened again, others get their final figures.
    if exists (select from unnest(matches) m where action in ('reopen', 'amend')) then
      with gone as (
        delete from session_history h
        using (
          select (fact).*, (closed).id as closed_id, (closed).started_at as closed_start
          from unnest(matches) m
          where action = 'reopen') f
        where h.tenant_id = f.tenant_id and h.id = f.closed_id and h.started_at = f.closed_start
        returning h.*, f.at, f.zone, f.ip as new_ip, f.seconds as new_seconds, f.upload as new_upload, f.download as new_download
      )
      -- The router sends updates less often than it was asked to: from now on its own interval counts, up to 15 minutes.
      insert into online_sessions (
        tenant_id, id, accounting_id, location_id, device_id, network_id, visitor_id, profile_id, user_name, acct_session_id, class,
        client_mac, client_ip, started_at, updated_at, seconds, upload, download, interim, reopened, day, day_ends_at,
        day_seconds, day_upload, day_download)
      select
        tenant_id, id, accounting_id, location_id, device_id, network_id, visitor_id, profile_id, user_name, acct_session_id, class,
        client_mac, coalesce(new_ip, client_ip), started_at, at,
        greatest(seconds, new_seconds), greatest(upload, new_upload), greatest(download, new_download),
        least(900, greatest(interim, extract(epoch from at - ended_at)::int)), true,
        (at at time zone zone)::date, day_end((at at time zone zone)::date, zone), seconds, upload, download
      from gone;

      deltas := deltas || array(
        select row((closed).tenant_id, (closed).location_id, (closed).device_id, (closed).visitor_id, (closed).day, 0,
          case action when 'amend' then greatest(0, (fact).seconds - (closed).seconds) else 0 end,
          case action when 'amend' then greatest(0, (fact).upload - (closed).upload) else 0 end,
          case action when 'amend' then greatest(0, (fact).download - (closed).download) else 0 end)::usage_delta
        from unnest(matches) m
        where action in ('reopen', 'amend'));

      update session_history h set
        seconds = greatest(h.seconds, f.seconds),
        upload = greatest(h.upload, f.upload),
        download = greatest(h.download, f.download),
        ended_at = case when f.real_end then greatest(h.ended_at, f.at) else h.ended_at end,
        close_reason = case when f.real_end then 'stop' else h.close_reason end,
        terminate_cause = coalesce(h.terminate_cause, f.cause)
      from (
        -- real_end: the Stop of a session that was closed as stale.
        select (fact).*, (closed).id, (closed).started_at,
          (fact).status = 'stop' and (closed).close_reason = 'stale'
            and ((rival).id is null or (fact).at < (rival).started_at) as real_end
        from unnest(matches) m
        where action = 'amend') f
      where h.tenant_id = f.tenant_id and h.id = f.id and h.started_at = f.started_at;
    end if;

    -- Out of service: running sessions are ended at their interim update, and asked again every 10 minutes.
    if exists (select from unnest(matches) m where (fact).stopped and (fact).status = 'interim') then
      insert into session_commands (tenant_id, session_id, location_id, device_id, reason)
      select o.tenant_id, o.id, o.location_id, o.device_id, 'licence'
      from unnest(matches) m
      join online_sessions o on o.accounting_id = (fact).accounting_id
      where (fact).stopped and (fact).status = 'interim' and not exists (
        select from session_commands k
        where k.tenant_id = o.tenant_id and k.session_id = o.id and k.requested_at > now() - interval '10 minutes');
    end if;
  end loop;

  if deltas <> '{}' then
    delete from admissions a
    using (
      select tenant_id, id from admissions
      where id = any(used_up)
      order by device_id, client_mac for update) u
    where a.tenant_id = u.tenant_id and a.id = u.id;

    insert into guest_devices (
      tenant_id, location_id, client_mac, sessions, device_id, visitor_id, session_id, session_started_at)
    select tenant_id, location_id, client_mac, count(*),
      (array_agg(device_id order by session_started_at desc))[1],
      (array_agg(visitor_id order by session_started_at desc))[1],
      (array_agg(session_id order by session_started_at desc))[1],
      max(session_started_at)
    from unnest(begun)
    group by 1, 2, 3
    order by 1, 2, 3
    on conflict (tenant_id, location_id, client_mac) do update set
      sessions = guest_devices.sessions + excluded.sessions, device_id = excluded.device_id,
      visitor_id = excluded.visitor_id, session_id = excluded.session_id, session_started_at = excluded.session_started_at;

    call add_usage(deltas);
    call announce_sessions(deltas);
  end if;
end $$;

create or replace function close_stale_sessions() returns int
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  held uuid[];
  closings session_closing[];
  deltas usage_delta[];
begin
  -- OFFSET 0 keeps the planner from taking locks before LIMIT.
  held := array(
    select id from (
      select id, device_id, client_mac, acct_session_id from online_sessions
      where updated_at < now() - make_interval(secs => 3 * interim)
      limit 500 offset 0) o
    where pg_try_advisory_xact_lock(lock_key('guest', o.device_id || coalesce(upper(o.client_mac::text), o.acct_session_id))));
  closings := array(
    select row(tenant_id, id, updated_at, 'stale', null)::session_closing
    from online_sessions
    where id = any(held) and updated_at < now() - make_interval(secs => 3 * interim));
  if closings = '{}' then return 0; end if;
  deltas := array(select c from close_sessions(closings) c);
  call add_usage(deltas);
  call announce_sessions(deltas);
  return cardinality(closings);
end $$;

create or replace function close_device_sessions(device_ids uuid[]) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  closings session_closing[];
  deltas usage_delta[];
begin
  perform pg_advisory_xact_lock(key)
  from (select lock_key('router', id::text) as key from unnest(device_ids) id order by 1) x;
  closings := array(
    select row(tenant_id, id, updated_at, 'stale', null)::session_closing
    from online_sessions
    where tenant_id = current_tenant() and device_id = any(device_ids));
  if closings = '{}' then return; end if;
  deltas := array(select c from close_sessions(closings) c);
  call add_usage(deltas);
  call announce_sessions(deltas);
end $$;
revoke execute on function close_device_sessions from public;
grant execute on function close_device_sessions to portico_app;
revoke execute on function account, close_stale_sessions, close_sessions, find_session_guest from public;
revoke execute on procedure add_usage, announce_sessions from public;
alter function account owner to portico_system;
alter function close_stale_sessions owner to portico_system;
alter function close_device_sessions owner to portico_system;
alter function close_sessions owner to portico_system;
alter function find_session_guest owner to portico_system;
alter procedure add_usage owner to portico_system;
alter procedure announce_sessions owner to portico_system;

-- audit

create or replace function refuse_change() returns trigger
language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;

-- clock

create or replace function clamp_future_times() returns int
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  return clamp_future_device_times() + clamp_future_session_times();
end $$;
revoke execute on function clamp_future_times from public;
alter function clamp_future_times owner to portico_system;

-- guests

create or replace function save_pseudo_mac(p_tenant uuid, p_device uuid, p_pseudo_mac macaddr, p_mac macaddr) returns void
language sql as $$
  insert into pseudo_macs (tenant_id, device_id, pseudo_mac, client_mac)
  values (p_tenant, p_device, p_pseudo_mac, p_mac)
  on conflict (tenant_id, device_id, pseudo_mac) do update set client_mac = excluded.client_mac, seen_at = now()
$$;

-- logs

create or replace function add_minutes(a int[], b int[]) returns int[]
language sql immutable parallel safe as $$
  select array_agg(x + y order by i) from unnest(a, b) with ordinality as t(x, y, i)
$$;
