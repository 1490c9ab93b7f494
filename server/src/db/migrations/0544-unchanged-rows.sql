-- Trigger of keep_unchanged.
create function keep_unchanged() returns trigger
language plpgsql as $$
begin
  if to_jsonb(new) - array['updated_at', 'updated_by'] = to_jsonb(old) - array['updated_at', 'updated_by'] then return old; end if;
  return new;
end $$;

-- A row that is saved without a change keeps the time of its last change: configuration tools save the same again and again.
create procedure keep_unchanged(t regclass)
language plpgsql as $$
begin
  execute format(
    'create trigger unchanged before update on %s for each row when (new.updated_at is distinct from old.updated_at) execute function keep_unchanged()', t);
end $$;

call keep_unchanged('locations');
call keep_unchanged('profiles');
call keep_unchanged('devices');
call keep_unchanged('portals');
