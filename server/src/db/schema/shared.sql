-- Helpers that every feature uses: tenant isolation, change notices, ids, parsing and dates.

create extension if not exists pg_trgm;
grant usage on schema public to portico_app, portico_system;

-- The tenant of this transaction. Null when none was set, in which case policies show no row.
create function current_tenant() returns uuid
language sql stable parallel safe as $$
  select nullif(current_setting('portico.tenant', true), '')::uuid
$$;

-- A sum that its column holds, and that JSON holds exactly. A router may report any number, and a sum that fits no column would keep
-- its records from being counted.
create function exact_sum(total numeric) returns bigint
language sql immutable parallel safe as $$
  select least(total, 9007199254740991)::bigint
$$;

-- Forces row-level security on a table that has a tenant_id: portico_app sees the rows of its tenant, portico_system all.
create procedure isolate(t regclass)
language plpgsql as $$
begin
  execute format('alter table %s alter column tenant_id set default current_tenant()', t);
  execute format('alter table %s enable row level security', t);
  execute format('alter table %s force row level security', t);
  execute format('create policy tenant on %s to portico_app using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())', t);
  execute format('create policy system on %s to portico_system using (true) with check (true)', t);
  execute format('grant select, insert, update, delete on %s to portico_app, portico_system', t);
end $$;

-- Trigger: sends NOTIFY portico when a row changes, so that open screens refetch.
-- Arguments: the topic, the column of the location, and the column of the NAS identifier, for caches of the device. Without a
-- location the notice is for the whole tenant. PostgreSQL merges equal notices of one transaction, so an import of a thousand
-- visitors sends one.
create function announce() returns trigger
language plpgsql as $$
declare
  changed jsonb := to_jsonb(case when tg_op = 'DELETE' then old else new end);
begin
  perform pg_notify('portico', (jsonb_build_object(
    'tenant', changed->>'tenant_id',
    'location', case when tg_nargs > 1 then changed->>tg_argv[1] end,
    'topic', tg_argv[0])
    || case when tg_nargs > 2 then jsonb_build_object('nas_identifier', changed->>tg_argv[2]) else '{}' end)::text);
  return null;
end $$;

-- The ids of a table in other systems are unique at one place: a location, or the customers of one owner. `place`: the columns that
-- hold it; the first that is not null counts. Rows without any are at one place too.
create procedure have_external_ids(t regclass, place text[])
language plpgsql as $$
declare
  columns text := array_to_string(place, ', ');
begin
  execute format('create unique index %s_external on %s (tenant_id, external_id, (coalesce(%s))) nulls not distinct where external_id is not null', t, t, columns);
  execute format(
    'create trigger leave_external_id before update of %s on %s for each row when (new.external_id is not null) execute function leave_external_id(%L)',
    columns, t, columns);
end $$;

-- Trigger of have_external_ids. A row that moves to where its id is taken comes without it.
create function leave_external_id() returns trigger
language plpgsql as $$
declare
  taken boolean;
begin
  execute format(
    'select exists (select from %I t where t.tenant_id = $1.tenant_id and t.external_id = $1.external_id and t.id <> $1.id
      and coalesce(%s) is not distinct from (select coalesce(%s) from (select $1.*) moved))', tg_table_name, tg_argv[0], tg_argv[0]) into taken using new;
  if taken then new.external_id := null; end if;
  return new;
end $$;

-- Trigger of keep_unchanged.
create function keep_unchanged() returns trigger
language plpgsql as $$
begin
  if to_jsonb(new) - array['updated_at', 'updated_by'] = to_jsonb(old) - array['updated_at', 'updated_by'] then return old; end if;
  return new;
end $$;

-- A row that is saved without a change keeps the time of its last change: configuration tools save the same again and again.
create procedure keep_unchanged(t regclass)
language plpgsql as $$
begin
  execute format(
    'create trigger unchanged before update on %s for each row when (new.updated_at is distinct from old.updated_at) execute function keep_unchanged()', t);
end $$;

-- Makes a table tell webhooks that a row was created, updated or deleted: events such as `device.updated`.
-- `place`: where it belongs, see tell_event; `tenant` is no location. `shown`: the columns in the payload, the id first.
-- `watched`: further columns whose change is an update, without their values.
-- `ends_first`: a deletion is told before other rows lose their reference to it.
create procedure tell_changes(
  t regclass, noun text, place text, shown text[], watched text[] default '{}', ends_first boolean default false
)
language plpgsql as $$
begin
  execute format(
    'create trigger tell_changes after insert %s or update of %s on %s for each row execute function tell_change(%L, %L, %L, %L)',
    case when not ends_first then 'or delete' end,
    (select string_agg(distinct c, ', ' order by c) from unnest(shown || watched || array_remove(array[place], 'tenant')) c), t, noun, place, shown, watched);
  if ends_first then
    execute format('create trigger tell_deletion before delete on %s for each row execute function tell_change(%L, %L, %L, %L)',
      t, noun, place, shown, watched);
  end if;
end $$;

-- Most tenants have none, and rows may be many and large.
create function tenant_has_webhook(tenant uuid) returns boolean
language plpgsql stable as $$
begin
  return exists (select from integrations i where i.tenant_id = tenant and i.kind = 'webhook');
end $$;

-- Trigger of tell_changes. A row that moves is deleted at one location and created at the other.
-- A visitor without its identity counts as deleted. The event of a deletion has the id only.
create function tell_change() returns trigger
language plpgsql as $$
declare
  place text := tg_argv[1];
  shown text[] := tg_argv[2];
  gone text[] := shown[1:1]; -- the first column is the id
  before jsonb;
  after jsonb;
  changed text[];
begin
  if not tenant_has_webhook(coalesce(new.tenant_id, old.tenant_id)) then return old; end if;
  if tg_op <> 'INSERT' then before := to_jsonb(old); end if;
  if tg_op <> 'DELETE' then after := to_jsonb(new); end if;
  if before->>'erased_at' is not null then before := null; end if;
  if after->>'erased_at' is not null then after := null; end if;
  if before->>place is not distinct from after->>place and before is not null and after is not null then
    changed := array(
      select c from unnest(shown || tg_argv[3]::text[]) c where before->c is distinct from after->c order by c);
    if cardinality(changed) > 0 then
      perform tell_event(tg_argv[0], 'updated', after, place, shown, jsonb_build_object('changed', changed));
    end if;
    return old;
  end if;
  if before is not null then perform tell_event(tg_argv[0], 'deleted', before, place, gone); end if;
  if after is not null then perform tell_event(tg_argv[0], 'created', after, place, shown); end if;
  -- Before a deletion, null would keep the row.
  return old;
end $$;

-- Makes a table tell webhooks of moments in the life of its rows. `moments`: `{redeemed=used_at}` when the column gets its
-- first value, `{failed=state:failed}` when it gets this one, `{sent=sent_at:*}` with each value. Each is the event `noun.moment`.
create procedure tell_moments(t regclass, noun text, shown text[], moments text[])
language plpgsql as $$
begin
  execute format(
    'create trigger tell_moments after insert or update of %s on %s for each row execute function tell_moment(%L, %L, %L)',
    (select string_agg(distinct substring(m from '=(\w+)'), ', ' order by substring(m from '=(\w+)')) from unnest(moments) m),
    t, noun, shown, moments);
end $$;

-- Trigger of tell_moments.
create function tell_moment() returns trigger
language plpgsql as $$
declare
  before jsonb := '{}';
  after jsonb;
  parts text[];
begin
  if not tenant_has_webhook(new.tenant_id) then return null; end if;
  if tg_op = 'UPDATE' then before := to_jsonb(old); end if;
  after := to_jsonb(new);
  foreach parts slice 1 in array array(
    select array[m[1], m[2], m[3]] from unnest(tg_argv[2]::text[]) given, regexp_match(given, '^(\w+)=(\w+)(?::(.+))?$') m)
  loop
    if before->>parts[2] is distinct from after->>parts[2]
      and (parts[3] is null and before->>parts[2] is null or parts[3] in ('*', after->>parts[2]))
    then
      perform tell_event(tg_argv[0], parts[1], after, 'location_id', tg_argv[1]::text[]);
    end if;
  end loop;
  return null;
end $$;

-- Queues an event about a row for the webhooks of its location and for those of the whole tenant.
-- `place`: the column that holds the location, or the device or portal that it belongs to. A portal of the tenant concerns the
-- locations that show it, even in one network or at certain times only. `shown`: the columns in the payload.
create function tell_event(
  noun text, verb text, it jsonb, place text, shown text[], more jsonb default '{}'
) returns void
language plpgsql as $$
declare
  tenant uuid := it->>'tenant_id';
  owner_id uuid := it->>place;
  location uuid := owner_id;
  portal uuid := case when noun = 'portal' then (it->>'id')::uuid when place = 'portal_id' then owner_id end;
  content jsonb := more || (select jsonb_object_agg(c, it->c) from unnest(shown) c);
begin
  -- What belongs to a device or portal that is being deleted goes with it, and so does all that a location had.
  if place = 'device_id' then
    select d.location_id into location from devices d where d.tenant_id = tenant and d.id = owner_id;
    if not found then return; end if;
  elsif place = 'portal_id' then
    select p.location_id into location from portals p where p.tenant_id = tenant and p.id = owner_id;
    if not found then return; end if;
  end if;
  if location is not null then
    if noun in ('location', 'audit') or exists (select from locations l where l.tenant_id = tenant and l.id = location) then
      perform queue_webhook_event(tenant, location, noun || '.' || verb, jsonb_build_object('location_id', location) || content);
    end if;
    return;
  end if;
  perform queue_webhook_event(tenant, null, noun || '.' || verb, jsonb_build_object('location_id', null) || content);
  perform queue_webhook_event(tenant, id, noun || '.' || verb, jsonb_build_object('location_id', id) || content, wide => false)
  from locations_with_portal(tenant, portal) id;
end $$;

-- A UUIDv7 (RFC 9562) in the order of its microsecond: the twelve bits after the version are the fraction of the
-- millisecond (section 6.2, method 3), as in uuidv7() of PostgreSQL 18.
create function new_id() returns uuid
language sql volatile parallel safe as $$
  select (overlay(lpad(to_hex((date_part('epoch', clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') placing '7' from 13 for 0)
    || substr(gen_random_uuid()::text, 20))::uuid
$$;

-- A MAC or IPv4 address from a packet or a query string; null when the text is malformed, so that it cannot fail a whole batch.
create function parse_mac(t text) returns macaddr
language sql immutable parallel safe as $$
  select case when t ~* '^[0-9a-f]{2}([:-][0-9a-f]{2}){5}$' then t::macaddr end
$$;
create function parse_ip(t text) returns inet
language sql immutable parallel safe as $$
  select case when t ~ '^((25[0-5]|2[0-4]\d|1?\d?\d)(\.(?=.)|$)){4}$' then t::inet end
$$;

-- The key of an advisory lock on one thing; `kind` separates the key spaces.
create function lock_key(kind text, id text) returns bigint
language sql immutable parallel safe as $$
  select hashtextextended(id, hashtext(kind))
$$;

-- Today in a time zone.
create function local_day(zone text) returns date
language sql stable parallel safe as $$
  select (now() at time zone zone)::date
$$;

-- The moment at which a day ends in a time zone (exclusive).
create function day_end(day date, zone text) returns timestamptz
language sql stable parallel safe as $$
  select (day + 1)::timestamp at time zone zone
$$;

-- The next full hour after a moment by the clocks of a time zone, if they are not set meanwhile.
create function next_full_hour(at timestamptz, zone text) returns timestamptz
language sql stable parallel safe as $$
  select at + (date_trunc('hour', at at time zone zone) + interval '1 hour' - at at time zone zone)
$$;

-- The moment at which the hour of a moment ends on the clocks of a time zone (exclusive). An hour that is repeated counts once.
-- The full hour may itself be in the repeated hour, and PostgreSQL would take the later one of the two.
-- Without FROM, so that PostgreSQL puts the expression into the caller's query: a call of its own for each row takes 20 times as long.
create function hour_end(at timestamptz, zone text) returns timestamptz
language sql stable parallel safe as $$
  select case
    when extract(hour from next_full_hour(at, zone) at time zone zone) <> extract(hour from at at time zone zone) then next_full_hour(at, zone)
    else (date_trunc('hour', at at time zone zone) + interval '1 hour') at time zone zone
  end
$$;

-- The earlier of a moment and now.
create function not_after_now(at timestamptz) returns timestamptz
language sql stable parallel safe as $$
  select case when at > now() then now() else at end
$$;

-- How texts are compared in searches: without case and without diacritics, and with I, İ, ı and i as one letter.
-- The table is explicit because unaccent does not know ı, and because collations differ between servers.
create function fold_text(t text) returns text
language sql immutable strict parallel safe
return lower(translate(normalize(t),
  'ÇçĞğıİIÎîÍíÌìÏïÖöÓóÒòÔôÕõŞşÜüÛûÚúÙùÂâÄäÁáÀàÃãÅåÉéÈèÊêËëÑñ',
  'ccggiiiiiiiiiiioooooooooossuuuuuuuuaaaaaaaaaaaaeeeeeeeenn'));

-- How names are ordered: by the Turkish alphabet, without case and other diacritics, with q, w and x where English has them. Each
-- letter becomes one of A to `, so the order of bytes is that of the alphabet, and no server needs a collation of its own for it.
-- Signs come before digits. The letters of most names are first, because each is looked for from the left. Queries and indexes add
-- `collate "C"`.
create function sort_text(t text) returns text
language sql immutable strict parallel safe
return translate(normalize(t),
  ' aeinrlıkdmuytsboüşzgçhğvcöpfjwxq0123456789ABCÇDEFGĞHIİJKLMNOÖPQRSŞTUÜVWXYZÂâÄäÁáÀàÃãÅåÉéÈèÊêËëÎîÍíÌìÏïÑñÓóÒòÔôÕõÛûÚúÙù:;<=>?@[\]^_`{|}~',
  ' AFLQVOKNEPZ_YWBR[X`HDJI\CSTGM]^U0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ[\]^_`AAAAAAAAAAAAFFFFFFFFLLLLLLLLQQRRRRRRRRZZZZZZ!!!!!!!!!!!!!!!!!');

-- The newest things of a kind in this tenant whose name matches one of several LIKE patterns, for a search with a typing error.
-- `places`: only things of these locations, and portals of the whole tenant; null means all. Runs as portico_system for the reason
-- given at search_visitors. Each pattern asks the trigram index. One plan serves all of them, because making one takes longer
-- than the query.
create function misspelled_names(kind text, patterns text[], max_rows int, places uuid[] default null) returns setof uuid
language plpgsql stable security definer
set search_path = public, pg_temp set enable_seqscan = off set enable_indexscan = off set plan_cache_mode = force_generic_plan as $$
declare
  folded text;
begin
  if kind not in ('locations', 'devices', 'portals', 'voucher_batches') then
    raise exception 'no names of %', kind;
  end if;
  foreach folded in array array(select fold_text(pattern) from unnest(patterns) pattern) loop
    if kind = 'locations' then
      return query
        select t.id from locations t
        where t.tenant_id = current_tenant() and fold_text(t.name) like folded and (places is null or t.id = any(places))
        order by t.id desc limit max_rows;
    end if;
    if kind = 'devices' then
      return query
        select t.id from devices t
        where t.tenant_id = current_tenant() and fold_text(t.name) like folded and (places is null or t.location_id = any(places))
        order by t.id desc limit max_rows;
    end if;
    if kind = 'portals' then
      return query
        select t.id from portals t
        where t.tenant_id = current_tenant() and fold_text(t.name) like folded and (places is null or t.location_id is null or t.location_id = any(places))
        order by t.id desc limit max_rows;
    end if;
    if kind = 'voucher_batches' then
      return query
        select t.id from voucher_batches t
        where t.tenant_id = current_tenant() and fold_text(t.name) like folded and (places is null or t.location_id = any(places))
        order by t.id desc limit max_rows;
    end if;
  end loop;
end $$;
revoke execute on function misspelled_names from public;
grant execute on function misspelled_names to portico_app;
alter function misspelled_names owner to portico_system;
