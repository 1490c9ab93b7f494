-- Webhooks of a whole tenant, and events for more of what the screens show.
lock table networks, mac_rules, device_certificates, portal_ads, portal_surveys, portal_rules, menu_categories, menu_products, menu_desks, location_members, invitations, roles, role_adjustments, users, radius_proxies, report_mails, log_sources, printers, tenants, tenant_domains, sso_providers, visitor_imports, room_charges, locations, webhook_deliveries, integrations in access exclusive mode;

alter table integrations alter location_id drop not null;
alter table integrations add constraint integrations_of_tenant check (location_id is not null or kind = 'webhook');
alter table webhook_deliveries alter location_id drop not null;
alter table locations add licence_told text; -- the last end of the licence, and how near it was, that the webhooks of the tenant were told of

-- Makes a table tell webhooks that a row was created, updated or deleted: events such as `device.updated`.
-- `place`: where it belongs, see tell_event; `tenant` is no location. `shown`: the columns in the payload, the id first.
-- `watched`: further columns whose change is an update, without their values.
create or replace procedure tell_changes(t regclass, noun text, place text, shown text[], watched text[] default '{}')
language plpgsql as $$
begin
  execute format(
    'create trigger tell_changes after insert or delete or update of %s on %s for each row execute function tell_change(%L, %L, %L, %L)',
    (select string_agg(distinct c, ', ' order by c) from unnest(shown || watched || array_remove(array[place], 'tenant')) c), t, noun, place, shown, watched);
end $$;

-- Trigger of tell_changes. A row that moves is deleted at one location and created at the other.
-- A visitor without its identity counts as deleted. What is deleted is named by its id only.
create or replace function tell_change() returns trigger
language plpgsql as $$
declare
  place text := tg_argv[1];
  shown text[] := tg_argv[2];
  gone text[] := shown[1:1]; -- the first column is the id
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
  if before is not null then perform tell_event(tg_argv[0], 'deleted', before, place, gone); end if;
  if after is not null then perform tell_event(tg_argv[0], 'created', after, place, shown); end if;
  return null;
end $$;

-- Trigger of tell_moments.
create or replace function tell_moment() returns trigger
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
-- `place`: the column that holds the location, or the device or portal that it belongs to. A portal of the tenant, and what belongs
-- to it, concerns the locations that show it. `shown`: the columns in the payload.
create or replace function tell_event(
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
    if noun = 'location' or exists (select from locations l where l.tenant_id = tenant and l.id = location) then
      perform queue_webhook_event(tenant, location, noun || '.' || verb, jsonb_build_object('location_id', location) || content);
    end if;
    return;
  end if;
  perform queue_webhook_event(tenant, null, noun || '.' || verb, jsonb_build_object('location_id', null) || content);
  perform queue_webhook_event(tenant, l.id, noun || '.' || verb, jsonb_build_object('location_id', l.id) || content, wide => false)
  from locations l where l.tenant_id = tenant and l.portal_id = portal;
end $$;

drop function queue_webhook_event(uuid, uuid, text, jsonb, uuid);
-- Queues an event for every webhook of the location that subscribed to it, or for `target` only. `wide`: for those of the whole
-- tenant too. Without a location it is for those only.
create or replace function queue_webhook_event(
  tenant uuid, location uuid, event_name text, content jsonb, target uuid default null, wide boolean default true
) returns void
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
  where i.tenant_id = tenant and (i.location_id = location or (wide and i.location_id is null)) and i.kind = 'webhook'
    and event_name = any(i.events) and (target is null or i.id = target)
$$;

-- Whether a webhook may ask for the events of a location at all. Mostly none does, and then no event needs to be built.
create or replace function has_webhook(tenant uuid, location uuid) returns boolean
language sql stable as $$
  select exists (
    select from integrations i
    where i.tenant_id = tenant and (i.location_id = location or i.location_id is null) and i.kind = 'webhook')
$$;

-- Tells webhooks whose visitors' access has ended since they were told last. A minute late, so that a change that was being
-- made meanwhile is seen; after a long pause only the last day.
create or replace function tell_expired_visitors() returns void
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
    where v.tenant_id = hook.tenant_id and (hook.location_id is null or v.location_id = hook.location_id)
      and v.session_end_at > greatest(hook.expired_until, now() - interval '1 day')
      and v.session_end_at <= now() - interval '1 minute' and v.erased_at is null;
  end loop;
end $$;

-- Tells the webhooks of the whole tenant about the licence of a location, once per end and mark.
create function tell_licence_to_tenant(location uuid, event_name text, mark text, content jsonb) returns void
language plpgsql as $$
begin
  if not exists (
    select from integrations i
    where i.tenant_id = current_tenant() and i.location_id is null and i.kind = 'webhook' and event_name = any(i.events))
  then
    return;
  end if;
  update locations l set licence_told = mark
  where l.tenant_id = current_tenant() and l.id = location and l.licence_told is distinct from mark;
  if found then perform queue_webhook_event(current_tenant(), null, event_name, content); end if;
end $$;

-- Tells the webhooks of a location and of the tenant, once per end and mark, that its licence ends soon or has ended.
create or replace function tell_licence(location uuid, event_name text, mark text, content jsonb) returns void
language sql as $$
  with told as (
    update integrations i set licence_told = mark
    where i.tenant_id = current_tenant() and i.location_id = location and i.kind = 'webhook' and event_name = any(i.events)
      and i.licence_told is distinct from mark
    returning i.tenant_id, i.location_id, i.id)
  select queue_webhook_event(t.tenant_id, t.location_id, event_name, content, t.id) from told t
  union all
  select tell_licence_to_tenant(location, event_name, mark, content)
$$;

-- The brand and the rules of the tenant itself. Its row has no tenant_id.
create function tell_tenant() returns trigger
language plpgsql as $$
declare
  before jsonb := to_jsonb(old);
  after jsonb := to_jsonb(new);
  changed text[] := array(
    select c from jsonb_object_keys(after) c where c <> 'updated_at' and before->c is distinct from after->c order by c);
begin
  if cardinality(changed) > 0 and tenant_has_webhook(new.id) then
    perform tell_event('tenant', 'updated', after || jsonb_build_object('tenant_id', new.id), 'tenant',
      '{id, slug, brand_name}', jsonb_build_object('changed', changed));
  end if;
  return null;
end $$;
create trigger tell_tenant after update on tenants for each row execute function tell_tenant();

call tell_changes('networks', 'network', 'device_id', '{id, device_id, name, start_ip, subnet, portal_id, profile_id}');
call tell_changes('mac_rules', 'mac_rule', 'device_id', '{id, device_id, mac, type, comment}', '{networks}');
call tell_changes('device_certificates', 'certificate', 'device_id', '{id, device_id, name, serial, expires_at, revoked_at}');
call tell_changes('portal_ads', 'advertisement', 'portal_id', '{id, portal_id, name, type, starts_on, ends_on, weight}',
  '{images, embed_code, link, weekdays, languages, daily_cap}');
call tell_changes('portal_surveys', 'survey', 'portal_id', '{id, portal_id, name}', '{questions}');
call tell_changes('portal_rules', 'portal_rule', 'portal_id', '{id, portal_id, state, action, survey_id, language}', '{position, url, urls}');
call tell_changes('menu_categories', 'menu_category', 'location_id', '{id, title, title_en, status, position}',
  '{description, description_en}');
call tell_changes('menu_products', 'menu_product', 'location_id', '{id, title, title_en, price, currency, status, position}',
  '{description, description_en, description_long, description_long_en, ingredients, ingredients_en, allergens, allergens_en,
    product_time, calorie, image}');
call tell_changes('menu_desks', 'menu_desk', 'location_id', '{id, title, prefix, number_start, number_end, number}', '{description, code}');
call tell_changes('location_members', 'member', 'location_id', '{user_id, permissions, device_ids, role_ids}');
call tell_changes('invitations', 'invitation', 'location_id', '{id, role_ids, expires_at, closed_as}',
  '{permissions, device_ids, times_sent}');
call tell_changes('roles', 'role', 'location_id', '{id, name, permissions}');
call tell_changes('role_adjustments', 'role_adjustment', 'location_id', '{role_id, permissions}');
call tell_changes('users', 'user', 'tenant', '{id, first_name, last_name, email, role, language}', '{phone_number, email_confirmed_at}');
call tell_changes('radius_proxies', 'radius_proxy', 'tenant', '{id, name, address, locations}',
  '{require_message_authenticator, certificate_serial}');
call tell_changes('report_mails', 'report_mail', 'location_id', '{id, name, frequency, reports, language, is_active}', '{recipients, with_names}');
call tell_moments('report_mails', 'report_mail', '{id, name, frequency, reports}', '{sent=last_sent_at:*}');
call tell_changes('log_sources', 'log_source', 'device_id', '{id, device_id, network, proof, first_at}');
call tell_changes('printers', 'printer', 'location_id', '{id, name, host, port, paper, letters}');
call tell_changes('tenant_domains', 'domain', 'tenant', '{host, variant, verified_at}');
call tell_changes('sso_providers', 'single_sign_on', 'tenant', '{issuer, enabled, enforced, domains, create_accounts}', '{label, client_id, groups_claim}');
call tell_changes('integrations', 'integration', 'location_id', '{id, name, kind}', '{events, label, fields}');
drop trigger tell_moments on visitor_imports;
call tell_moments('visitor_imports', 'import',
  '{id, source, file_name, total, created, updated, skipped, started_at, finished_at}',
  '{created=created_at, started=started_at, finished=state:done}');
drop trigger tell_changes on locations;
call tell_changes('locations', 'location', 'id',
  '{id, name, country, city, district, time_zone, portal_id, default_profile_id, license_end_at, suspended_at}',
  '{available_providers, time_limit, time_limit_unit, time_limit_enabled, daily_bandwidth, daily_bandwidth_unit,
    daily_bandwidth_enabled, download_limit, download_limit_enabled, upload_limit, upload_limit_enabled, mac_whitelist,
    mac_whitelist_enabled, mac_blacklist, mac_blacklist_enabled, owner_id}');
drop trigger tell_moments on room_charges;
call tell_moments('room_charges', 'room_charge',
  '{id, integration_id, visitor_id, sale_id, amount, currency, state, answer, answered_at}',
  '{posted=state:posted, refused=state:refused, cancelled=state:cancelled}');
