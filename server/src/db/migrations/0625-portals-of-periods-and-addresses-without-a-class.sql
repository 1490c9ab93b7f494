-- The locations that show a portal: by themselves, at a device or in a network, always or at certain times.
create function locations_with_portal(p_tenant uuid, p_portal uuid) returns setof uuid
language sql stable parallel safe as $$
  select l.id from locations l
  where l.tenant_id = p_tenant and (l.portal_id = p_portal
    or l.portal_periods <> '[]' and l.portal_periods @> jsonb_build_array(jsonb_build_object('portal_id', p_portal)))
  union
  select d.location_id from devices d
  where d.tenant_id = p_tenant and d.portal_periods <> '[]' and d.portal_periods @> jsonb_build_array(jsonb_build_object('portal_id', p_portal))
  union
  select d.location_id from networks n join devices d on d.tenant_id = n.tenant_id and d.id = n.device_id
  where n.tenant_id = p_tenant and n.portal_id = p_portal
$$;

-- Queues an event about a row for the webhooks of its location and for those of the whole tenant.
-- `place`: the column that holds the location, or the device or portal that it belongs to. A portal of the tenant concerns the
-- locations that show it, even in one network or at certain times only. `shown`: the columns in the payload.
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
  perform queue_webhook_event(tenant, id, noun || '.' || verb, jsonb_build_object('location_id', id) || content, wide => false)
  from locations_with_portal(tenant, portal) id;
end $$;

-- The session that account() has just applied a report to. Routers that forget the Class name their session by the guest device,
-- its id and its user name.
create function session_of_report(
  p_tenant uuid, p_device uuid, p_session text, p_class text, p_user_name text, p_mac text, p_at timestamptz, p_seconds bigint
) returns table (id uuid)
language sql stable as $$
  select x.id from (
    select o.id, o.started_at from online_sessions o
    where o.accounting_id = accounting_id(p_device, p_session, p_user_name, p_mac, p_class)
    union all
    select h.id, h.started_at from session_history h
    where h.accounting_id = accounting_id(p_device, p_session, p_user_name, p_mac, p_class) and h.started_at > now() - interval '62 days'
    union all
    select o.id, o.started_at from online_sessions o
    where p_class is null and o.class is not null and o.tenant_id = p_tenant and o.device_id = p_device and o.client_mac = parse_mac(p_mac)
      and o.acct_session_id = p_session and o.user_name = coalesce(p_user_name, '')
      and p_at - make_interval(secs => p_seconds) between o.started_at - interval '1 minute' and o.updated_at + interval '2 minutes'
    union all
    select h.id, h.started_at from session_history h
    where p_class is null and h.class is not null and h.tenant_id = p_tenant and h.device_id = p_device and h.client_mac = parse_mac(p_mac)
      and h.acct_session_id = p_session and h.user_name = coalesce(p_user_name, '')
      and p_at - make_interval(secs => p_seconds) between h.started_at - interval '1 minute' and h.ended_at + interval '2 minutes'
      and h.started_at > now() - interval '62 days' and h.started_at <= now() + interval '1 day'
      -- account() has opened a new session for it.
      and not exists (select from online_sessions o where o.accounting_id = accounting_id(p_device, p_session, p_user_name, p_mac, p_class))) x
  order by x.started_at <= p_at + interval '2 minutes' desc, x.started_at desc
  limit 1
$$;
revoke execute on function session_of_report from public;
alter function session_of_report owner to portico_system;

-- Adds the IPv6 addresses of a batch of accounting, after account() in the same transaction:
-- [{tenant, device, session, class, user_name, mac, at, seconds, networks}]. An IPv6 address may put an open
-- session into a network of the device, if its IPv4 address does not.
create or replace function record_addresses(records jsonb) returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into session_addresses as a (tenant_id, session_id, network, first_at, last_at)
  select r.tenant, s.id, n.network::inet, min(least(r.at, now())), max(least(r.at, now()))
  from jsonb_to_recordset(records)
    as r(tenant uuid, device uuid, session text, class text, user_name text, mac text, at timestamptz, seconds bigint, networks text[])
  cross join unnest(r.networks) as n(network)
  cross join lateral session_of_report(r.tenant, r.device, r.session, r.class, r.user_name, r.mac, r.at, r.seconds) s
  group by 1, 2, 3
  order by 1, 2, 3
  on conflict (tenant_id, session_id, network) do update set
    first_at = least(a.first_at, excluded.first_at), last_at = greatest(a.last_at, excluded.last_at);

  update online_sessions o set network_id = n.id
  from jsonb_to_recordset(records)
    as r(tenant uuid, device uuid, session text, class text, user_name text, mac text, at timestamptz, seconds bigint, networks text[])
  cross join unnest(r.networks) as a(network)
  cross join lateral session_of_report(r.tenant, r.device, r.session, r.class, r.user_name, r.mac, r.at, r.seconds) s
  cross join lateral find_network(r.tenant, r.device, a.network::inet) n
  where o.tenant_id = r.tenant and o.id = s.id and o.network_id is null;
$$;
