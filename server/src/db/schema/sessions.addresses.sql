-- IPv6 addresses of sessions, and prefixes delegated to their guest devices (RFC 3162, 4818, 6911). Each row has the first and the
-- last report. A session has several at once, and they change. A session whose IPv4 address changed has a row for each of those
-- too, with the times at which reports prove it (note_changed_addresses). The rows go with their session.
create table session_addresses (
  tenant_id uuid not null,
  session_id uuid not null,
  network inet not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  held tstzmultirange,
  primary key (tenant_id, session_id, network),
  check (family(network) <> 4 or held is not null)
) with (fillfactor = 80);
create index session_addresses_network on session_addresses (tenant_id, network);
call isolate('session_addresses');
revoke insert, update, delete on session_addresses from portico_app;

-- An IPv6 address and all networks around it up to /32, to be looked up by index. Larger networks are never stored.
create function networks_around(address inet) returns inet[]
language sql immutable parallel safe as $$
  select array(select network(set_masklen(address, n))::inet from generate_series(32, masklen(address)) n)
$$;

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
create function record_addresses(records jsonb) returns void
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
revoke execute on function record_addresses from public;
alter function record_addresses owner to portico_system;
