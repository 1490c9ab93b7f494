import { isIP } from 'node:net';
import { unmapIpv4 } from '@portico/contract/fields.ts';
import sql, { empty, type Sql } from 'sql-template-tag';
import { bound } from '#db/list.ts';
import { andDevice } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';
import { holding } from './addresses.queries.ts';
import { isEndable } from './endable.queries.ts';
import { anyOf, ofId, ofMacs, ofWholeId, termsOf } from './search.queries.ts';
import type { Viewer } from './sessions.queries.ts';

export interface FoundClient {
  readonly kind: 'session' | 'past' | 'client';
  readonly id: string;
  readonly title: string;
  readonly detail: string | null;
  readonly location: { readonly id: string; readonly name: string };
  /** Whether a command can end the session, if it is open. */
  readonly endable?: boolean;
  /** Only closed sessions have it: the day on which the session began, by the clock of its location. */
  readonly day?: string;
}

/**
 * The sessions with this IP address, or whose MAC address or Acct-Session-Id begins like this: those online, by id those that have
 * ended, and by MAC the devices that were online before.
 */
export async function findClients(tx: Tx, viewer: Viewer, typed: string, limit: number): Promise<FoundClient[]> {
  const search = unmapIpv4(typed);
  // No session has an address with a zone, such as `fe80::1%eth0`, and PostgreSQL takes none.
  if (isIP(search) && !search.includes('%')) {
    const where = search.includes(':')
      ? sql`s.id = any(array(select a.session_id from session_addresses a where ${holding(search)}))`
      : sql`s.client_ip = ${search}::inet`;
    return findOnline(tx, viewer, { where, limit });
  }
  // The first twelve letters of an IPv6 address look like a MAC address.
  const terms = termsOf(search);
  const [macs, ids] = [ofMacs(terms), ofId(terms)];
  // The id as typed comes first: longer ids that begin so may be many.
  const whole = ofWholeId(terms);
  const online = macs || ids ? findOnline(tx, viewer, { where: anyOf([macs, ids]), first: whole, limit }) : [];
  const same = ids ? findPast(tx, viewer, whole, limit) : [];
  const longer = ids && terms.begun.length > 0 ? findPast(tx, viewer, sql`${ids} and not ${whole}`, limit) : [];
  const before = macs
    ? tx.nested<FoundClient>(sql`
        select 'client' as kind, upper(s.client_mac::text) as id, upper(s.client_mac::text) as title, v.name as detail,
          l.id as "location.id", l.name as "location.name"
        from guest_devices s join locations l on l.id = s.location_id ${nameOf(viewer)}
        where ${macs} ${andDevice(viewer.scope, sql`s.location_id`, sql`s.device_id`)}
        order by s.session_started_at desc limit ${bound(limit)}`)
    : [];
  return [...(await online), ...[...(await same), ...(await longer)].slice(0, limit), ...(await before)];
}

/**
 * Closed sessions, newest first. Routers count ids up and begin again, so many share a beginning: older sessions are read only if
 * newer ones are too few, and never more than 1,000 of a time. A sort of all times would read each of them, so the limit is below it.
 */
const findPast = (tx: Tx, viewer: Viewer, where: Sql, limit: number) =>
  tx.nested<FoundClient>(sql`
    select 'past' as kind, s.id, s.acct_session_id as title, v.name as detail, l.id as "location.id", l.name as "location.name",
      (s.started_at at time zone l.time_zone)::date::text as day
    from (
      select p.n, s.* from (values (1, now() - interval '35 days', 'infinity'), (2, now() - interval '190 days', now() - interval '35 days'),
        (3, '-infinity', now() - interval '190 days')) p(n, since, until)
      cross join lateral (
        select * from (
          select s.id, s.acct_session_id, s.visitor_id, s.location_id, s.started_at from session_history s
          where ${where} and s.started_at >= p.since and s.started_at < p.until
            ${andDevice(viewer.scope, sql`s.location_id`, sql`s.device_id`)}
          limit 1000) s
        order by s.started_at desc, s.id desc limit ${bound(limit)}) s
      limit ${bound(limit)}) s
    join locations l on l.id = s.location_id ${nameOf(viewer)}
    order by s.n, s.started_at desc, s.id desc`);

/** The sessions that these visitors have open. */
export const findOnlineOf = (tx: Tx, viewer: Viewer, visitors: readonly string[], limit: number) =>
  findOnline(tx, viewer, { where: sql`s.visitor_id = any(${visitors})`, limit });

interface Online {
  readonly where: Sql;
  /** These come before the others. */
  readonly first?: Sql;
  readonly limit: number;
}

const findOnline = (tx: Tx, viewer: Viewer, { where, first, limit }: Online) =>
  tx.nested<FoundClient>(sql`
    select 'session' as kind, s.id, coalesce(upper(s.client_mac::text), host(s.client_ip), s.acct_session_id) as title, v.name as detail,
      l.id as "location.id", l.name as "location.name", ${isEndable} as endable
    from online_sessions s join locations l on l.id = s.location_id left join devices d on d.id = s.device_id ${nameOf(viewer)}
    where ${where} and s.updated_at > now() - 3 * s.interim * interval '1 second'
      ${andDevice(viewer.scope, sql`s.location_id`, sql`s.device_id`)}
    order by ${first ? sql`${first} desc,` : empty} s.started_at desc, s.id desc limit ${bound(limit)}`);

const nameOf = ({ readsPersonalData }: Viewer): Sql =>
  readsPersonalData ? sql`left join visitors v on v.id = s.visitor_id` : sql`cross join (select null::text as name) v`;
