/* The device of a visitor that an operator made is the one where it was online first: lists show it, and members limited to
   devices see the guests of theirs. Visitors from a portal have theirs already. */
create function note_visitor_device() returns trigger language plpgsql as $$
begin
  -- Locked in one order, so that no two batches can wait for each other.
  perform from visitors v
  where (v.tenant_id, v.id) in (select f.tenant_id, f.visitor_id from fresh f) and v.device_id is null order by v.id for no key update;
  update visitors v set device_id = f.device_id
  from (select distinct on (x.tenant_id, x.visitor_id) x.tenant_id, x.visitor_id, x.device_id, x.location_id from fresh x
        where x.visitor_id is not null order by x.tenant_id, x.visitor_id, x.started_at) f
  where v.tenant_id = f.tenant_id and v.id = f.visitor_id and v.location_id = f.location_id and v.device_id is null;
  return null;
end $$;
create trigger note_visitor_device after insert on online_sessions
  referencing new table as fresh for each statement execute function note_visitor_device();

update visitors v set device_id = g.device_id
from (select distinct on (x.tenant_id, x.visitor_id) x.tenant_id, x.visitor_id, x.device_id, x.location_id
      from guest_devices x join devices d on d.tenant_id = x.tenant_id and d.id = x.device_id
      where x.visitor_id is not null order by x.tenant_id, x.visitor_id, x.session_started_at desc) g
where v.tenant_id = g.tenant_id and v.id = g.visitor_id and v.location_id = g.location_id and v.device_id is null;
