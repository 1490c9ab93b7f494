import type { concerns, customerOrders } from '@portico/contract/customer-kinds.ts';
import type { CustomerState } from '@portico/contract/customers.ts';
import type { licenseFilters } from '@portico/contract/locations.ts';
import sql, { empty, type Sql } from 'sql-template-tag';
import { nameOrder, pageOf, textMatches } from '#db/list.ts';
import type { Tx } from '#db/tenant.ts';
import { online } from '#features/devices/public.ts';
import { andVisible, daysLeft, licensed, trialLeft } from '#features/locations/public.ts';
import type { Actor } from '#http/actor.ts';

export interface OverviewFilter {
  page: number;
  per_page: number;
  name?: string | undefined;
  license: (typeof licenseFilters)[number];
  concern?: (typeof concerns)[number] | undefined;
  sort: (typeof customerOrders)[number];
  order: 'asc' | 'desc';
}

/** Customers with their state, as `l` in the queries below. A customer with a limit of 0 has used all of it. */
const customers = (actor: Actor): Sql => sql`(
  select l.*, coalesce(l.license_end_at, l.trial_end_at) as ends_at,
    case when l.sms_limit > 0 then l.sms_used * 100.0 / l.sms_limit else 100 end as sms,
    coalesce(d.devices, 0) as devices, coalesce(d.devices_offline, 0) as devices_offline
  from locations l
  left join (
    select d.location_id, count(*) as devices, count(*) filter (where not ${online}) as devices_offline
    from devices d group by 1) d on d.location_id = l.id
  where true ${andVisible(actor)}) l`;

const concerned = {
  ending: sql`l.suspended_at is null and l.ends_at between now() and now() + interval '30 days'`,
  offline: sql`l.devices_offline > 0`,
  sms: sql`l.sms_limit > 0 and l.sms >= 80`,
} satisfies Record<(typeof concerns)[number], Sql>;

const orders = {
  name: nameOrder(sql`l.name`),
  ends_at: sql`l.ends_at`,
  devices_offline: sql`l.devices_offline`,
  sms: sql`l.sms`,
} satisfies Record<(typeof customerOrders)[number], Sql>;

/** The condition that a customer matches the filter. */
const matches = ({ license, name, concern }: OverviewFilter): Sql => sql`true ${licensed[license]}
  ${name ? sql`and ${textMatches(sql`l.name`, name)}` : empty} ${concern ? sql`and ${concerned[concern]}` : empty}`;

const ordered = ({ sort, order }: OverviewFilter): Sql =>
  sql`order by ${orders[sort]} ${order === 'desc' ? sql`desc` : sql`asc`}, l.id desc`;

const states = (actor: Actor): Sql => sql`
    select l.id, l.name, concat_ws(', ', nullif(concat_ws(' / ', nullif(l.district, ''), nullif(l.city, '')), ''), nullif(l.country, '')) as address,
      (select json_build_object('id', u.id, 'name', trim(u.first_name || ' ' || u.last_name)) from users u
        where u.id = l.owner_id and u.role <> 'member') as owner,
      l.license_end_at is null as is_trial, l.license_end_at, l.time_zone, coalesce(${daysLeft(sql`l.license_end_at`)}, 0) as license_remain,
      ${trialLeft('l')} as trial_remain, l.ends_at, l.suspended_at,
      l.devices, l.devices_offline, l.sms_used, l.sms_limit, round(l.sms)::int as sms
    from ${customers(actor)}`;

export const listCustomerStates = (tx: Tx, actor: Actor, filter: OverviewFilter): Promise<CustomerState[]> =>
  tx.many<CustomerState>(sql`${states(actor)} where ${matches(filter)} ${ordered(filter)} ${pageOf(filter)}`);

/** The ids of all customers that match the filter, in its order. */
export const listCustomerIds = async (tx: Tx, actor: Actor, filter: OverviewFilter): Promise<string[]> =>
  (
    await tx.many<{ id: string }>(sql`select l.id from ${customers(actor)} where ${matches(filter)} ${ordered(filter)}`)
  ).map(({ id }) => id);

/** Those of these customers that the actor sees, in the order of the ids. */
export const listCustomersById = (tx: Tx, actor: Actor, ids: readonly string[]): Promise<CustomerState[]> =>
  tx.many<CustomerState>(
    sql`${states(actor)} where l.id = any(${ids}::uuid[]) order by array_position(${ids}::uuid[], l.id)`,
  );

/** The number of customers that match the filter, and the number of each concern without the filter. */
export const countCustomers = (tx: Tx, actor: Actor, filter: OverviewFilter) =>
  tx.one<{ total: number; customers: number; ending: number; offline: number; sms: number }>(sql`
    select count(*) filter (where ${matches(filter)}) as total, count(*) as customers,
      count(*) filter (where ${concerned.ending}) as ending, count(*) filter (where ${concerned.offline}) as offline,
      count(*) filter (where ${concerned.sms}) as sms
    from ${customers(actor)}`);

/** The number of these customers that belong to the actor. Locks them until the transaction ends. */
export const lockCustomers = async (tx: Tx, actor: Actor, ids: readonly string[]): Promise<number> =>
  (
    await tx.many(
      sql`select l.id from locations l where l.id = any(${ids}) ${andVisible(actor)} order by l.id for update`,
    )
  ).length;

export interface Receiver {
  id: string;
  name: string;
}

/** The reseller or tenant administrator with an e-mail address. */
export const findReceiver = (tx: Tx, email: string) =>
  tx.maybe<Receiver>(sql`
    select id, trim(first_name || ' ' || last_name) as name from users
    where email = ${email} and role in ('reseller', 'tenant-admin')`);

export const nameOf = async (tx: Tx, userId: string): Promise<string> =>
  (
    await tx.one<{ name: string }>(
      sql`select coalesce(nullif(trim(first_name || ' ' || last_name), ''), email) as name from users where id = ${userId}`,
    )
  ).name;

export const ownerOf = async (tx: Tx, id: string): Promise<string | null> =>
  (await tx.one<{ owner_id: string | null }>(sql`select owner_id from locations where id = ${id}`)).owner_id;

/** The ends of these customers' licences. */
export const licenceEnds = (tx: Tx, ids: readonly string[]) =>
  tx.many<{ id: string; license_end_at: string | null }>(
    sql`select id, license_end_at from locations where id = any(${ids})`,
  );
