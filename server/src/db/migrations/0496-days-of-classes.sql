-- A Class ends with the day of its sign-in, so that a recorded request of an old one is known as such when it is sent again.
create or replace function take_admissions(grants admission_grant[]) returns table (place bigint, class text)
language plpgsql as $$
declare
  begins boolean := exists (select from unnest(grants) g where g.paid_end is not null);
begin
  -- Locked in one order and before admissions are written, so that two batches cannot deadlock.
  if begins then
    perform from visitors v
    where (v.tenant_id, v.id) in (select g.tenant_id, g.visitor_id from unnest(grants) g where g.paid_end is not null)
    order by v.id for no key update;
  end if;

  return query
  with asked as (
    select g.*, replace(gen_random_uuid()::text, '-', '')
      || lpad(to_hex(floor(extract(epoch from now()) / 86400)::int), 4, '0') as new_class
    from unnest(grants) with ordinality
      as g(tenant_id, location_id, device_id, visitor_id, profile_id, network_id, mac, interim, shared_user, paid_end, n)
  ), fitting as (
    select a.* from asked a
    cross join lateral devices_in_use(a.tenant_id, a.visitor_id, a.mac) u
    where a.visitor_id is null or a.shared_user is null or u.used < a.shared_user
  ), taken as (
    insert into admissions (tenant_id, class, location_id, device_id, client_mac, visitor_id, profile_id, network_id, interim, expires_at)
    select f.tenant_id, f.new_class, f.location_id, f.device_id, f.mac, f.visitor_id, f.profile_id, f.network_id, f.interim,
      now() + interval '2 minutes'
    from fitting f
    order by f.device_id, f.mac
    on conflict (tenant_id, device_id, client_mac) where client_mac is not null do update set
      class = excluded.class, location_id = excluded.location_id, visitor_id = excluded.visitor_id,
      profile_id = excluded.profile_id, network_id = excluded.network_id, interim = excluded.interim,
      created_at = excluded.created_at, expires_at = excluded.expires_at
  )
  select a.n, f.new_class from asked a left join fitting f on f.n = a.n order by a.n;

  if begins then
    perform begin_paid_days(g.tenant_id, g.visitor_id, g.paid_end)
    from unnest(grants) g
    where g.paid_end is not null and exists (
      select from admissions a
      where a.tenant_id = g.tenant_id and a.visitor_id = g.visitor_id and a.device_id = g.device_id
        and a.client_mac is not distinct from g.mac and a.created_at = now());
  end if;
end $$;
