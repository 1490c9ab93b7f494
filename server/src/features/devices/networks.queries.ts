import type { Network } from '@portico/contract/networks.ts';
import sql from 'sql-template-tag';
import { pageOf } from '#db/list.ts';
import { assignments } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';
import type { Rows } from '#http/page.ts';

const select = sql`
  select n.id, n.name, host(n.start_ip) as start_ip, n.subnet::text as subnet, n.portal_id, n.profile_id,
    case when p.id is not null then json_build_object('id', p.id, 'name', p.name) end as portal,
    case when f.id is not null then json_build_object('id', f.id, 'name', f.name) end as profile, n.created_at, n.updated_at, null as deleted_at
  from networks n left join portals p on p.id = n.portal_id left join profiles f on f.id = n.profile_id`;

export async function listNetworks(
  tx: Tx,
  deviceId: string,
  at: { page: number; per_page: number },
): Promise<Rows<Network>> {
  const rows = await tx.many<Network>(sql`${select} where n.device_id = ${deviceId} order by n.id desc ${pageOf(at)}`);
  const { total } = await tx.one<{ total: number }>(
    sql`select count(*) as total from networks where device_id = ${deviceId}`,
  );
  return { rows, total };
}

export const findNetwork = (tx: Tx, deviceId: string, id: string) =>
  tx.maybe<Network>(sql`${select} where n.id = ${id} and n.device_id = ${deviceId}`);

export interface NetworkValues {
  name: string;
  start_ip: string;
  subnet: number;
  portal_id: string | null;
  profile_id: string | null;
}

export const insertNetwork = (tx: Tx, id: string, deviceId: string, it: NetworkValues) =>
  tx.run(sql`
    insert into networks (id, device_id, name, start_ip, subnet, portal_id, profile_id)
    values (${id}, ${deviceId}, ${it.name}, ${it.start_ip}, ${it.subnet}, ${it.portal_id}, ${it.profile_id})`);

export const updateNetwork = (tx: Tx, id: string, values: NetworkValues) =>
  tx.run(sql`update networks set ${assignments({ ...values })} where id = ${id}`);

/** Deletes a network and removes it from MAC rules. A rule for this network only is deleted too. */
export async function deleteNetwork(tx: Tx, deviceId: string, id: string): Promise<number> {
  // A rule without networks would apply to all of them, so a rule for this network only is deleted.
  await tx.run(sql`delete from mac_rules where device_id = ${deviceId} and networks = array[${id}::uuid]`);
  await tx.run(sql`
    update mac_rules set networks = array_remove(networks, ${id}) where device_id = ${deviceId} and ${id} = any(networks)`);
  return tx.run(sql`delete from networks where id = ${id} and device_id = ${deviceId}`);
}

/** A network of the device that overlaps the given one. */
export const findOverlap = (
  tx: Tx,
  deviceId: string,
  it: { start_ip: string; subnet: number; except: string | null },
) =>
  tx.maybe<{ name: string }>(sql`
    select name from networks where device_id = ${deviceId} and id is distinct from ${it.except}
      and set_masklen(start_ip, subnet) && set_masklen(${it.start_ip}::inet, ${it.subnet}::int) limit 1`);

/** The number of these networks that belong to the device and may have MAC rules: routers know such rules for IPv4 only. */
export const countNetworks = async (tx: Tx, deviceId: string, ids: readonly string[]): Promise<number> =>
  (
    await tx.one<{ count: number }>(
      sql`select count(*) as count from networks where device_id = ${deviceId} and id = any(${ids}) and family(start_ip) = 4`,
    )
  ).count;

/** The networks that MAC rules can name. */
export const networkNames = (tx: Tx, deviceId: string) =>
  tx.many<{ id: string; name: string }>(
    sql`select id, name from networks where device_id = ${deviceId} and family(start_ip) = 4 order by id`,
  );
