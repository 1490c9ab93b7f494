-- The failure of an import says why, and the events of its rows are sent after the others.
alter table visitor_imports add column problem text generated always as (findings->'problem'->>'key') stored;
drop trigger tell_moments on visitor_imports;
call tell_moments('visitor_imports', 'import',
  '{id, source, file_name, total, created, updated, skipped, problem, started_at, finished_at}', '{created=created_at, read=state:ready, failed=state:failed, started=started_at, finished=state:done}');

alter table webhook_deliveries add column later boolean not null default false;
create index webhook_deliveries_next on webhook_deliveries (tenant_id, integration_id, later, id) where state = 'waiting';

create or replace function queue_webhook_event(
  tenant uuid, location uuid, event_name text, content jsonb, target uuid default null, wide boolean default true, once_key text default null
) returns void
language sql as $$
  insert into webhook_deliveries (tenant_id, id, location_id, integration_id, event, body, visitor_id, response_id, once, later)
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
    once_key,
    coalesce(current_setting('portico.events', true) = 'later', false)
  from integrations i
  where i.tenant_id = tenant and (i.location_id = location or (wide and i.location_id is null)) and i.kind = 'webhook'
    and event_name = any(i.events) and (target is null or i.id = target)
  on conflict (tenant_id, integration_id, once) where once is not null do nothing
$$;
