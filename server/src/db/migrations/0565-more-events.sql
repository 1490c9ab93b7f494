-- Events for the rest of what screens show: new purchases and room charges, text messages, log files and the audit log.
drop trigger tell_moments on purchases;
call tell_moments('purchases', 'purchase',
  '{id, visitor_id, package_id, package, days, amount, tax, currency, provider, payment, state, paid_at, refunded_at}',
  '{created=created_at, paid=paid_at, failed=state:failed, refused=state:refused, refunded=refunded_at, charged_back=state:charged-back}');
drop trigger tell_moments on room_charges;
call tell_moments('room_charges', 'room_charge',
  '{id, integration_id, visitor_id, sale_id, amount, currency, state, answer, answered_at}',
  '{created=created_at, posted=state:posted, refused=state:refused, cancelled=state:cancelled}');
call tell_moments('sms_messages', 'message', '{id, integration_id, recipient, state, problem, sent_at, delivered_at}',
  '{sent=state:sent, delivered=state:delivered, failed=state:failed}');
call tell_changes('log_files', 'log_file', 'device_id', '{id, device_id, type, day, part, sealed_at, sha256}', '{problem, erased_at}');
call tell_moments('audit_log', 'audit', '{id, user_id, verb, subject_type, subject_id, device_id}', '{recorded=created_at}');

-- The deletion of a location, too, is in the audit log, and is told to webhooks of the tenant.
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
    if noun in ('location', 'audit') or exists (select from locations l where l.tenant_id = tenant and l.id = location) then
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
