-- What webhooks were told of somebody is kept no longer than what we know of them ourselves.

alter table webhook_deliveries add column visitor_id uuid, add column response_id uuid;
comment on column webhook_deliveries.visitor_id is 'whom it tells of; no key, as a delivery may come after its visitor is gone';

create or replace function emit_event(tenant uuid, location uuid, event_name text, content jsonb) returns void language sql as $$
  insert into webhook_deliveries (tenant_id, id, location_id, integration_id, event, body, visitor_id, response_id)
  select i.tenant_id, new_id(), i.location_id, i.id, event_name,
    json_build_object('type', event_name, 'timestamp', to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'data', content)::text,
    case when event_name = 'visitor.created' then content->>'id' else coalesce(content->'visitor'->>'id', content->>'visitor_id') end::uuid,
    case when event_name = 'survey.answered' then (content->>'id')::uuid end
  from integrations i
  where i.tenant_id = tenant and i.location_id = location and i.kind = 'webhook' and event_name = any(i.events) $$;

update webhook_deliveries d set
  visitor_id = case when event = 'visitor.created' then it->>'id' else coalesce(it->'visitor'->>'id', it->>'visitor_id') end::uuid,
  response_id = case when event = 'survey.answered' then (it->>'id')::uuid end
from (select tenant_id, id, body::jsonb->'data' as it from webhook_deliveries) b
where d.tenant_id = b.tenant_id and d.id = b.id and event <> 'test';

create index webhook_deliveries_visitor on webhook_deliveries (tenant_id, visitor_id) where visitor_id is not null;
create index webhook_deliveries_response on webhook_deliveries (tenant_id, response_id) where response_id is not null;

create function forget_deliveries_of_visitor() returns trigger language plpgsql as $$ begin
  delete from webhook_deliveries where tenant_id = old.tenant_id and visitor_id = old.id;
  return null;
end $$;
create trigger forget_deliveries after delete on visitors for each row execute function forget_deliveries_of_visitor();
create trigger forget_deliveries_of_erased after update of erased_at on visitors for each row
  when (new.erased_at is not null and old.erased_at is null) execute function forget_deliveries_of_visitor();

create function forget_deliveries_of_response() returns trigger language plpgsql as $$ begin
  delete from webhook_deliveries where tenant_id = old.tenant_id and response_id = old.id;
  return null;
end $$;
create trigger forget_deliveries after delete on survey_responses for each row execute function forget_deliveries_of_response();
