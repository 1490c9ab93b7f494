-- sign_in(): authorize() and admit() in one.
-- Admits a batch of guests whose password was right. Returns one Class per grant, numbered from 1; null means too many devices.
-- Guests who share a visitor or a guest device are admitted one after another, after all others were admitted together.
create function admit_grants(grants admission_grant[]) returns table (n bigint, class text)
language plpgsql as $$
declare
  places bigint[];
  these admission_grant[];
begin
  perform pg_advisory_xact_lock(lock_key('visitor', v.visitor_id::text))
  from (select distinct x.visitor_id from unnest(grants) x order by 1) v;
  for places, these in
    select array_agg(x.place order by x.place), array_agg(x.granting order by x.place)
    from (
      select q.place,
        row(tenant_id, location_id, device_id, visitor_id, profile_id, network_id, mac, interim, shared_user, paid_end)::admission_grant as granting,
        case
          when count(*) over (partition by visitor_id) > 1 or count(*) over (partition by device_id, mac) > 1 then q.place
          else 0
        end as round
      from unnest(grants) with ordinality
        as q(tenant_id, location_id, device_id, visitor_id, profile_id, network_id, mac, interim, shared_user, paid_end, place)) x
    group by x.round
    order by x.round
  loop
    return query select places[t.place], t.class from take_admissions(these) t;
  end loop;
end $$;

-- The same for [granting of authorize()].
create or replace function admit(grants jsonb) returns table (n bigint, class text)
language sql security definer set search_path = public, pg_temp as $$
  select * from admit_grants(array(select g from jsonb_populate_recordset(null::admission_grant, grants) g))
$$;

-- authorize() and admit() in one, for a caller that knows which stored password the guest typed, because it compared the two before:
-- [{…, known_password, known_visitor}]. `proven`: the password is still that one, so the decision is final. Others are decided as by
-- authorize().
create function sign_in(requests jsonb) returns table (
  n bigint, outcome text, reason text, password text, granting json, class text, provider_slug text, ticket boolean,
  session_timeout bigint, idle_timeout int, interim int, upload_bps bigint, download_bps bigint, total_bytes bigint, proven boolean)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  made sign_in_decision[];
  known boolean[];
  places bigint[];
  grants admission_grant[];
  classes text[];
begin
  -- Both kinds of visitors at once, so that two batches cannot deadlock.
  perform pg_advisory_xact_lock(lock_key('visitor', v.visitor_id::text))
  from (
    select t.visitor_id from tickets t
    where t.hash = any(array(
      select sha256(convert_to(q.user_name, 'UTF8')) from jsonb_to_recordset(requests) as q(user_name text, same boolean) where q.same))
    union
    select q.known_visitor from jsonb_to_recordset(requests) as q(known_visitor uuid)
    where q.known_visitor is not null
    order by 1) v;

  made := array(select a from authorize(requests) a order by a.n);
  known := array(
    select coalesce(m.outcome = 'check' and m.password = requests->(m.n::int - 1)->>'known_password', false)
    from unnest(made) m
    order by m.n);
  select array_agg(m.n order by m.n), array_agg(m.granting order by m.n)
  into places, grants
  from unnest(made) m
  where known[m.n] and m.reason is null;
  classes := array(select g.class from admit_grants(grants) g order by g.n);
  return query
    select m.n, m.outcome, case when g.place is not null and g.class is null then 'over_limit' else m.reason end, m.password,
      to_json(m.granting), coalesce(g.class, m.class), m.provider_slug, m.ticket,
      m.session_timeout, m.idle_timeout, m.interim, m.upload_bps, m.download_bps, m.total_bytes, known[m.n]
    from unnest(made) m
    left join unnest(places, classes) as g(place, class) on g.place = m.n
    order by m.n;
end $$;

revoke execute on function admit_grants, sign_in from public;
alter function admit_grants owner to portico_system;
alter function sign_in owner to portico_system;
