-- A visitor that is deleted, by itself or by an administrator, is removed from its purchases; their amounts stay for the books. A
-- purchase that may still be paid keeps its address, because the receipt goes there.
create function forget_buyer() returns trigger
language plpgsql as $$
begin
  update purchases set email = null, phone = null, client_mac = null
  where tenant_id = old.tenant_id and visitor_id = old.id and state not in ('open', 'failed');
  return old;
end
$$;
-- Before the purchases lose their visitor.
create trigger forget_buyer before delete on visitors for each row execute function forget_buyer();
-- Purchases whose visitor an administrator deleted before.
set local role portico_system;
update purchases set email = null, phone = null, client_mac = null
where visitor_id is null and state not in ('open', 'failed') and paid_at is not null and (email is not null or phone is not null or client_mac is not null);
reset role;
