-- A guest device is remembered when the router redeems its ticket, not when a browser names its MAC.
alter table tickets
  add by_address boolean not null default false,
  add remember_token bytea,
  add token_before bytea;

-- Remembers the guest device that redeemed a ticket, tied to a token of its browser; recognised by its MAC alone, it is only seen again.
-- The router told the MAC: the portal is told any MAC by anybody.
create function remember_guest(
  p_tenant uuid, p_location uuid, p_visitor uuid, p_mac macaddr, p_by_address boolean, p_slug text, p_token bytea, p_before bytea
) returns void
language plpgsql as $$
begin
  -- Another sign-in of this guest device is being remembered. Waiting for it could deadlock.
  if p_mac is null or not pg_try_advisory_xact_lock(lock_key('remembered', p_location::text || p_mac)) then
    return;
  end if;
  if p_by_address then
    update remembered_guests set seen_at = now()
    where tenant_id = p_tenant and location_id = p_location and client_mac = p_mac and visitor_id = p_visitor;
    return;
  end if;
  -- The browser's earlier device.
  delete from remembered_guests
  where (tenant_id, id) in (
    select r.tenant_id, r.id from remembered_guests r
    where r.tenant_id = p_tenant and r.location_id = p_location and r.client_mac <> p_mac and r.token_hash in (p_before, p_token)
    for update skip locked);
  insert into remembered_guests (tenant_id, id, location_id, visitor_id, client_mac, token_hash, provider_slug)
  values (p_tenant, new_id(), p_location, p_visitor, p_mac, p_token, p_slug)
  on conflict (tenant_id, location_id, client_mac) do update set
    visitor_id = excluded.visitor_id, token_hash = excluded.token_hash, provider_slug = excluded.provider_slug, seen_at = now();
end $$;

-- Redeems a ticket for one request (`p_key`); a retransmission of that request gets the same Class again.
-- Returns a Class or the reason of a refusal.
create or replace function redeem_ticket(
  p_tenant uuid, p_ticket uuid, p_key text, admission admission_grant, out given text, out refused text
)
language plpgsql as $$
declare
  t tickets;
  reveals_mac boolean;
begin
  -- Read here, not by the caller: two requests with one ticket can be in one batch.
  select * into t from tickets where tenant_id = p_tenant and id = p_ticket;
  if t.used_at is not null then
    if t.used_by = p_key then given := t.class; else refused := 'wrong_credentials'; end if;
    return;
  end if;

  reveals_mac := t.pseudo_mac is not null and admission.mac is not null;
  if reveals_mac and (select used_up from set_free_access_device(p_tenant, t.visitor_id, t.pseudo_mac, admission.mac)) then
    refused := 'expired';
  else
    given := (select taken.class from take_admissions(array[admission]) taken);
    if given is null then
      refused := 'over_limit';
      return;
    end if;
    update tickets set used_at = now(), used_by = p_key, class = given where tenant_id = p_tenant and id = p_ticket;
    if t.by_address or t.remember_token is not null then
      perform remember_guest(p_tenant, t.location_id, t.visitor_id, coalesce(t.pseudo_mac, admission.mac), t.by_address, t.provider_slug,
        t.remember_token, t.token_before);
    end if;
  end if;
  if reveals_mac then
    perform save_pseudo_mac(p_tenant, t.device_id, t.pseudo_mac, admission.mac);
  end if;
end $$;
