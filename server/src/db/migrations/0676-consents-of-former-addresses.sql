alter table marketing_consents drop constraint marketing_consents_withdrawn_by_check;
alter table marketing_consents add constraint marketing_consents_withdrawn_by_check
  check (withdrawn_by in ('guest', 'staff', 'erasure', 'renewal', 'address'));
-- Allowing news to an address says nothing about another one. Whoever has the new one is asked, and the former one may be a stranger's.
create function end_consents_of_former_address() returns trigger
language plpgsql as $$
begin
  update marketing_consents c set withdrawn_at = now(), withdrawn_by = 'address'
  where c.tenant_id = new.tenant_id and c.visitor_id = new.id and c.withdrawn_at is null and case c.channel
    when 'email' then lower(c.recipient) = lower(old.email) and lower(new.email) is distinct from lower(old.email)
    else c.recipient = old.phone and new.phone is distinct from old.phone end;
  return null;
end $$;
create trigger end_consents_of_former_address after update of email, phone on visitors
  for each row when (old.email is distinct from new.email or old.phone is distinct from new.phone)
  execute function end_consents_of_former_address();
