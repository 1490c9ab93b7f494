-- The address of an update that comes after the end of its session is noted, so that no other one counts as certain then.
create or replace procedure note_changed_addresses(matches accounting_match[])
language plpgsql as $$
declare
  c record;
begin
  for c in
    -- The session counts from its start on with the first address that is reported, unless a report of the start says otherwise.
    select (m.fact).tenant_id, k.id, (m.fact).ip, greatest((m.fact).at, k.began_at) as at, k.known, k.began_at, k.last_at
    from unnest(matches) m
    cross join lateral (
      select (open).id, (open).client_ip as known, (open).started_at as began_at, (open).updated_at as last_at
      where action in ('update', 'stop')
      union all
      select (closed).id, (closed).client_ip, (closed).started_at, (closed).ended_at
      where action in ('amend', 'reopen')) k
    where (m.fact).ip <> k.known
      or (m.fact).ip = k.known and (action in ('amend', 'reopen') or (m.fact).at < k.last_at) and exists (
        select from session_addresses e
        where e.tenant_id = (m.fact).tenant_id and e.session_id = k.id and family(e.network) = 4)
      -- The end of a closed session does not say so, and an earlier report may yet open it again with another address.
      or (m.fact).ip = k.known and action = 'amend' and (m.fact).status = 'interim' and (m.fact).at > k.last_at
    order by 1, 2
  loop
    -- A report that says nothing new, perhaps a repeated one.
    continue when exists (
      select from session_addresses a
      where a.tenant_id = c.tenant_id and a.session_id = c.id and a.network = c.ip and (a.held @> c.at
        or c.ip = c.known and c.at > upper(a.held) and not exists (
          select from session_addresses b
          where b.tenant_id = a.tenant_id and b.session_id = a.session_id and upper(b.held) > upper(a.held))));

    -- The known address was held until the latest report, unless another one was reported last of all.
    insert into session_addresses as a (tenant_id, session_id, network, first_at, last_at, held)
    values (c.tenant_id, c.id, c.known, least(c.began_at, c.last_at), c.last_at,
      tstzmultirange(tstzrange(least(c.began_at, c.last_at), c.last_at, '[]')))
    on conflict (tenant_id, session_id, network) do update set
      last_at = greatest(a.last_at, excluded.last_at),
      held = a.held + tstzmultirange(tstzrange(upper(a.held), excluded.last_at, '[]'))
    where excluded.last_at > upper(a.held) and not exists (
      select from session_addresses b
      where b.tenant_id = a.tenant_id and b.session_id = a.session_id and upper(b.held) > upper(a.held));

    -- A late report of another address: of the time around it, only the ends are proven.
    update session_addresses a
    set held = a.held - (
      select tstzmultirange(tstzrange(lower(r), upper(r), case when lower(r) < c.at then '()' else '[)' end))
      from unnest(a.held) r
      where r @> c.at)
    where a.tenant_id = c.tenant_id and a.session_id = c.id and a.network <> c.ip
      and exists (select from unnest(a.held) r where r @> c.at and upper(r) > c.at);

    -- The report, with the time to the reports of the same address before and after it.
    insert into session_addresses as a (tenant_id, session_id, network, first_at, last_at, held)
    values (c.tenant_id, c.id, c.ip, c.at, c.at, tstzmultirange(tstzrange(c.at, c.at, '[]')))
    on conflict (tenant_id, session_id, network) do update set
      first_at = least(a.first_at, c.at),
      last_at = greatest(a.last_at, c.at),
      held = a.held + (
        select tstzmultirange(tstzrange(
          coalesce(max(upper(r)) filter (where upper(r) < c.at), c.at),
          coalesce(min(lower(r)) filter (where lower(r) > c.at), c.at), '[]'))
        from unnest(a.held) r
        where not exists (
          select from session_addresses b
          where b.tenant_id = c.tenant_id and b.session_id = c.id and b.network <> c.ip
            and b.held && tstzrange(least(upper(r), c.at), greatest(lower(r), c.at), '[]')));
  end loop;
end $$;
