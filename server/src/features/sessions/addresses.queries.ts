import sql, { type Sql } from 'sql-template-tag';
import { contains } from '#db/list.ts';

const maxShown = 8;

/** An address without `/128`, or a prefix with its length. */
const shown = (network: Sql): Sql =>
  sql`case when masklen(${network}) = 128 then host(${network}) else text(${network}) end`;

/** The IPv6 addresses and prefixes of a session, those reported last first. */
export const ipv6Of = (sessionId: Sql): Sql => sql`array(
  select ${shown(sql`a.network`)} from session_addresses a where a.session_id = ${sessionId} and family(a.network) = 6
  order by a.last_at desc, a.network limit ${sql([String(maxShown)])})`;

/** The same with the time of the first and the last report of each. */
export const ipv6TimesOf = (sessionId: Sql, time: (column: Sql) => Sql): Sql => sql`(
  select coalesce(json_agg(json_build_object('address', ${shown(sql`a.network`)}, 'first_at', ${time(sql`a.first_at`)},
    'last_at', ${time(sql`a.last_at`)}) order by a.first_at, a.network), '[]')
  from session_addresses a where a.session_id = ${sessionId} and family(a.network) = 6)`;

/** The rows `a` of an IPv6 address: itself and the prefixes around it. Of a prefix, what lies in it too. */
export const holding = (address: string): Sql =>
  address.includes('/')
    ? sql`(a.network = any(networks_around(${address}::inet)) or (a.network >= network(${address}::inet)
        and a.network <= set_masklen(broadcast(${address}::inet), 128)))`
    : sql`a.network = any(networks_around(${address}::inet))`;

/** Whether the address of row `a` has this part. */
export const hasPart = (part: string): Sql => sql`${shown(sql`a.network`)} like ${contains(part.toLowerCase())}`;

/** Whether a session had an IPv6 address with this part. */
export const hasIpv6Like = (sessionId: Sql, part: string): Sql => sql`exists (
  select from session_addresses a where a.session_id = ${sessionId} and ${hasPart(part)})`;
