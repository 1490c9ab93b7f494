-- Connections to other systems (PMS, SMS gateways, SMTP, OpenID, webhooks) and the queue of webhook deliveries.

create table integrations (
  tenant_id uuid not null,
  id uuid not null,
  location_id uuid, -- null: a webhook or the payment account of the tenant itself
  kind text not null,
  name text not null,
  connection text not null, -- encrypted with SECRET_KEY, with the secrets
  fields jsonb,
  last_worked_at timestamptz,
  last_tried_at timestamptz,
  last_ended_try timestamptz, -- when the last read of a hotel's table that has ended was begun
  last_error text,
  problem text, -- a key of integrationProblems; last_error holds what the other side said
  events text[] not null default '{}', -- what a webhook subscribed to
  expired_until timestamptz not null default now(), -- the ends of access up to here were told to a webhook
  licence_told text, -- the last end of the licence, and how near it was, that a webhook was told of
  last_read_empty boolean not null default false, -- the last read found no guest where there had been some
  label text, -- the text of an OpenID sign-in button, readable without decrypting the connection
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint integrations_of_tenant check (location_id is not null or kind in ('webhook', 'stripe', 'iyzico', 'paytr', 'test-payment')),
  foreign key (tenant_id, location_id) references locations on delete cascade
);
create index integrations_location on integrations (tenant_id, location_id, id desc);
create index integrations_due on integrations (last_tried_at nulls first);
create index integrations_webhooks on integrations (tenant_id, location_id) where kind = 'webhook';
create unique index integrations_one_sms on integrations (tenant_id, location_id)
  where kind in ('netgsm', 'iletimerkezi', 'twilio', 'vonage', 'sms-http');
create unique index integrations_one_smtp on integrations (tenant_id, location_id) where kind = 'smtp';
create unique index integrations_one_payment on integrations (tenant_id, location_id)
  where kind in ('stripe', 'iyzico', 'paytr', 'test-payment');
create unique index integrations_tenant_payment on integrations (tenant_id)
  where location_id is null and kind in ('stripe', 'iyzico', 'paytr', 'test-payment');
create index integrations_social on integrations (tenant_id, location_id) where kind = 'openid';
call isolate('integrations');
create trigger announce after insert or delete or update of name, last_worked_at, last_error on integrations
  for each row execute function announce('integrations', 'location_id');
call tell_changes('integrations', 'integration', 'location_id', '{id, name, kind}', '{events, label, fields}');

-- Webhook deliveries. Queued in the transaction of the event, sent by a job.
create table webhook_deliveries (
  tenant_id uuid not null,
  id uuid not null,
  location_id uuid, -- of the webhook
  integration_id uuid not null,
  event text not null,
  body text not null,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
  attempts int not null default 0,
  status int, -- HTTP status of the last attempt
  problem text,
  last_error text,
  created_at timestamptz not null default now(),
  next_at timestamptz not null default now(),
  delivered_at timestamptz,
  visitor_id uuid, -- whom the event describes; no foreign key, as a delivery may outlive its visitor
  response_id uuid,
  once text, -- a webhook gets what has this key once
  -- One of very many, such as those of an import: sent after the others.
  later boolean not null default coalesce(current_setting('portico.events', true) = 'later', false),
  primary key (tenant_id, id),
  foreign key (tenant_id, integration_id) references integrations on delete cascade
);
create index webhook_deliveries_due on webhook_deliveries (next_at) where state = 'waiting';
create index webhook_deliveries_next on webhook_deliveries (tenant_id, integration_id, later, id) where state = 'waiting';
create index webhook_deliveries_log on webhook_deliveries (tenant_id, integration_id, id desc);
create index webhook_deliveries_old on webhook_deliveries (created_at);
create index webhook_deliveries_visitor on webhook_deliveries (tenant_id, visitor_id) where visitor_id is not null;
create index webhook_deliveries_response on webhook_deliveries (tenant_id, response_id) where response_id is not null;
create unique index webhook_deliveries_once on webhook_deliveries (tenant_id, integration_id, once) where once is not null;
call isolate('webhook_deliveries');
create trigger announce after insert or update on webhook_deliveries
  for each row execute function announce('webhooks', 'location_id');

-- Queues an event for every webhook of the location that subscribed to it, or for `target` only. `wide`: for those of the whole
-- tenant too. Without a location it is for those only. `once_key`: each webhook gets it once.
create function queue_webhook_event(
  tenant uuid, location uuid, event_name text, content jsonb, target uuid default null, wide boolean default true, once_key text default null
) returns void
language sql as $$
  insert into webhook_deliveries (tenant_id, id, location_id, integration_id, event, body, visitor_id, response_id, once)
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
    case when event_name = 'survey.answered' then (content->>'id')::uuid end,
    once_key
  from integrations i
  where i.tenant_id = tenant and (i.location_id = location or (wide and i.location_id is null)) and i.kind = 'webhook'
    and event_name = any(i.events) and (target is null or i.id = target)
  on conflict (tenant_id, integration_id, once) where once is not null do nothing
$$;

-- Whether a webhook may ask for the events of a location at all. Mostly none does, and then no event needs to be built.
create function has_webhook(tenant uuid, location uuid) returns boolean
language sql stable as $$
  select exists (
    select from integrations i
    where i.tenant_id = tenant and (i.location_id = location or i.location_id is null) and i.kind = 'webhook')
$$;

create function emit_guest_online() returns trigger
language plpgsql as $$
begin
  -- Most tenants have no webhook, so this asks once for all rows of the statement.
  if not exists (select from integrations i where i.kind = 'webhook' and i.tenant_id in (select s.tenant_id from added s)) then
    return null;
  end if;
  perform queue_webhook_event(s.tenant_id, s.location_id, 'guest.online', jsonb_build_object(
    'session_id', s.id, 'location_id', s.location_id, 'device_id', s.device_id,
    'mac', upper(s.client_mac::text), 'ip', host(s.client_ip), 'started_at', s.started_at,
    'visitor', case when v.id is not null then jsonb_build_object('id', v.id, 'name', v.name, 'room_number', v.room_number) end))
  from added s
  left join visitors v on v.tenant_id = s.tenant_id and v.id = s.visitor_id
  where not s.reopened and has_webhook(s.tenant_id, s.location_id);
  return null;
end $$;

create function emit_guest_offline() returns trigger
language plpgsql as $$
begin
  if not exists (select from integrations i where i.kind = 'webhook' and i.tenant_id in (select s.tenant_id from removed s)) then
    return null;
  end if;
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

create function emit_sale_created() returns trigger
language plpgsql as $$
begin
  perform queue_webhook_event(s.tenant_id, s.location_id, case when s.reverses is null then 'sale.created' else 'sale.reversed' end, jsonb_build_object(
    'id', s.id, 'location_id', s.location_id, 'visitor_id', s.visitor_id, 'profile_id', s.profile_id, 'days', s.days,
    'unit_price', s.unit_price, 'total', s.total, 'currency', s.currency, 'sold_at', s.sold_at)
    || case when s.reverses is null then '{}' else jsonb_build_object('reverses', s.reverses, 'reason', s.reason) end)
  from added s
  where has_webhook(s.tenant_id, s.location_id);
  return null;
end $$;

create function emit_survey_answered() returns trigger
language plpgsql as $$
begin
  perform queue_webhook_event(r.tenant_id, r.location_id, 'survey.answered', jsonb_build_object(
    'id', r.id, 'survey_id', r.survey_id, 'location_id', r.location_id, 'device_id', r.device_id, 'visitor_id', r.visitor_id,
    'language', r.language, 'answers', r.answers))
  from added r
  where r.answers is not null and has_webhook(r.tenant_id, r.location_id);
  return null;
end $$;

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
    where v.tenant_id = hook.tenant_id and (hook.location_id is null or v.location_id = hook.location_id)
      and v.session_end_at > greatest(hook.expired_until, now() - interval '1 day')
      and v.session_end_at <= now() - interval '1 minute' and v.erased_at is null;
  end loop;
end $$;

-- Trigger, at the end of the transaction: tells of an end that passed while the transaction ran, after the webhooks were told of
-- that moment. An end that had passed before was told, or is no news.
create function tell_late_end() returns trigger
language plpgsql as $$
declare
  before timestamptz := case when tg_op = 'UPDATE' then old.session_end_at end;
  hook record;
begin
  -- Later ends are found by tell_expired_visitors(), which is a minute late itself.
  if new.session_end_at > clock_timestamp() - interval '50 seconds' or new.session_end_at <= now() - interval '1 day' then
    return null;
  end if;
  if tg_op = 'INSERT' and new.session_end_at <= now() then return null; end if;
  for hook in
    select i.id, i.expired_until from integrations i
    where i.tenant_id = new.tenant_id and (i.location_id = new.location_id or i.location_id is null) and i.kind = 'webhook'
      and 'visitor.expired' = any(i.events)
    order by i.id
    -- While this is held, tell_expired_visitors() passes the webhook by, and sees the new end the next time.
    for share
  loop
    continue when new.session_end_at > hook.expired_until or before <= hook.expired_until;
    perform queue_webhook_event(v.tenant_id, v.location_id, 'visitor.expired', jsonb_build_object(
      'id', v.id, 'location_id', v.location_id, 'name', v.name, 'provider_type', v.provider_type, 'room_number', v.room_number,
      'session_start_at', v.session_start_at, 'session_end_at', v.session_end_at), hook.id)
    from visitors v
    -- Unless a later statement of the transaction changed it again.
    where v.tenant_id = new.tenant_id and v.id = new.id and v.session_end_at = new.session_end_at and v.erased_at is null;
  end loop;
  return null;
end $$;

-- Tells the webhooks of a location and of the tenant that its licence ends soon or has ended: once per end and mark.
create function tell_licence(location uuid, event_name text, mark text, content jsonb) returns void
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

-- Deliveries hold personal data, so they go with the visitor or the answers that they describe.
create function delete_deliveries_of_visitor() returns trigger
language plpgsql as $$
begin
  delete from webhook_deliveries where tenant_id = old.tenant_id and visitor_id = old.id;
  return null;
end $$;

create function delete_deliveries_of_response() returns trigger
language plpgsql as $$
begin
  delete from webhook_deliveries where tenant_id = old.tenant_id and response_id = old.id;
  return null;
end $$;
