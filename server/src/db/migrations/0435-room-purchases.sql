-- Purchases on the portal that are charged to a hotel room.
alter table purchases add column refunds int not null default 0; -- how often a refund was asked for
create index purchases_integration on purchases (tenant_id, integration_id) where integration_id is not null;

-- Whether guests can buy something at a location: by a payment provider, or on the bill of their hotel room.
create or replace function sells_packages(p_tenant uuid, p_location uuid, p_providers text[]) returns boolean
language sql stable as $$
  select exists (
    select from packages p where p.tenant_id = p_tenant and p.location_id = p_location and p.is_active
      and (exists (select from integrations i where i.tenant_id = p_tenant and i.location_id = p_location and i.kind = any(p_providers))
        or exists (select from hotel_links k where k.tenant_id = p_tenant and k.location_id = p_location and k.currency = p.currency)))
$$;

-- Something happened that decides about a purchase: it is looked at now.
create function check_purchase_now(p_tenant uuid, p_purchase uuid) returns void
language sql as $$
  update purchases set check_at = now()
  where tenant_id = p_tenant and id = p_purchase and state in ('open', 'failed', 'paid', 'refunding')
$$;

alter table room_charges
  add column purchase_id uuid, -- on the portal
  add column give_up_at timestamptz, -- a guest waits for the charge: after that it is not sent any more
  add foreign key (tenant_id, purchase_id) references purchases on delete set null (purchase_id);
create index room_charges_purchase on room_charges (tenant_id, purchase_id) where purchase_id is not null;

-- The answer of the hotel system decides about the purchase.
create function announce_purchase_charge() returns trigger
language plpgsql as $$
begin
  perform check_purchase_now(new.tenant_id, new.purchase_id);
  return null;
end $$;
create trigger check_purchase after update of state on room_charges
  for each row when (new.purchase_id is not null and new.state in ('posted', 'refused', 'cancelled')) execute function announce_purchase_charge();
