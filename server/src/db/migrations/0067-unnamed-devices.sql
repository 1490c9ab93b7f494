-- Some firewalls (Sophos) do not tell the portal whose device a guest comes from. The guest's browser has an address of its own
-- in its place, and the first ticket that is used tells which device it is.
alter table tickets add column stands_for macaddr;
comment on column tickets.stands_for is 'what stands for the device of the browser that got it, where its router does not tell the device';
create index tickets_stands_for on tickets (tenant_id, device_id, stands_for) where stands_for is not null;

create table unnamed_devices (
  tenant_id uuid not null,
  device_id uuid not null,
  stands_for macaddr not null,
  client_mac macaddr not null,
  seen_at timestamptz not null default now(),
  primary key (tenant_id, device_id, stands_for),
  foreign key (tenant_id, device_id) references devices on delete cascade
);
create index unnamed_devices_old on unnamed_devices (seen_at);
call isolate('unnamed_devices');

create or replace function use_ticket(p_tenant uuid, p_ticket uuid, p_key text, giving admission_grant, out given text, out refused text)
language plpgsql as $$
declare
  t tickets;
begin
  -- Read anew: two requests with one ticket can stand in one batch.
  select * into t from tickets where tenant_id = p_tenant and id = p_ticket;
  if t.used_at is not null then
    if t.used_by = p_key then given := t.class; else refused := 'wrong_credentials'; end if;
    return;
  end if;
  given := (select taken.class from take_admissions(array[giving]) taken);
  if given is null then
    refused := 'over_limit';
    return;
  end if;
  update tickets set used_at = now(), used_by = p_key, class = given where tenant_id = p_tenant and id = p_ticket;
  if t.stands_for is not null and giving.mac is not null then
    insert into unnamed_devices (tenant_id, device_id, stands_for, client_mac) values (p_tenant, t.device_id, t.stands_for, giving.mac)
    on conflict (tenant_id, device_id, stands_for) do update set client_mac = excluded.client_mac, seen_at = now();
  end if;
end $$;
