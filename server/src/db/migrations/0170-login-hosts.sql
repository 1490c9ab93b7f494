-- The hosts to which a device without a hotspot address sends its tickets.
alter table devices
  add column login_hosts text[] not null default '{}',
  add column login_hosts_at timestamptz;
alter table tickets add column login_host text;

-- A router redeemed a ticket: the host of the sign-in page that the ticket went to belongs to it. A ticket's own guest could have
-- chosen the host, so hosts are learned on the first day only. A device that is being written is left for the next ticket.
create function learn_login_host() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update devices set login_hosts = login_hosts || new.login_host, login_hosts_at = coalesce(login_hosts_at, now())
  where tenant_id = new.tenant_id and id = (
    select id from devices
    where tenant_id = new.tenant_id and id = new.device_id and hotspot_address is null and not new.login_host = any(login_hosts)
      and cardinality(login_hosts) < 8 and (login_hosts_at is null or login_hosts_at > now() - interval '1 day')
    for update skip locked);
  return null;
end $$;
revoke execute on function learn_login_host from public;
alter function learn_login_host owner to portico_system;

create trigger learn_login_host after update of used_at on tickets
  for each row when (old.used_at is null and new.used_at is not null and new.login_host is not null) execute function learn_login_host();
