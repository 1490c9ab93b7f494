import { isIP } from 'node:net';
import { unmapIpv4 } from '@portico/contract/fields.ts';
import { formatMac, macPattern } from '@portico/contract/mac.ts';
import sql, { type Sql } from 'sql-template-tag';
import { bound } from '#db/list.ts';
import { andDevice } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';
import { holding } from './addresses.queries.ts';
import { isEndable } from './endable.queries.ts';
import type { Viewer } from './sessions.queries.ts';

export interface FoundClient {
  readonly kind: 'session' | 'client';
  readonly id: string;
  readonly title: string;
  readonly detail: string | null;
  readonly location: { readonly id: string; readonly name: string };
  /** Whether a command can end the session, if it is open. */
  readonly endable?: boolean;
}

/** The bytes that a search must have of a MAC address: a maker alone has three. */
const leastBytes = 2;

/**
 * The first and the last MAC address that begin as typed; the same one for a whole address. A beginning needs its separators,
 * because a room, a phone number and many words have the digits of one.
 */
function macsFrom(typed: string): readonly [string, string] | undefined {
  const begun = formatMac(typed);
  if (macPattern.test(begun)) return [begun, begun];
  const isSeparated = /^([0-9a-f]{2}[:-]){1,5}[0-9a-f]{0,2}$|^[0-9a-f]{4}\.([0-9a-f]{1,4}\.?){0,2}$/i.test(
    typed.trim(),
  );
  const digits = begun.replaceAll(':', '');
  if (!isSeparated || digits.length < 2 * leastBytes) return undefined;
  return [formatMac(digits.padEnd(12, '0')), formatMac(digits.padEnd(12, 'F'))];
}

/** The devices of guests with this IP address, or whose MAC address begins like this: those online, and by MAC those that were online before. */
export async function findClients(tx: Tx, viewer: Viewer, typed: string, limit: number): Promise<FoundClient[]> {
  const search = unmapIpv4(typed);
  const isAddress = isIP(search) !== 0;
  // The first twelve letters of an IPv6 address look like a MAC address.
  const macs = isAddress ? undefined : macsFrom(search);
  if (macs === undefined && !isAddress) return [];
  const named = nameOf(viewer);
  const where: Sql = macs
    ? among(macs)
    : search.includes(':')
      ? sql`s.id = any(array(select a.session_id from session_addresses a where ${holding(search)}))`
      : sql`s.client_ip = ${search}::inet`;
  const online = findOnline(tx, viewer, where, limit);
  const before = macs
    ? tx.nested<FoundClient>(sql`
        select 'client' as kind, upper(s.client_mac::text) as id, upper(s.client_mac::text) as title, v.name as detail,
          l.id as "location.id", l.name as "location.name"
        from guest_devices s join locations l on l.id = s.location_id ${named}
        where ${among(macs)} ${andDevice(viewer.scope, sql`s.location_id`, sql`s.device_id`)}
        order by s.session_started_at desc limit ${bound(limit)}`)
    : [];
  return [...(await online), ...(await before)];
}

const among = ([first, last]: readonly [string, string]): Sql =>
  first === last
    ? sql`s.client_mac = ${first}::macaddr`
    : sql`s.client_mac between ${first}::macaddr and ${last}::macaddr`;

/** The sessions that these visitors have open. */
export const findOnlineOf = (tx: Tx, viewer: Viewer, visitors: readonly string[], limit: number) =>
  findOnline(tx, viewer, sql`s.visitor_id = any(${visitors})`, limit);

const findOnline = (tx: Tx, viewer: Viewer, where: Sql, limit: number) =>
  tx.nested<FoundClient>(sql`
    select 'session' as kind, s.id, coalesce(upper(s.client_mac::text), host(s.client_ip)) as title, v.name as detail,
      l.id as "location.id", l.name as "location.name", ${isEndable} as endable
    from online_sessions s join locations l on l.id = s.location_id left join devices d on d.id = s.device_id ${nameOf(viewer)}
    where ${where} and s.updated_at > now() - 3 * s.interim * interval '1 second'
      ${andDevice(viewer.scope, sql`s.location_id`, sql`s.device_id`)}
    order by s.started_at desc, s.id desc limit ${bound(limit)}`);

const nameOf = ({ readsPersonalData }: Viewer): Sql =>
  readsPersonalData ? sql`left join visitors v on v.id = s.visitor_id` : sql`cross join (select null::text as name) v`;
