import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';
import type { WaitingGrant } from '#routers/driver.ts';

export interface GrantRow extends WaitingGrant {
  readonly ip: string;
}

/** Replaces an older permission of the guest device. */
export const insertGrant = (tx: Tx, deviceId: string, it: GrantRow) =>
  tx.run(sql`
    insert into waiting_grants as g (device_id, client_mac, client_ip, class, key, ends_at, minutes, upload_kbit, download_kbit, quota_kb)
    values (${deviceId}, ${it.mac}::macaddr, parse_ip(${it.ip}), ${it.class}, ${it.key}, to_timestamp(${it.ends}), ${it.minutes},
      ${it.uploadKbit}, ${it.downloadKbit}, ${it.quotaKb})
    on conflict (tenant_id, device_id, client_mac) do update set client_ip = excluded.client_ip, class = excluded.class,
      key = excluded.key, ends_at = excluded.ends_at, minutes = excluded.minutes, upload_kbit = excluded.upload_kbit,
      download_kbit = excluded.download_kbit, quota_kb = excluded.quota_kb, created_at = now()`);

const columns = sql`upper(g.client_mac::text) as mac, coalesce(host(g.client_ip), '') as ip, g.class, g.key,
  extract(epoch from g.ends_at)::bigint as ends, g.minutes, g.upload_kbit as "uploadKbit", g.download_kbit as "downloadKbit",
  g.quota_kb as "quotaKb"`;

/** The oldest permissions first. A guest waits for minutes at most. */
export const listWaiting = (tx: Tx, deviceId: string, limit: number) =>
  tx.many<GrantRow>(sql`
    select ${columns} from waiting_grants g
    where g.device_id = ${deviceId} and g.created_at > now() - interval '5 minutes' order by g.created_at limit ${limit}`);

export const findWaiting = (tx: Tx, deviceId: string, macs: readonly string[]) =>
  tx.many<GrantRow>(sql`
    select ${columns} from waiting_grants g
    where g.device_id = ${deviceId} and g.client_mac = any(${macs}::macaddr[])`);

/** Removes permissions that were used. A newer one of the same guest device stays. */
export const deleteGrants = (tx: Tx, deviceId: string, used: readonly GrantRow[]) =>
  tx.run(sql`
    delete from waiting_grants g using unnest(${used.map(it => it.mac)}::macaddr[], ${used.map(it => it.key)}::text[]) u(mac, key)
    where g.device_id = ${deviceId} and g.client_mac = u.mac and g.key = u.key`);

/** A gateway that starts says so some seconds later, when guests may have signed in already. */
export const deleteOlder = (tx: Tx, deviceId: string) =>
  tx.run(sql`delete from waiting_grants where device_id = ${deviceId} and created_at < now() - interval '30 seconds'`);

/** Permissions that no gateway fetched, across tenants. */
export const deleteForgotten = (tx: Tx) =>
  tx.run(sql`delete from waiting_grants where created_at < now() - interval '10 minutes'`);
