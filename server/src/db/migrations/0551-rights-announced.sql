-- A stream of changes that someone holds open went on for up to 25 seconds after the rights or the sign-in had ended.
create trigger announce_rights after update on users
  for each row when (old.role <> new.role) execute function announce('rights');
create trigger announce_rights after delete on tokens for each row execute function announce('rights');
create trigger announce_rights after insert or delete or update on location_members
  for each row execute function announce('rights');
create trigger announce_rights after update on locations
  for each row when (old.owner_id is distinct from new.owner_id) execute function announce('rights');
create trigger announce_rights after insert or update on sso_providers
  for each row when (new.enforced) execute function announce('rights');
