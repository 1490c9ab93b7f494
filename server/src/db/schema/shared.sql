-- Helpers that every feature uses: tenant isolation, change notices, ids, parsing and dates.

create extension if not exists pg_trgm;
grant usage on schema public to portico_app, portico_system;

-- The tenant of this transaction. Null when none was set, in which case policies show no row.
create function current_tenant() returns uuid
language sql stable parallel safe as $$
  select nullif(current_setting('portico.tenant', true), '')::uuid
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
-- Arguments: the topic, the column that holds the location (without it the notice is for the whole tenant), and the column that
-- holds the NAS identifier of the device that changed, for what is cached of that device.
-- PostgreSQL merges equal notices of one transaction, so an import of a thousand visitors sends one.
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

-- A UUIDv7 (RFC 9562), as the application makes them. PostgreSQL has its own only since version 18.
create function new_id() returns uuid
language sql volatile parallel safe as $$
  select encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1), 'hex')::uuid
$$;

-- A MAC or IPv4 address from a packet or a query string; null when the text is malformed, so that it cannot fail a whole batch.
create function parse_mac(t text) returns macaddr
language sql immutable parallel safe as $$
  select case when t ~* '^[0-9a-f]{2}([:-][0-9a-f]{2}){5}$' then t::macaddr end
$$;
create function parse_ip(t text) returns inet
language sql immutable parallel safe as $$
  select case when t ~ '^((25[0-5]|2[0-4]\d|1?\d?\d)(\.|$)){4}$' then t::inet end
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

-- The moment at which the hour of a moment ends on the clocks of a time zone (exclusive). An hour that is repeated counts once.
-- The full hour may itself be in the repeated hour, and PostgreSQL would take the later one of the two.
create function hour_end(at timestamptz, zone text) returns timestamptz
language sql stable parallel safe as $$
  select case
    when extract(hour from n.full_hour at time zone zone) <> extract(hour from n.clock) then n.full_hour
    else (date_trunc('hour', n.clock) + interval '1 hour') at time zone zone
  end
  from (
    select at at time zone zone as clock,
      at + (date_trunc('hour', at at time zone zone) + interval '1 hour' - at at time zone zone) as full_hour) n
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
