/*
 * Free access is had once a day by each device. Where a firewall does not tell the device, a browser's stand-in had it; once the
 * ticket tells which device that is, it is the device's: neither this browser later on nor another one of it begins anew today.
 * Answers whether the device has had its time already.
 */
create function name_free_guest(p_tenant uuid, p_visitor uuid, p_stands_for macaddr, p_mac macaddr, out over boolean) language plpgsql as $$
declare
  mine visitors;
  theirs visitors;
  began_today boolean;
begin
  over := false;
  select * into mine from visitors where tenant_id = p_tenant and id = p_visitor and portal_mac = p_stands_for;
  if not found then return; end if;
  select * into theirs from visitors v
  where v.tenant_id = p_tenant and v.location_id = mine.location_id and v.provider_type = mine.provider_type and v.portal_mac = p_mac
  for update;
  if found then
    select (theirs.session_start_at at time zone l.time_zone)::date = local_day(l.time_zone) into began_today
    from locations l where l.tenant_id = p_tenant and l.id = mine.location_id;
    if began_today then
      over := coalesce(theirs.session_end_at <= now(), false);
      update visitors set session_end_at = least(session_end_at, theirs.session_end_at) where tenant_id = p_tenant and id = mine.id;
      return;
    end if;
    update visitors set portal_mac = null where tenant_id = p_tenant and id = theirs.id;
  end if;
  update visitors set portal_mac = p_mac,
    name = case when name = upper(p_stands_for::text) then upper(p_mac::text) else name end
  where tenant_id = p_tenant and id = mine.id;
end $$;
alter function name_free_guest owner to portico_system;

create or replace function use_ticket(p_tenant uuid, p_ticket uuid, p_key text, giving admission_grant, out given text, out refused text)
language plpgsql as $$
declare
  t tickets;
  named boolean;
begin
  -- Read anew: two requests with one ticket can stand in one batch.
  select * into t from tickets where tenant_id = p_tenant and id = p_ticket;
  if t.used_at is not null then
    if t.used_by = p_key then given := t.class; else refused := 'wrong_credentials'; end if;
    return;
  end if;
  named := t.stands_for is not null and giving.mac is not null;
  if named and (select over from name_free_guest(p_tenant, t.visitor_id, t.stands_for, giving.mac)) then
    refused := 'expired';
  else
    given := (select taken.class from take_admissions(array[giving]) taken);
    if given is null then
      refused := 'over_limit';
      return;
    end if;
    update tickets set used_at = now(), used_by = p_key, class = given where tenant_id = p_tenant and id = p_ticket;
  end if;
  if named then
    insert into unnamed_devices (tenant_id, device_id, stands_for, client_mac) values (p_tenant, t.device_id, t.stands_for, giving.mac)
    on conflict (tenant_id, device_id, stands_for) do update set client_mac = excluded.client_mac, seen_at = now();
  end if;
end $$;
