import type { MacRule, macTypes } from '@portico/contract/networks.ts';
import sql, { empty } from 'sql-template-tag';
import { contains, countRows, pageOf } from '#db/list.ts';
import type { Tx } from '#db/tenant.ts';
import type { Rows } from '#http/page.ts';

const columns = sql`m.id, m.mac, m.type, m.comment, m.networks, m.created_at`;

export type StoredMac = Omit<MacRule, 'vendor'>;
export type NewMac = Pick<MacRule, 'mac' | 'type' | 'comment' | 'networks'>;

export interface MacFilter {
  page: number;
  per_page: number;
  type?: (typeof macTypes)[number] | undefined;
  mac?: string | undefined;
}

export async function listMacs(tx: Tx, deviceId: string, filter: MacFilter): Promise<Rows<StoredMac>> {
  const part = filter.mac?.replace(/[^A-Za-z0-9]/g, '').toLowerCase();
  const found = sql`from mac_rules m where m.device_id = ${deviceId}
    ${filter.type ? sql`and m.type = ${filter.type}` : empty}
    ${part ? sql`and replace(m.mac::text, ':', '') like ${contains(part)}` : empty}`;
  const [rows, total] = await Promise.all([
    tx.many<StoredMac>(sql`select ${columns} ${found} order by m.id desc ${pageOf(filter)}`),
    countRows(tx, found, filter),
  ]);
  return { rows, total };
}

/** Returns undefined if the device has this MAC with this type already. */
export const insertMac = (tx: Tx, id: string, deviceId: string, it: NewMac) =>
  tx.maybe<StoredMac>(sql`
    insert into mac_rules as m (id, device_id, mac, type, comment, networks)
    values (${id}, ${deviceId}, ${it.mac}, ${it.type}, ${it.comment}, ${it.networks}::uuid[])
    on conflict do nothing returning ${columns}`);

export const deleteMac = (tx: Tx, deviceId: string, id: string) =>
  tx.maybe<StoredMac>(
    sql`delete from mac_rules m where m.id = ${id} and m.device_id = ${deviceId} returning ${columns}`,
  );

/** The rules of a device after the given one, newest first. */
export const nextMacs = (tx: Tx, deviceId: string, at: { after: string | null; limit: number }) =>
  tx.many<StoredMac>(sql`
    select ${columns} from mac_rules m where m.device_id = ${deviceId}
    ${at.after ? sql`and m.id < ${at.after}` : empty} order by m.id desc limit ${at.limit}`);

/** The existing rules of a device for these MACs. */
export const rulesFor = (tx: Tx, deviceId: string, macs: readonly string[]) =>
  tx.many<Pick<MacRule, 'mac' | 'type'>>(sql`
    select m.mac, m.type from mac_rules m where m.device_id = ${deviceId} and m.mac = any(${macs}::macaddr[])`);

/** Inserts many rules. Existing ones are missing from the result. */
export const insertMacs = (tx: Tx, deviceId: string, rules: readonly (NewMac & { id: string })[]) =>
  tx.many<StoredMac>(sql`
    insert into mac_rules as m (id, device_id, mac, type, comment, networks)
    select x.id, ${deviceId}::uuid, x.mac, x.type, x.comment, x.networks
    from jsonb_to_recordset(${JSON.stringify(rules)}::jsonb)
      as x(id uuid, mac macaddr, type text, comment text, networks uuid[])
    order by x.id on conflict do nothing returning ${columns}`);
