-- Open streams of changes look at the rights of their reader again.
create function announce_tenant_rights() returns trigger
language plpgsql as $$
begin
  perform pg_notify('portico', jsonb_build_object('tenant', new.id, 'location', null, 'topic', 'rights')::text);
  return null;
end $$;
create trigger announce_rights after update on tenants
  for each row when (new.require_second_factor and not old.require_second_factor or new.idle_minutes is distinct from old.idle_minutes)
  execute function announce_tenant_rights();
drop trigger announce_rights on users;
create trigger announce_rights after update on users
  for each row when (old.role <> new.role or old.totp_enabled and not new.totp_enabled) execute function announce('rights');
create trigger announce_rights after delete on passkeys for each row execute function announce('rights');

-- A reseller whose customer was handed over no longer gets its earlier answers, which may be about that customer. The work is not done again.
create function withhold_replies() returns trigger
language plpgsql as $$
begin
  update idempotent_replies set rights = rights || '{"withheld": true}'
  where tenant_id = old.tenant_id and user_id = old.owner_id and rights->>'role' = 'reseller' and not rights ? 'withheld';
  return null;
end $$;
create trigger withhold_replies after update on locations
  for each row when (old.owner_id is not null and new.owner_id is distinct from old.owner_id) execute function withhold_replies();
