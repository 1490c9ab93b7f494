-- The events of a tenant's portal reach the locations that show it by a network.
-- Queues an event about a row for the webhooks of its location and for those of the whole tenant.
-- `place`: the column that holds the location, or the device or portal that it belongs to. A portal of the tenant, and what belongs
-- to it, concerns the locations that show it, be it by one network. `shown`: the columns in the payload.
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
  from locations l
  where l.tenant_id = tenant and (l.portal_id = portal or exists (
    select from networks n join devices d on d.tenant_id = n.tenant_id and d.id = n.device_id
    where n.tenant_id = tenant and n.portal_id = portal and d.location_id = l.id));
end $$;
