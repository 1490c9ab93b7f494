import { cloudHotelSlugs, type HotelSlug } from '@portico/contract/integration-names.ts';
import sql, { empty } from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

/** The links to hotel systems. One process holds a link; its lease ends soon after the process has died. */

export interface LinkRow {
  tenant_id: string;
  id: string;
  name: string;
  location_id: string;
  time_zone: string;
  kind: HotelSlug;
  slug: string;
  /** A system in the cloud was not read since it was asked for. */
  is_asked: boolean;
  /** Encrypted. */
  connection: string;
  /** Changes with every change of the integration's settings. */
  updated_at: string;
}

const isAsked = sql`(k.asked_at is not null and k.asked_at > coalesce(k.swapped_at, '-infinity'))`;

/** Likewise, and the time that was asked for has come. */
const isDue = sql`(${isAsked} and k.asked_at <= now())`;

const lease = sql`now() + interval '15 seconds'`;

/** Makes the link of an integration, or changes the currency of its charges. */
export const saveLink = (tx: Tx, it: { id: string; locationId: string; currency: string | null }) =>
  tx.run(sql`
    insert into hotel_links (integration_id, location_id, currency) values (${it.id}, ${it.locationId}, ${it.currency})
    on conflict (tenant_id, integration_id) do update set currency = excluded.currency`);

/** Keeps the links of this process and takes some that no process holds, across tenants. Returns all links of this process. */
export const claimLinks = (tx: Tx, owner: string, limit: number) =>
  tx.many<LinkRow & Record<string, unknown>>(sql`
    with kept as (
      -- Waits for a report that is just applied. A row that is skipped would count as lost.
      update hotel_links k set lease_until = ${lease} where owner = ${owner}
      returning tenant_id, integration_id, ${isDue} as is_asked),
    free as (
      select tenant_id, integration_id from hotel_links
      where lease_until < now() and owner is distinct from ${owner} limit ${limit} for update skip locked),
    taken as (
      update hotel_links k set owner = ${owner}, lease_until = ${lease}, state = 'connecting', up_since = null
      from free where (k.tenant_id, k.integration_id) = (free.tenant_id, free.integration_id)
      returning k.tenant_id, k.integration_id, ${isDue} as is_asked),
    held as (select * from kept union all select * from taken)
    select i.tenant_id, i.id, i.name, i.location_id, l.time_zone, i.connection, i.updated_at, i.kind, n.slug, t.is_asked
    from held t join integrations i on i.tenant_id = t.tenant_id and i.id = t.integration_id
      join locations l on l.tenant_id = i.tenant_id and l.id = i.location_id
      join tenants n on n.id = i.tenant_id`);

/**
 * Asks for a new read of a hotel system in the cloud. Returns whether there is one. Many reports are one. Within `seconds` of
 * the last one, the read is asked for after them. A report that comes during a read or soon after it is not lost.
 */
export const askLink = async (tx: Tx, integrationId: string, seconds: number): Promise<boolean> =>
  (await tx.maybe(sql`
    with known as (select asked_at from hotel_links where integration_id = ${integrationId}),
      asked as (
        update hotel_links set asked_at = greatest(now(), asked_at + make_interval(secs => ${seconds}))
        where integration_id = ${integrationId} and (asked_at is null or asked_at <= now()))
    select 1 from known`)) !== undefined;

const inCloud = sql`
  exists (select from integrations i where i.id = k.integration_id and i.kind = any(${[...cloudHotelSlugs]}))`;

/** Likewise, for the hotel systems in the cloud of a location. Returns whether there are some. */
export const askLinksOf = async (tx: Tx, locationId: string): Promise<boolean> => {
  await tx.run(sql`
    update hotel_links k set asked_at = now()
    where k.location_id = ${locationId} and ${inCloud} and (k.asked_at is null or k.asked_at < now() - interval '3 seconds')`);
  return hasUnread(tx, locationId);
};

/** Whether a hotel system in the cloud that works was not read since it was asked for. */
export const hasUnread = async (tx: Tx, locationId: string): Promise<boolean> =>
  (await tx.maybe(sql`
    select 1 from hotel_links k
    where k.location_id = ${locationId} and ${inCloud} and k.state = 'up' and k.lease_until > now()
      and ${isAsked}`)) !== undefined;

/** Gives all links of a process back. */
export const releaseLinks = (tx: Tx, owner: string) =>
  tx.run(sql`
    update hotel_links set owner = null, lease_until = '-infinity', state = 'down', up_since = null where owner = ${owner}`);

/** Whether this process still holds the link; locks it, so that no other takes it before the end of the transaction. */
export const holdsLink = async (tx: Tx, id: string, owner: string): Promise<boolean> =>
  (await tx.maybe(sql`
    select 1 from hotel_links where integration_id = ${id} and owner = ${owner} and lease_until > now() for update`)) !==
  undefined;

export const setLinkState = (tx: Tx, id: string, owner: string, state: 'down' | 'connecting' | 'up') =>
  tx.run(sql`
    update hotel_links set state = ${state}, up_since = case when ${state} = 'up' then coalesce(up_since, now()) end
    where integration_id = ${id} and owner = ${owner} and state <> ${state}`);

/** `swapSeconds`: the system has sent all its guests, and began to do so that long ago. */
export const noteRecord = (tx: Tx, id: string, owner: string, swapSeconds?: number) =>
  tx.run(sql`
    update hotel_links set last_record_at = now()
      ${swapSeconds === undefined ? empty : sql`, swapped_at = now() - make_interval(secs => ${swapSeconds})`}
    where integration_id = ${id} and owner = ${owner}`);

export interface LinkState {
  state: 'down' | 'connecting' | 'up';
  up_since: string | null;
  last_record_at: string | null;
}

/** A lease that has ended is a process that has died. */
export const findLink = (tx: Tx, id: string) =>
  tx.maybe<LinkState & Record<string, unknown>>(sql`
    select case when lease_until > now() then state else 'down' end as state,
      case when lease_until > now() then up_since end as up_since, last_record_at
    from hotel_links where integration_id = ${id}`);
