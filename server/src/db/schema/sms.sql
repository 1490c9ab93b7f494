-- Text messages. The content is encrypted and deleted once it is sent; recipients are counted by a keyed hash.
create table sms_messages (
  tenant_id uuid not null,
  id uuid not null,
  location_id uuid not null,
  phone_hash bytea not null, -- keyed hash
  client_mac macaddr,
  address inet,
  data text, -- encrypted with SECRET_KEY; null once sent or given up
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'delivered', 'failed')),
  attempts int not null default 0,
  next_at timestamptz not null default now(),
  last_error text,
  created_at timestamptz not null default now(),
  expires_at timestamptz, -- not sent after that: the code in it is no longer valid
  sent_at timestamptz,
  integration_id uuid, -- the location's own gateway; null: the installation's
  gateway_id text, -- the id that the gateway gave the message
  recipient text, -- masked
  problem text,
  check_at timestamptz, -- when the gateway is asked next whether it was delivered
  delivered_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, location_id) references locations on delete cascade,
  foreign key (tenant_id, integration_id) references integrations on delete set null (integration_id)
);
create index sms_messages_due on sms_messages (next_at) where state = 'waiting';
create index sms_messages_phone on sms_messages (tenant_id, phone_hash, created_at);
create index sms_messages_mac on sms_messages (tenant_id, client_mac, created_at);
create index sms_messages_address on sms_messages (tenant_id, address, created_at);
create index sms_messages_location on sms_messages (tenant_id, location_id);
create index sms_messages_old on sms_messages (created_at);
create index sms_messages_integration on sms_messages (tenant_id, integration_id, id desc) where integration_id is not null;
create index sms_messages_check on sms_messages (check_at) where check_at is not null;
call isolate('sms_messages');
call tell_moments('sms_messages', 'message', '{id, integration_id, recipient, state, problem, sent_at, delivered_at}',
  '{sent=state:sent, delivered=state:delivered, failed=state:failed}');

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
