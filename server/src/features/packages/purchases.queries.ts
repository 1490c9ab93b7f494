import type { PurchaseProvider } from '@portico/contract/integration-names.ts';
import type { ShippedLanguage } from '@portico/contract/portal-languages.ts';
import type { PurchaseState, purchaseProblems } from '@portico/contract/purchase-states.ts';
import type { Purchase, PurchaseTotal } from '@portico/contract/purchases.ts';
import sql, { empty } from 'sql-template-tag';
import { countRows, pageOf } from '#db/list.ts';
import { localTime } from '#db/local-time.ts';
import { andDevice, assignments, type Scope } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';
import type { Rows } from '#http/page.ts';

const columns = sql`
  b.id, json_build_object('id', l.id, 'name', l.name, 'time_zone', l.time_zone) as location, b.package, b.package_id,
  case when v.id is not null then json_build_object('id', v.id, 'name', v.name) end as visitor, b.provider, b.payment, b.state,
  b.problem, b.reported, b.days, b.unit_price, b.amount, b.returned, b.tax, b.tax_rate, b.currency, b.email, b.phone, b.refund_reason, b.created_at,
  b.paid_at, b.refunded_at`;
const joins = sql`join locations l on l.id = b.location_id left join visitors v on v.id = b.visitor_id`;

export interface PurchaseFilter {
  location_id?: string | undefined;
  provider?: PurchaseProvider | undefined;
  state?: PurchaseState | undefined;
  first_day?: string | undefined;
  last_day?: string | undefined;
  search?: string | undefined;
}

const boughtOn = sql`(b.created_at at time zone (select l.time_zone from locations l where l.id = b.location_id))::date`;
// The other half of each is for the index: no clock is more than a day away.
const sinceDay = (day: string) =>
  sql`and ${boughtOn} >= ${day}::date and b.created_at >= ${day}::date - interval '1 day'`;
const untilDay = (day: string) =>
  sql`and ${boughtOn} <= ${day}::date and b.created_at < ${day}::date + interval '2 days'`;

const matching = (scope: Scope, filter: PurchaseFilter) => sql`
  from purchases b where true ${andDevice(scope, sql`b.location_id`, sql`b.device_id`)}
    ${filter.provider ? sql`and b.provider = ${filter.provider}` : empty}
    ${filter.first_day ? sinceDay(filter.first_day) : empty} ${filter.last_day ? untilDay(filter.last_day) : empty}
    ${filter.state ? sql`and b.state = ${filter.state}` : empty}
    ${
      filter.search
        ? sql`and (b.email = lower(${filter.search}) or b.phone = ${filter.search} or b.payment = ${filter.search})`
        : empty
    }`;

export async function listPurchases(
  tx: Tx,
  scope: Scope,
  filter: PurchaseFilter & { page: number; per_page: number },
): Promise<Rows<Purchase>> {
  const found = matching(scope, filter);
  const [rows, total] = await Promise.all([
    tx.many<Purchase>(sql`
      select ${columns} from (select b.* ${found} order by b.created_at desc, b.id desc ${pageOf(filter)}) b ${joins}
      order by b.created_at desc, b.id desc`),
    countRows(tx, found, filter),
  ]);
  return { rows, total };
}

/** Sums of the purchases that were paid. What went back is taken off with its tax. */
export const totalPurchases = (tx: Tx, scope: Scope, filter: PurchaseFilter) =>
  tx.many<PurchaseTotal>(sql`
    select b.provider, b.currency, count(*)::int as count, sum(b.amount)::bigint as paid,
      sum(case when b.refunded_at is null then b.returned else b.amount end)::bigint as refunded,
      coalesce(sum(round(b.tax::numeric * (b.amount - b.returned) / b.amount)) filter (where b.refunded_at is null), 0)::bigint as tax
    from (select b.* ${matching(scope, filter)} and b.paid_at is not null) b
    group by b.provider, b.currency order by b.provider, b.currency`);

/** The next purchases of an export, newest first, with their times on the clocks of the location. */
export const nextPurchases = (
  tx: Tx,
  scope: Scope,
  filter: PurchaseFilter,
  at: { after: Pick<Purchase, 'id' | 'created_at'> | undefined; limit: number },
) =>
  tx.many<Purchase & { paid_local: string | null; refunded_local: string | null }>(sql`
    select ${columns}, ${localTime(sql`b.paid_at`, sql`l.time_zone`)} as paid_local,
      ${localTime(sql`b.refunded_at`, sql`l.time_zone`)} as refunded_local
    from (select b.* ${matching(scope, filter)}
      ${at.after ? sql`and (b.created_at, b.id) < (${at.after.created_at}::timestamptz, ${at.after.id}::uuid)` : empty}
      order by b.created_at desc, b.id desc limit ${at.limit}) b ${joins}
    order by b.created_at desc, b.id desc`);

export const findPurchase = (tx: Tx, scope: Scope, id: string) =>
  tx.maybe<Purchase>(sql`
    select ${columns} from purchases b ${joins} where b.id = ${id} ${andDevice(scope, sql`b.location_id`, sql`b.device_id`)}`);

/** A purchase with what its handling needs. */
export interface StoredPurchase {
  id: string;
  location_id: string;
  location_name: string;
  device_id: string | null;
  /** The router's name in addresses; null once it was deleted. */
  nas: string | null;
  package_id: string | null;
  profile_id: string | null;
  visitor_id: string | null;
  integration_id: string | null;
  provider: PurchaseProvider;
  package: string;
  days: number;
  unit_price: number;
  amount: number;
  /** The part of the amount that the provider has paid back while the rest stays paid. */
  returned: number;
  tax: number;
  tax_rate: number;
  currency: Purchase['currency'];
  email: string | null;
  phone: string | null;
  language: ShippedLanguage;
  client_mac: string | null;
  agreed: string | null;
  /** Encrypted. */
  code: string;
  reference: string | null;
  pay_url: string | null;
  payment: string | null;
  state: PurchaseState;
  refund_reason: string;
  refunded_by: string | null;
  window_at: string | null;
  created_at: string;
  paid_at: string | null;
  checks: number;
  refunds: number;
}

const stored = sql`
  select b.id, b.location_id, l.name as location_name, b.device_id, d.nas_identifier as nas, b.package_id, b.profile_id, b.visitor_id,
    b.integration_id, b.provider, b.package, b.days, b.unit_price, b.amount, b.returned, b.tax, b.tax_rate, b.currency, b.email, b.phone,
    b.language, upper(b.client_mac::text) as client_mac, b.agreed, b.code, b.reference, b.pay_url, b.payment, b.state, b.refund_reason, b.refunded_by,
    b.window_at, b.created_at, b.paid_at, b.checks, b.refunds
  from purchases b join locations l on l.id = b.location_id left join devices d on d.id = b.device_id`;

export const readPurchase = (tx: Tx, id: string) => tx.maybe<StoredPurchase>(sql`${stored} where b.id = ${id}`);

/** The router that was heard last, of a location whose router of a purchase was deleted. */
export const anyRouter = async (tx: Tx, locationId: string): Promise<string | undefined> =>
  (
    await tx.maybe<{ nas: string }>(sql`
      select nas_identifier as nas from devices where location_id = ${locationId} order by last_seen_at desc nulls last, id limit 1`)
  )?.nas;

/** Each change of a state begins with this lock. */
export const lockPurchase = (tx: Tx, id: string) =>
  tx.maybe<StoredPurchase>(sql`${stored} where b.id = ${id} for update of b`);

export const findByCode = (tx: Tx, locationId: string, hash: Buffer) =>
  tx.maybe<StoredPurchase>(sql`${stored} where b.location_id = ${locationId} and b.code_hash = ${hash}`);

/** The paid purchases of an e-mail address or phone number whose access has not ended, newest first. */
export const findRunning = (tx: Tx, locationId: string, it: { email: string | null; phone: string | null }) =>
  tx.many<StoredPurchase>(sql`
    ${stored} join visitors v on v.id = b.visitor_id and v.location_id = b.location_id
    where b.location_id = ${locationId} and b.state = 'paid'
      and ${it.email === null ? sql`b.phone = ${it.phone}` : sql`b.email = ${it.email}`}
      and (v.session_end_at is null or v.session_end_at > now())
    order by b.created_at desc limit 5`);

/** Its charge may still get onto the bill of a room, or is there already. Across tenants. */
const inDoubt = sql`exists (
  select from room_charges c
  where c.tenant_id = b.tenant_id and c.purchase_id = b.id and c.state in ('waiting', 'sent', 'unknown', 'posted'))`;

/**
 * The purchase that is being charged to the room of a hotel guest, from any device: phones change their address. Also one
 * that was given up, as long as its charge may get onto the bill. Locks the hotel guest, so that of two purchases at once the
 * second one sees the first.
 */
export async function findCharging(
  tx: Tx,
  it: { hotelGuest: string; locationId: string; except: string },
): Promise<string | undefined> {
  await tx.run(sql`select from visitors where id = ${it.hotelGuest} for no key update`);
  const found = await tx.maybe<{ id: string }>(sql`
    select b.id from purchases b
    where b.charged_visitor_id = ${it.hotelGuest} and (b.state = 'open' or b.state = 'failed' and ${inDoubt})
      and b.location_id = ${it.locationId} and b.id <> ${it.except}
    order by b.created_at desc limit 1`);
  return found?.id;
}

/** The purchase that a genuine notification is about. */
export const findHinted = (
  tx: Tx,
  integrationId: string,
  hint: { id?: string | undefined; reference?: string | undefined; payment?: string | undefined },
) =>
  tx.maybe<{ id: string }>(sql`
    select id from purchases
    where integration_id = ${integrationId} and ${
      hint.reference
        ? sql`reference = ${hint.reference}`
        : hint.payment
          ? sql`payment = ${hint.payment}`
          : sql`id = ${hint.id ?? null}`
    } limit 1`);

export interface NewPurchase {
  id: string;
  location_id: string;
  device_id: string;
  package_id: string;
  profile_id: string;
  integration_id: string;
  provider: string;
  package: string;
  days: number;
  unit_price: number;
  amount: number;
  tax: number;
  tax_rate: number;
  currency: string;
  email: string;
  phone: string | null;
  language: string;
  client_mac: string;
  agreed: string | null;
  code: string;
  code_hash: Buffer;
  /** The hotel guest whose room is charged. */
  charged_visitor_id: string | null;
}

/** Returns whether it was new: the same form sent twice is one purchase. */
export const insertPurchase = async (tx: Tx, it: NewPurchase): Promise<boolean> =>
  (await tx.run(sql`
    insert into purchases (id, location_id, device_id, package_id, profile_id, integration_id, provider, package, days, unit_price, amount, tax,
      tax_rate, currency, email, phone, language, client_mac, agreed, code, code_hash, charged_visitor_id, check_at)
    values (${it.id}, ${it.location_id}, ${it.device_id}, ${it.package_id}, ${it.profile_id}, ${it.integration_id}, ${it.provider}, ${it.package},
      ${it.days}, ${it.unit_price}, ${it.amount}, ${it.tax}, ${it.tax_rate}, ${it.currency}, ${it.email}, ${it.phone}, ${it.language},
      parse_mac(${it.client_mac}), ${it.agreed}, ${it.code}, ${it.code_hash}, ${it.charged_visitor_id}, now() + interval '2 minutes')
    on conflict do nothing`)) > 0;

export interface PurchaseChange {
  returned?: number;
  state?: PurchaseState;
  visitor_id?: string;
  reference?: string;
  pay_url?: string;
  payment?: string | null;
  problem?: (typeof purchaseProblems)[number] | null;
  reported?: string | null;
  refund_reason?: string;
  refunded_by?: string | null;
}

/** The job takes over where the process dies, or the provider does not answer. */
const soon = sql`check_at = now() + interval '2 minutes'`;

export const updatePurchase = (
  tx: Tx,
  id: string,
  change: PurchaseChange,
  now: { paid_at?: true; refunded_at?: true; refunds?: true } = {},
) =>
  tx.run(sql`
    update purchases set ${assignments({ ...change })} ${now.refunds ? sql`, refunds = refunds + 1, ${soon}` : empty}
      ${now.paid_at ? sql`, paid_at = now()` : empty} ${now.refunded_at ? sql`, refunded_at = now()` : empty}
    where id = ${id}`);

/** Takes the right to make the checkout. One request has it, for as long as a provider may take. */
export const claimCheckout = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.run(sql`
    update purchases set asked_at = now()
    where id = ${id} and state = 'open' and reference is null and (asked_at is null or asked_at < now() - interval '1 minute')`)) >
  0;

/** Gives the guest of a purchase free minutes for the payment. */
export const giveWindow = (tx: Tx, id: string, visitorId: string) =>
  tx.run(
    sql`update purchases set visitor_id = ${visitorId}, window_at = now(), windows = windows + 1 where id = ${id}`,
  );

/** Gives back the free minutes of a guest whom the router did not let out. */
export const takeWindowBack = (tx: Tx, id: string) =>
  tx.run(sql`
    update purchases set windows = windows - 1, window_at = case when windows > 1 then window_at end
    where id = ${id} and windows > 0`);

/**
 * How often a guest device was given free minutes for a payment today. Minutes whose ticket no router took in time do not count.
 * Expired tickets are kept for an hour, which is long enough for a guest who tries again.
 */
export async function windowsToday(tx: Tx, it: { locationId: string; mac: string }): Promise<number> {
  await tx.run(sql`
    update purchases b set windows = 0, window_at = null
    where b.location_id = ${it.locationId} and b.client_mac = parse_mac(${it.mac}) and b.windows = 1
      and b.window_at > now() - interval '1 hour'
      and exists (select from tickets t where t.visitor_id = b.visitor_id)
      and not exists (select from tickets t where t.visitor_id = b.visitor_id and (t.used_at is not null or t.expires_at > now()))`);
  const { count } = await tx.one<{ count: number }>(sql`
    select coalesce(sum(b.windows), 0)::int as count from purchases b join locations l on l.id = b.location_id
    where b.location_id = ${it.locationId} and b.client_mac = parse_mac(${it.mac})
      and b.window_at >= local_day(l.time_zone)::timestamp at time zone l.time_zone`);
  return count;
}

/** When the provider is asked next: soon after the purchase, then less often. Null: never again. */
export const scheduleCheck = (tx: Tx, id: string) =>
  tx.run(sql`
    update purchases b set checks = checks + 1, check_at = case
      when b.state = 'open' and b.created_at > now() - interval '1 day' then now() + least(interval '1 hour', interval '1 minute' * power(2, least(b.checks, 6)))
      when b.state = 'refunding' then now() + least(interval '1 hour', interval '1 minute' * power(2, least(b.checks, 6)))
      when b.state = 'paid' and b.paid_at > now() - interval '120 days' then now() + interval '1 day'
    end
    where b.id = ${id}`);

/** Nothing more can be learned about it: the account that knows it is gone. */
export const stopChecks = (tx: Tx, id: string) => tx.run(sql`update purchases set check_at = null where id = ${id}`);

/** Claims purchases to ask about, across tenants. */
export const claimDue = (tx: Tx, limit: number) =>
  tx.many<{ tenant_id: string; id: string }>(sql`
    with due as (
      select tenant_id, id from purchases where check_at <= now() order by check_at limit ${limit} for update skip locked)
    update purchases b set check_at = now() + interval '5 minutes'
    from due where b.tenant_id = due.tenant_id and b.id = due.id returning b.tenant_id, b.id`);

/** Gives up purchases that were not paid within a day. A payment that arrives later still counts. */
export const failOld = (tx: Tx) =>
  tx.run(sql`
    update purchases b set state = 'failed', check_at = null
    where b.state = 'open' and b.created_at < now() - interval '1 day' and not ${inDoubt}`);

/** Purchases that were never paid hold an address for nothing. Runs under withSystem. */
export const forgetUnpaid = (tx: Tx) =>
  tx.run(sql`
    delete from purchases b
    where b.state = 'failed' and b.paid_at is null and b.created_at < now() - interval '30 days' and not ${inDoubt}`);
