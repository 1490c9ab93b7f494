-- Events for webhooks: tables tell of their changes and moments.

-- A running older process locks visitors before integrations. In this order neither waits for the other.
lock table visitors, locations, profiles, portals, devices, voucher_batches, vouchers, packages, purchases, room_charges,
  visitor_imports in access exclusive mode;

-- Makes a table tell webhooks that a row was created, updated or deleted: events such as `device.updated`.
-- `shown`: the columns in the payload. `watched`: further columns whose change is an update, without their values.
create procedure tell_changes(t regclass, noun text, place text, shown text[], watched text[] default '{}')
language plpgsql as $$
begin
  execute format(
    'create trigger tell_changes after insert or delete or update of %s on %s for each row execute function tell_change(%L, %L, %L, %L)',
    (select string_agg(distinct c, ', ' order by c) from unnest(shown || watched || place) c), t, noun, place, shown, watched);
end $$;

-- Most tenants have none, and rows may be many and large.
create function tenant_has_webhook(tenant uuid) returns boolean
language plpgsql stable as $$
begin
  return exists (select from integrations i where i.tenant_id = tenant and i.kind = 'webhook');
end $$;

-- Trigger of tell_changes. A row that moves is deleted at one location and created at the other.
-- A visitor without its identity counts as deleted. What is deleted is named by its id only.
create function tell_change() returns trigger
language plpgsql as $$
declare
  place text := tg_argv[1];
  shown text[] := tg_argv[2];
  before jsonb;
  after jsonb;
  changed text[];
begin
  if not tenant_has_webhook(coalesce(new.tenant_id, old.tenant_id)) then return null; end if;
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
    return null;
  end if;
  if before is not null then perform tell_event(tg_argv[0], 'deleted', before, place, '{id}'); end if;
  if after is not null then perform tell_event(tg_argv[0], 'created', after, place, shown); end if;
  return null;
end $$;

-- Makes a table tell webhooks of moments in the life of its rows. `moments`: `{redeemed=used_at}` when the column gets its
-- first value, `{failed=state:failed}` when it gets this one. Each is the event `noun.moment`.
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
      and (parts[3] is null and before->>parts[2] is null or after->>parts[2] = parts[3])
    then
      perform tell_event(tg_argv[0], parts[1], after, 'location_id', tg_argv[1]::text[]);
    end if;
  end loop;
  return null;
end $$;

-- Queues an event about a row for the webhooks of its location. A portal of the tenant concerns the locations that show it.
-- `place`: the column that holds the location. `shown`: the columns in the payload.
create function tell_event(
  noun text, verb text, it jsonb, place text, shown text[], more jsonb default '{}'
) returns void
language plpgsql as $$
declare
  tenant uuid := it->>'tenant_id';
  location uuid;
begin
  for location in
    select (it->>place)::uuid where it->>place is not null
    union all
    select l.id from locations l
    where noun = 'portal' and it->>place is null and l.tenant_id = tenant and l.portal_id = (it->>'id')::uuid
  loop
    -- The location is gone while it is being deleted.
    if has_webhook(tenant, location) and exists (select from locations l where l.tenant_id = tenant and l.id = location) then
      perform queue_webhook_event(tenant, location, noun || '.' || verb,
        jsonb_build_object('location_id', location) || more
          || (select jsonb_object_agg(c, it->c) from unnest(shown) c));
    end if;
  end loop;
end $$;

alter table integrations
  add expired_until timestamptz not null default now(), -- the ends of access up to here were told to a webhook
  add licence_told text; -- the last end of the licence, and how near it was, that a webhook was told of

drop function queue_webhook_event(uuid, uuid, text, jsonb);
-- Queues an event for every webhook of the location that subscribed to it, or for `target` only.
create function queue_webhook_event(tenant uuid, location uuid, event_name text, content jsonb, target uuid default null) returns void
language sql as $$
  insert into webhook_deliveries (tenant_id, id, location_id, integration_id, event, body, visitor_id, response_id)
  select i.tenant_id, new_id(), i.location_id, i.id, event_name,
    json_build_object(
      'type', event_name,
      'timestamp', to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'data', content)::text,
    case
      when event_name in ('visitor.created', 'visitor.updated', 'visitor.expired') then content->>'id'
      -- Deliveries about a visitor are deleted with it. This one tells the receiver about the deletion.
      when content->>'by' = 'erasure' then null
      else coalesce(content->'visitor'->>'id', content->>'visitor_id')
    end::uuid,
    case when event_name = 'survey.answered' then (content->>'id')::uuid end
  from integrations i
  where i.tenant_id = tenant and i.location_id = location and i.kind = 'webhook' and event_name = any(i.events)
    and (target is null or i.id = target)
$$;

-- Tells webhooks whose visitors' access has ended since they were told last. A minute late, so that a change that was being
-- made meanwhile is seen; after a long pause only the last day.
create function tell_expired_visitors() returns void
language plpgsql as $$
declare
  hook record;
begin
  for hook in
    with due as (
      select tenant_id, id, location_id, expired_until from integrations
      where kind = 'webhook' and 'visitor.expired' = any(events) and expired_until < now() - interval '2 minutes'
      for no key update skip locked)
    update integrations i set expired_until = now() - interval '1 minute'
    from due d where i.tenant_id = d.tenant_id and i.id = d.id
    returning d.*
  loop
    perform queue_webhook_event(v.tenant_id, v.location_id, 'visitor.expired', jsonb_build_object(
      'id', v.id, 'location_id', v.location_id, 'name', v.name, 'provider_type', v.provider_type, 'room_number', v.room_number,
      'session_start_at', v.session_start_at, 'session_end_at', v.session_end_at), hook.id)
    from visitors v
    where v.tenant_id = hook.tenant_id and v.location_id = hook.location_id
      and v.session_end_at > greatest(hook.expired_until, now() - interval '1 day')
      and v.session_end_at <= now() - interval '1 minute' and v.erased_at is null;
  end loop;
end $$;

-- Tells the webhooks of a location, once per end and mark, that its licence ends soon or has ended.
create function tell_licence(location uuid, event_name text, mark text, content jsonb) returns void
language sql as $$
  with told as (
    update integrations i set licence_told = mark
    where i.tenant_id = current_tenant() and i.location_id = location and i.kind = 'webhook' and event_name = any(i.events)
      and i.licence_told is distinct from mark
    returning i.tenant_id, i.location_id, i.id)
  select queue_webhook_event(t.tenant_id, t.location_id, event_name, content, t.id) from told t
$$;

drop trigger emit_visitor_created on visitors;
drop function emit_visitor_created();

call tell_changes('locations', 'location', 'id',
  '{id, name, country, city, district, time_zone, portal_id, default_profile_id, license_end_at, suspended_at}',
  '{available_providers, time_limit, time_limit_unit, time_limit_enabled, daily_bandwidth, daily_bandwidth_unit,
    daily_bandwidth_enabled, download_limit, download_limit_enabled, upload_limit, upload_limit_enabled, mac_whitelist,
    mac_whitelist_enabled, mac_blacklist, mac_blacklist_enabled}');
call tell_changes('profiles', 'profile', 'location_id',
  '{id, name, shared_user, session_duration, max_upload, max_download}',
  '{paid_sale, daily_duration, total_duration, session_quota, daily_quota, total_quota, reduced_speed, paid_days_from}');
call tell_changes('portals', 'portal', 'location_id', '{id, name}', '{styles, providers, messages, agreements, page}');
call tell_changes('devices', 'device', 'location_id',
  '{id, name, mac_address, brand_id, model_id, hotspot_status, license_end_at}', '{logging_enabled, hotspot_address, nas_identifier}');
call tell_changes('visitors', 'visitor', 'location_id',
  '{id, name, provider_type, room_number, profile_id, session_start_at, session_end_at, blocked}',
  '{username, email, phone, shared_user, special_profile, total_paid_day, paid_end_at, erased_at}');
call tell_changes('voucher_batches', 'voucher_batch', 'location_id',
  '{id, name, profile_id, shared_user, valid_for, valid_until, price, currency, at_desk, total}', '{note}');
call tell_moments('vouchers', 'voucher', '{id, batch_id, number, visitor_id, issued_at, used_at, revoked_at}',
  '{issued=issued_at, redeemed=used_at, revoked=revoked_at}');
call tell_changes('packages', 'package', 'location_id',
  '{id, profile_id, name, price, currency, tax_rate, min_days, max_days, is_active}', '{description, position}');
call tell_moments('purchases', 'purchase',
  '{id, visitor_id, package_id, package, days, amount, tax, currency, provider, payment, state, paid_at, refunded_at}',
  '{paid=paid_at, failed=state:failed, refused=state:refused, refunded=refunded_at, charged_back=state:charged-back}');
call tell_moments('room_charges', 'room_charge',
  '{id, integration_id, visitor_id, sale_id, amount, currency, state, answer, answered_at}',
  '{posted=state:posted, refused=state:refused}');
call tell_moments('visitor_imports', 'import',
  '{id, source, file_name, total, created, updated, skipped, started_at, finished_at}', '{finished=state:done}');
