-- Ids of other systems are unique among rows without a place too, such as the locations of the tenant itself.
lock table locations, profiles, portals, devices in access exclusive mode;

-- The ids of a table in other systems are unique at one place: a location, or the customers of one owner. `place`: the columns that
-- hold it; the first that is not null counts. Rows without any are at one place too.
create or replace procedure have_external_ids(t regclass, place text[])
language plpgsql as $$
declare
  columns text := array_to_string(place, ', ');
begin
  execute format('create unique index %s_external on %s (tenant_id, external_id, (coalesce(%s))) nulls not distinct where external_id is not null', t, t, columns);
  execute format(
    'create trigger leave_external_id before update of %s on %s for each row when (new.external_id is not null) execute function leave_external_id(%L)',
    columns, t, columns);
end $$;

-- Trigger of have_external_ids. A row that moves to where its id is taken comes without it.
create or replace function leave_external_id() returns trigger
language plpgsql as $$
declare
  taken boolean;
begin
  execute format(
    'select exists (select from %I t where t.tenant_id = $1.tenant_id and t.external_id = $1.external_id and t.id <> $1.id
      and coalesce(%s) is not distinct from (select coalesce(%s) from (select $1.*) moved))', tg_table_name, tg_argv[0], tg_argv[0]) into taken using new;
  if taken then new.external_id := null; end if;
  return new;
end $$;

-- Of several with one id, the oldest keeps it.
update locations a set external_id = null
where a.external_id is not null and a.owner_id is null and exists (
  select from locations b where b.tenant_id = a.tenant_id and b.external_id = a.external_id and b.owner_id is null and b.id < a.id);

update portals a set external_id = null
where a.external_id is not null and coalesce(a.location_id, a.created_by) is null and exists (
  select from portals b where b.tenant_id = a.tenant_id and b.external_id = a.external_id and coalesce(b.location_id, b.created_by) is null and b.id < a.id);

drop index locations_external;
create unique index locations_external on locations (tenant_id, external_id, (coalesce(owner_id))) nulls not distinct where external_id is not null;
drop index profiles_external;
create unique index profiles_external on profiles (tenant_id, external_id, (coalesce(location_id))) nulls not distinct where external_id is not null;
drop index devices_external;
create unique index devices_external on devices (tenant_id, external_id, (coalesce(location_id))) nulls not distinct where external_id is not null;
drop index portals_external;
create unique index portals_external on portals (tenant_id, external_id, (coalesce(location_id, created_by))) nulls not distinct where external_id is not null;
