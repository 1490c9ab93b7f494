import { isIP } from 'node:net';
import { unmapIpv4 } from '@portico/contract/fields.ts';
import { formatMac, macPattern } from '@portico/contract/mac.ts';
import sql, { type Sql } from 'sql-template-tag';
import { bound } from '#db/list.ts';
import { andDevice } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';
import { holding } from './addresses.queries.ts';
import type { Viewer } from './sessions.queries.ts';

export interface FoundClient {
  readonly kind: 'session' | 'client';
  readonly id: string;
  readonly title: string;
  readonly detail: string | null;
  readonly location: { readonly id: string; readonly name: string };
}

/** The devices of guests with exactly this MAC or IP address: those online, and by MAC those that were online before. */
export async function findClients(tx: Tx, viewer: Viewer, typed: string, limit: number): Promise<FoundClient[]> {
  const search = unmapIpv4(typed);
  const isAddress = isIP(search) !== 0;
  // The first twelve letters of an IPv6 address look like a MAC address.
  const mac = !isAddress && macPattern.test(formatMac(search)) ? formatMac(search) : undefined;
  if (mac === undefined && !isAddress) return [];
  const named = nameOf(viewer);
  const where: Sql = mac
    ? sql`s.client_mac = ${mac}::macaddr`
    : search.includes(':')
      ? sql`s.id = any(array(select a.session_id from session_addresses a where ${holding(search)}))`
      : sql`s.client_ip = ${search}::inet`;
  const online = findOnline(tx, viewer, where, limit);
  const before = mac
    ? tx.nested<FoundClient>(sql`
        select 'client' as kind, upper(s.client_mac::text) as id, upper(s.client_mac::text) as title, v.name as detail,
          l.id as "location.id", l.name as "location.name"
        from guest_devices s join locations l on l.id = s.location_id ${named}
        where s.client_mac = ${mac}::macaddr ${andDevice(viewer.scope, sql`s.location_id`, sql`s.device_id`)}
        order by s.session_started_at desc limit ${bound(limit)}`)
    : [];
  return [...(await online), ...(await before)];
}

/** The sessions that these visitors have open. */
export const findOnlineOf = (tx: Tx, viewer: Viewer, visitors: readonly string[], limit: number) =>
  findOnline(tx, viewer, sql`s.visitor_id = any(${visitors})`, limit);

const findOnline = (tx: Tx, viewer: Viewer, where: Sql, limit: number) =>
  tx.nested<FoundClient>(sql`
    select 'session' as kind, s.id, coalesce(upper(s.client_mac::text), host(s.client_ip)) as title, v.name as detail,
      l.id as "location.id", l.name as "location.name"
    from online_sessions s join locations l on l.id = s.location_id ${nameOf(viewer)}
    where ${where} and s.updated_at > now() - 3 * s.interim * interval '1 second'
      ${andDevice(viewer.scope, sql`s.location_id`, sql`s.device_id`)}
    order by s.started_at desc, s.id desc limit ${bound(limit)}`);

const nameOf = ({ readsPersonalData }: Viewer): Sql =>
  readsPersonalData ? sql`left join visitors v on v.id = s.visitor_id` : sql`cross join (select null::text as name) v`;
