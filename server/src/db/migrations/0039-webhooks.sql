/* What webhooks are told, once for each that listens: written in the transaction of what it tells of, sent by a job. */
create table webhook_deliveries (
  tenant_id uuid not null,
  id uuid not null,
  location_id uuid not null,
  integration_id uuid not null,
  event text not null,
  body text not null,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
  attempts int not null default 0,
  status int,
  problem text,
  last_error text,
  created_at timestamptz not null default now(),
  next_at timestamptz not null default now(),
  delivered_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, integration_id) references integrations on delete cascade
);
create index webhook_deliveries_due on webhook_deliveries (next_at) where state = 'waiting';
create index webhook_deliveries_log on webhook_deliveries (tenant_id, integration_id, id desc);
create index webhook_deliveries_old on webhook_deliveries (created_at);
call isolate('webhook_deliveries');
create trigger announce after insert or update on webhook_deliveries for each row execute function announce('webhooks', 'location_id');

/* Tells the webhooks of a location that listen to this event. */
create function emit_event(tenant uuid, location uuid, event_name text, content jsonb) returns void language sql as $$
  insert into webhook_deliveries (tenant_id, id, location_id, integration_id, event, body)
  select i.tenant_id, new_id(), i.location_id, i.id, event_name,
    json_build_object('type', event_name, 'timestamp', to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'data', content)::text
  from integrations i
  where i.tenant_id = tenant and i.location_id = location and i.kind = 'webhook' and event_name = any(i.events) $$;

/* Whether anybody listens there: most locations have no webhook, and then nothing else is to be done. */
create function has_webhook(tenant uuid, location uuid) returns boolean language sql stable as $$
  select exists (select from integrations i where i.tenant_id = tenant and i.location_id = location and i.kind = 'webhook') $$;

create function tell_guest_online() returns trigger language plpgsql as $$ begin
  perform emit_event(s.tenant_id, s.location_id, 'guest.online', jsonb_build_object(
    'session_id', s.id, 'location_id', s.location_id, 'device_id', s.device_id, 'mac', upper(s.client_mac::text), 'ip', host(s.client_ip),
    'started_at', s.started_at, 'visitor', case when v.id is not null then jsonb_build_object('id', v.id, 'name', v.name, 'room_number', v.room_number) end))
  from added s left join visitors v on v.tenant_id = s.tenant_id and v.id = s.visitor_id
  where not s.reopened and has_webhook(s.tenant_id, s.location_id);
  return null;
end $$;
create trigger tell_guest_online after insert on online_sessions referencing new table as added
  for each statement execute function tell_guest_online();

create function tell_guest_offline() returns trigger language plpgsql as $$ begin
  perform emit_event(s.tenant_id, s.location_id, 'guest.offline', jsonb_build_object(
    'session_id', s.id, 'location_id', s.location_id, 'device_id', s.device_id, 'mac', upper(s.client_mac::text), 'ip', host(s.client_ip),
    'started_at', s.started_at, 'seconds', s.seconds, 'upload_bytes', s.upload, 'download_bytes', s.download,
    'visitor', case when v.id is not null then jsonb_build_object('id', v.id, 'name', v.name, 'room_number', v.room_number) end))
  from removed s left join visitors v on v.tenant_id = s.tenant_id and v.id = s.visitor_id
  where has_webhook(s.tenant_id, s.location_id);
  return null;
end $$;
create trigger tell_guest_offline after delete on online_sessions referencing old table as removed
  for each statement execute function tell_guest_offline();

create function tell_visitor_created() returns trigger language plpgsql as $$ begin
  perform emit_event(v.tenant_id, v.location_id, 'visitor.created', jsonb_build_object(
    'id', v.id, 'location_id', v.location_id, 'name', v.name, 'provider_type', v.provider_type, 'room_number', v.room_number,
    'session_start_at', v.session_start_at, 'session_end_at', v.session_end_at))
  from added v where has_webhook(v.tenant_id, v.location_id);
  return null;
end $$;
create trigger tell_visitor_created after insert on visitors referencing new table as added
  for each statement execute function tell_visitor_created();

create function tell_sale_created() returns trigger language plpgsql as $$ begin
  perform emit_event(s.tenant_id, s.location_id, 'sale.created', jsonb_build_object(
    'id', s.id, 'location_id', s.location_id, 'visitor_id', s.visitor_id, 'profile_id', s.profile_id, 'days', s.days,
    'unit_price', s.unit_price, 'total', s.total, 'currency', s.currency, 'sold_at', s.sold_at))
  from added s where has_webhook(s.tenant_id, s.location_id);
  return null;
end $$;
create trigger tell_sale_created after insert on sales referencing new table as added
  for each statement execute function tell_sale_created();

create function tell_survey_answered() returns trigger language plpgsql as $$ begin
  perform emit_event(r.tenant_id, r.location_id, 'survey.answered', jsonb_build_object(
    'id', r.id, 'survey_id', r.survey_id, 'location_id', r.location_id, 'device_id', r.device_id, 'visitor_id', r.visitor_id,
    'language', r.language, 'answers', r.answers))
  from added r where r.answers is not null and has_webhook(r.tenant_id, r.location_id);
  return null;
end $$;
create trigger tell_survey_answered after insert on survey_responses referencing new table as added
  for each statement execute function tell_survey_answered();
