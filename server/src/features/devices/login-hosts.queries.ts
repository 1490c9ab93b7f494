import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

/** The hosts of a device's sign-in pages, while its hotspot address is not set. */

const maxRefused = 20;
/** The limit for the hosts that a device learns by itself. */
const maxHosts = 8;

/** Counts an arrival with a host that the device has not used. The hosts that were seen least recently are forgotten. */
export async function countRefusedHost(tx: Tx, deviceId: string, host: string): Promise<void> {
  await tx.run(sql`
    insert into refused_login_hosts as r (device_id, host) values (${deviceId}, ${host})
    on conflict (tenant_id, device_id, host) do update set arrivals = r.arrivals + 1, last_at = now()`);
  await tx.run(sql`
    delete from refused_login_hosts where device_id = ${deviceId} and host in (
      select host from refused_login_hosts where device_id = ${deviceId} order by last_at desc offset ${maxRefused})`);
}

export const findNames = (tx: Tx, deviceId: string) =>
  tx.one<{ name: string; location_id: string }>(sql`select name, location_id from devices where id = ${deviceId}`);

/** The host that most guests of the last days came with, and could not be sent to. */
export const findRefusedHost = (tx: Tx, deviceId: string) =>
  tx.maybe<{ host: string; at: string }>(sql`
    select r.host, r.last_at as at from refused_login_hosts r join devices d on d.id = r.device_id
    where r.device_id = ${deviceId} and r.last_at > now() - interval '7 days' and d.hotspot_address is null
    order by r.arrivals desc, r.last_at desc limit 1`);

/** Returns whether the device had room for the host, or had it already. */
export async function acceptHost(tx: Tx, deviceId: string, host: string): Promise<boolean> {
  const changed = await tx.run(sql`
    update devices set login_hosts = array_append(array_remove(login_hosts, ${host}), ${host}),
      login_hosts_at = coalesce(login_hosts_at, now()), updated_at = now()
    where id = ${deviceId} and (cardinality(login_hosts) < ${maxHosts} or ${host} = any(login_hosts))`);
  if (changed) await tx.run(sql`delete from refused_login_hosts where device_id = ${deviceId} and host = ${host}`);
  return changed > 0;
}
