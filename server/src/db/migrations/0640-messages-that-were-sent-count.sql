-- Takes messages that were not sent from those that count against the limit of their location.
create procedure count_sms_less(tenant uuid, location uuid, messages int)
language sql as $$
  update locations set sms_used = greatest(0, sms_used - messages) where tenant_id = tenant and id = location
$$;

-- Gives up messages that still wait, after a refusal (`refused`), or because they are of no use any more. No gateway accepted
-- them, so they do not count against the limits of their locations. Locks the locations first, as a sign-in that counts a message.
create function give_up_messages(tenants uuid[], ids uuid[], refused boolean, p_problem text, words text) returns int
language plpgsql as $$
declare
  given_up int := 0;
  place record;
begin
  perform from locations l
  where (l.tenant_id, l.id) in (
    select m.tenant_id, m.location_id from unnest(tenants, ids) x(tenant, id)
    join sms_messages m on m.tenant_id = x.tenant and m.id = x.id)
  order by l.id for no key update;
  for place in
    with gone as (
      update sms_messages m set state = 'failed', data = null, problem = case when refused then p_problem else m.problem end,
        last_error = case when refused or m.problem is null then words else m.last_error end
      from unnest(tenants, ids) x(tenant, id)
      where m.tenant_id = x.tenant and m.id = x.id and m.state = 'waiting'
      returning m.tenant_id, m.location_id)
    select tenant_id, location_id, count(*)::int as messages from gone group by 1, 2
  loop
    call count_sms_less(place.tenant_id, place.location_id, place.messages);
    given_up := given_up + place.messages;
  end loop;
  return given_up;
end $$;

-- A gateway accepted a message. One that was given up meanwhile counts again.
create procedure accept_message(tenant uuid, message uuid)
language plpgsql as $$
declare
  place uuid := (select location_id from sms_messages where tenant_id = tenant and id = message);
begin
  perform from locations where tenant_id = tenant and id = place for no key update;
  if exists (select from sms_messages where tenant_id = tenant and id = message and state = 'failed') then
    call count_sms_less(tenant, place, -1);
  end if;
  update sms_messages set state = 'sent', sent_at = now(), data = null, problem = null, last_error = null
  where tenant_id = tenant and id = message;
end $$;
