-- The guest of a session: by the Class of its sign-in, also where an earlier session had it, else by the guest device's last
-- sign-in there, else by the user name.
create or replace function find_session_guest(f accounting_fact)
returns table (visitor_id uuid, profile_id uuid, network_id uuid, interim int, admission_id uuid)
language sql stable as $$
  select
    case when h.id is not null then h.visitor_id when a.id is null then v.id else a.visitor_id end,
    case when h.id is not null then h.profile_id when a.id is null then v.profile_id else a.profile_id end,
    case when h.id is not null then h.network_id when a.id is null then n.id else a.network_id end,
    coalesce(a.interim, 60),
    a.id
  from (select) one
  left join admissions c on c.tenant_id = f.tenant_id and c.device_id = f.device_id and c.class = f.class
  -- A late Start looks like a second session, and the first one has used the admission.
  left join lateral (
    select y.id, y.visitor_id, y.profile_id, y.network_id from session_history y
    where c.id is null and f.class is not null and y.accounting_id = f.accounting_id and y.started_at > f.began_at - interval '62 days'
    order by y.started_at desc
    limit 1) h on true
  left join admissions m on c.id is null and h.id is null and m.tenant_id = f.tenant_id and m.device_id = f.device_id and m.client_mac = f.mac
  left join lateral (select (coalesce(c, m)).*) a on true
  left join visitors v on a.id is null and h.id is null and v.tenant_id = f.tenant_id and v.location_id = f.location_id and v.username = f.user_name
  left join lateral find_network(f.tenant_id, f.device_id, f.ip) n on a.id is null and h.id is null
$$;
