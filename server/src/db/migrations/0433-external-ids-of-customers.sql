-- Ids of other systems for devices and portals. Two customers of a tenant may use the same id.
lock table locations, profiles, portals, devices in access exclusive mode;

-- The ids of a table in other systems are unique at one place: a location, or the customers of one owner. `place`: the columns that
-- hold it; the first that is not null counts.
create procedure have_external_ids(t regclass, place text[])
language plpgsql as $$
declare
  columns text := array_to_string(place, ', ');
begin
  execute format('create unique index %s_external on %s (tenant_id, external_id, (coalesce(%s))) where external_id is not null', t, t, columns);
  execute format(
    'create trigger leave_external_id before update of %s on %s for each row when (new.external_id is not null) execute function leave_external_id(%L)',
    columns, t, columns);
end $$;

-- Trigger of have_external_ids. A row that moves to where its id is taken comes without it.
create function leave_external_id() returns trigger
language plpgsql as $$
declare
  taken boolean;
begin
  execute format(
    'select exists (select from %I t where t.tenant_id = $1.tenant_id and t.external_id = $1.external_id and t.id <> $1.id
      and coalesce(%s) = (select coalesce(%s) from (select $1.*) moved))', tg_table_name, tg_argv[0], tg_argv[0]) into taken using new;
  if taken then new.external_id := null; end if;
  return new;
end $$;

drop index locations_external;
call have_external_ids('locations', '{owner_id}');
drop index profiles_external;
call have_external_ids('profiles', '{location_id}');
alter table devices add external_id text; -- in another system
call have_external_ids('devices', '{location_id}');
alter table portals add external_id text; -- in another system
call have_external_ids('portals', '{location_id, created_by}');
