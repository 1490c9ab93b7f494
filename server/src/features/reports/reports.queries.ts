import type { Sale } from '@portico/contract/sales.ts';
import type { currencies } from '@portico/contract/units.ts';
import type { VisitorSale } from '@portico/contract/visitor-page.ts';
import sql, { empty, raw, type Sql } from 'sql-template-tag';
import { countRows, pageOf } from '#db/list.ts';
import { localTime } from '#db/local-time.ts';
import { andLocation, type Scope } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';
import type { Rows } from '#http/page.ts';

export type Currency = (typeof currencies)[number];
/** A unit of date_trunc. Weeks begin on Monday. */
export type Period = 'day' | 'week' | 'month' | 'year';

/** The locations of a report, and the time zone of its days. */
export interface Reader {
  readonly scope: Scope;
  readonly timeZone: string;
}

const at = (scope: Scope) => andLocation(scope, sql`l.id`);
/** The current local time of the location. */
const localNow = sql`(now() at time zone l.time_zone)`;
/** The current local time of the reader: of the location, else of the tenant. */
const readersNow = (zone: string) => sql`(now() at time zone ${zone}::text)`;
/** Sales from a day until the reader's today. A location that is ahead may have sold tomorrow already. */
const soldSince = (first: Sql, zone: string) => sql`s.sold_on between (${first})::date and ${readersNow(zone)}::date`;

/** Sales of the current period, per currency, the largest first. */
export const sumSales = (tx: Tx, { scope, timeZone }: Reader, period: Period) =>
  tx.many<{ total: number; currency: Currency }>(sql`
    select sum(s.total) as total, s.currency
    from locations l join sales s on s.location_id = l.id
      and ${soldSince(sql`date_trunc('${raw(period)}', ${readersNow(timeZone)})`, timeZone)}
    where true ${at(scope)} group by s.currency order by 1 desc, 2`);

/** Sales per month and currency since the first day of the month eleven months ago. */
export const sumSalesByMonth = (tx: Tx, { scope, timeZone }: Reader) =>
  tx.many<{ month: string; total: number; currency: Currency }>(sql`
    select to_char(s.sold_on, 'YYYY-MM') as month, sum(s.total) as total, s.currency
    from locations l join sales s on s.location_id = l.id
      and ${soldSince(sql`date_trunc('month', ${readersNow(timeZone)}) - interval '11 months'`, timeZone)}
    where true ${at(scope)} group by 1, 3 order by 1, 3`);

/** The current local month, and the currency for empty totals: that of the latest sale, else of a paid profile. */
export const salesFrame = (tx: Tx, { scope, timeZone }: Reader) =>
  tx.one<{ month: string; currency: Currency | null }>(sql`
    select to_char(${readersNow(timeZone)}, 'YYYY-MM') as month,
      coalesce(
        (select s.currency from locations l cross join lateral (
            select currency, sold_on from sales where location_id = l.id order by sold_on desc limit 1) s
          where true ${at(scope)} order by s.sold_on desc limit 1),
        (select f.paid_sale->>'option' from locations l join profiles f on f.location_id = l.id
          where (f.paid_sale->>'is_active')::boolean ${at(scope)} order by f.created_at desc limit 1)) as currency`);

/** Records a sale for the paid days of these visitors that have none yet, at the price of their profile. */
export const recordSales = (tx: Tx, visitorIds: readonly string[]) =>
  tx.run(sql`
    insert into sales (id, location_id, visitor_id, profile_id, days, unit_price, currency, total, sold_on)
    select gen_random_uuid(), p.location_id, p.id, p.profile_id, p.days, p.unit_price, p.currency, p.days::bigint * p.unit_price, p.today
    from (
      select v.id, v.location_id, v.profile_id, (f.paid_sale->>'value')::int as unit_price, f.paid_sale->>'option' as currency,
        v.total_paid_day - coalesce((select sum(s.days) from sales s where s.visitor_id = v.id and s.kind = 'days'), 0) as days, ${localNow}::date as today
      from visitors v join profiles f on f.id = v.profile_id join locations l on l.id = v.location_id
      where v.id = any(${visitorIds}) and v.total_paid_day > 0 and (f.paid_sale->>'is_active')::boolean) p
    where p.days > 0`);

/** The sale of days to a visitor in this transaction. `amount`: in minor units. */
export const soldNow = (tx: Tx, visitorId: string) =>
  tx.maybe<{ id: string; days: number; amount: number; currency: string }>(sql`
    select id, days, (total * 100)::bigint as amount, currency from sales
    where visitor_id = ${visitorId} and sold_at = now() and kind = 'days' and reverses is null`);

/** The reversals of today at a location, the newest first: of vouchers and of purchases on the portal. Amounts are in minor units. */
export const listReversedToday = (tx: Tx, locationId: string, limit: number) =>
  tx.many<{
    id: string;
    what: string;
    amount: number;
    currency: Sale['currency'];
    reason: string;
    refunded_at: string;
  }>(sql`
    select s.id, coalesce(b.name, p.package, '') as what, (-s.total * 100)::bigint as amount, s.currency, s.reason,
      s.sold_at as refunded_at
    from sales s join locations l on l.id = s.location_id left join sales o on o.id = s.reverses
      left join voucher_batches b on b.id = o.batch_id left join purchases p on p.id = o.purchase_id
    where s.location_id = ${locationId} and s.sold_on = local_day(l.time_zone) and s.reverses is not null
      and (s.kind = 'voucher' or o.purchase_id is not null)
    order by s.sold_at desc, s.id desc limit ${limit}`);

/** Records the sale of a voucher: one day of its price, which is in minor units. */
export const recordVoucherSale = (
  tx: Tx,
  it: {
    id: string;
    locationId: string;
    visitorId: string;
    profileId: string | null;
    batchId: string;
    price: number;
    currency: string;
  },
) =>
  tx.run(sql`
    insert into sales (id, location_id, visitor_id, profile_id, days, unit_price, currency, total, sold_on, kind, batch_id)
    select ${it.id}, l.id, ${it.visitorId}, ${it.profileId}, 1, ${it.price}::numeric / 100, ${it.currency}, ${it.price}::numeric / 100,
      ${localNow}::date, 'voucher', ${it.batchId}
    from locations l where l.id = ${it.locationId}`);

/** Records the sale of a purchase on the portal, once. Its prices are in minor units. */
export const recordPurchaseSale = (
  tx: Tx,
  it: {
    id: string;
    location_id: string;
    visitorId: string;
    profile_id: string | null;
    package_id: string | null;
    purchaseId: string;
    days: number;
    unit_price: number;
    currency: string;
  },
) =>
  tx.run(sql`
    insert into sales (id, location_id, visitor_id, profile_id, days, unit_price, currency, total, sold_on, package_id, purchase_id)
    select ${it.id}, l.id, ${it.visitorId}, ${it.profile_id}, ${it.days}::int, ${it.unit_price}::numeric / 100, ${it.currency},
      ${it.days}::bigint * ${it.unit_price}::numeric / 100, ${localNow}::date, ${it.package_id}, ${it.purchaseId}
    from locations l where l.id = ${it.location_id}
    on conflict do nothing`);

/** Reverses a part of the sale of a purchase, or the rest. `amount`: in minor units. Never more than was sold. */
export const reversePurchaseSale = (
  tx: Tx,
  it: { id: string; purchaseId: string; days: number; amount: number; reason: string; userId: string | null },
) =>
  tx.run(sql`
    insert into sales (id, location_id, visitor_id, profile_id, days, unit_price, currency, total, sold_on, reverses, reason, reversed_by, kind,
      package_id, purchase_id)
    select ${it.id}, s.location_id, s.visitor_id, s.profile_id, -${it.days}::int, s.unit_price, s.currency, -${it.amount}::numeric / 100,
      ${localNow}::date, s.id, ${it.reason}, ${it.userId}, s.kind, s.package_id, s.purchase_id
    from sales s join locations l on l.id = s.location_id
    where s.purchase_id = ${it.purchaseId} and s.reverses is null
      and s.total + coalesce((select sum(r.total) from sales r where r.reverses = s.id), 0) >= ${it.amount}::numeric / 100`);

const reversedDays = sql`(select coalesce(-sum(r.days), 0)::int from sales r where r.reverses = s.id)`;

/** A member limited to some devices sees the sales to visitors of these devices and to visitors without a device. */
function withinSales(scope: Scope): Sql {
  const devices = scope.kind === 'locations' ? scope.deviceIds : null;
  return sql`${andLocation(scope, sql`s.location_id`)}
    ${
      devices
        ? sql`and exists (select from visitors x where x.id = s.visitor_id and (x.device_id is null or x.device_id = any(${devices})))`
        : empty
    }`;
}

export interface SaleFilter {
  location_id?: string | undefined;
  first_day?: string | undefined;
  last_day?: string | undefined;
}

// `sold_at` lets the index narrow the search: a local day begins at most a day off UTC.
const matching = (scope: Scope, { first_day: first, last_day: last }: SaleFilter) => sql`
  from sales s where true ${withinSales(scope)}
    ${first ? sql`and s.sold_on >= ${first}::date and s.sold_at >= ${first}::date - interval '1 day'` : empty}
    ${last ? sql`and s.sold_on <= ${last}::date and s.sold_at < ${last}::date + interval '2 days'` : empty}`;

/** Sales and reversals, newest first. */
export async function listSales(
  tx: Tx,
  scope: Scope,
  filter: SaleFilter & { page: number; per_page: number },
): Promise<Rows<Sale>> {
  const found = matching(scope, filter);
  const [rows, total] = await Promise.all([
    tx.many<Sale>(sql`${saleColumns} from (select s.* ${found} order by s.sold_at desc, s.id desc ${pageOf(filter)}) s ${saleJoins}
      order by s.sold_at desc, s.id desc`),
    countRows(tx, found, filter),
  ]);
  return { rows, total };
}

/** The matching sales after another one, newest first. `sold_local` is on the clocks of the location. */
export const nextSales = (
  tx: Tx,
  scope: Scope,
  filter: SaleFilter,
  at: { after: Pick<Sale, 'id' | 'sold_at'> | undefined; limit: number },
) =>
  tx.many<Sale & { sold_local: string }>(sql`
    ${saleColumns}, ${localTime(sql`s.sold_at`, sql`l.time_zone`)} as sold_local
    from (select s.* ${matching(scope, filter)}
      ${at.after ? sql`and (s.sold_at, s.id) < (${at.after.sold_at}::timestamptz, ${at.after.id}::uuid)` : empty}
      order by s.sold_at desc, s.id desc limit ${at.limit}) s ${saleJoins}
    order by s.sold_at desc, s.id desc`);

const saleColumns = sql`
  select s.id, (select c.state from room_charges c where c.sale_id = s.id) as room_charge, s.days, ${reversedDays} as reversed_days, s.unit_price, s.currency, s.total, s.sold_at, s.reverses, s.reason, s.kind, s.purchase_id,
    case when f.id is not null then json_build_object('id', f.id, 'name', f.name) end as profile,
    case when v.id is not null then json_build_object('id', v.id, 'name', v.name) end as visitor,
    json_build_object('id', l.id, 'name', l.name) as location, coalesce(b.name, p.package) as item`;
const saleJoins = sql`
  join locations l on l.id = s.location_id left join profiles f on f.id = s.profile_id left join visitors v on v.id = s.visitor_id
  left join voucher_batches b on b.id = s.batch_id left join purchases p on p.id = s.purchase_id`;

export const findSale = (tx: Tx, scope: Scope, id: string) =>
  tx.maybe<Sale>(sql`${saleColumns} from sales s ${saleJoins} where s.id = ${id} ${withinSales(scope)}`);

/** The days of a sale that can still be reversed. Locks the sale, so that two reversals cannot take the same days. */
export async function lockSale(tx: Tx, id: string): Promise<number> {
  await tx.run(sql`select 1 from sales where id = ${id} for update`);
  const { left } = await tx.one<{ left: number }>(
    sql`select s.days - ${reversedDays} as left from sales s where s.id = ${id}`,
  );
  return left;
}

export const insertReversal = (
  tx: Tx,
  it: { id: string; saleId: string; days: number; reason: string; userId: string },
) =>
  tx.run(sql`
    insert into sales (id, location_id, visitor_id, profile_id, days, unit_price, currency, total, sold_on, reverses, reason, reversed_by, kind, batch_id)
    select ${it.id}, s.location_id, s.visitor_id, s.profile_id, -${it.days}::int, s.unit_price, s.currency, -${it.days}::bigint * s.unit_price,
      ${localNow}::date, s.id, ${it.reason}, ${it.userId}, s.kind, s.batch_id
    from sales s join locations l on l.id = s.location_id where s.id = ${it.saleId}`);

/** The sales and reversals of a visitor, newest first. */
export async function listSalesOf(
  tx: Tx,
  scope: Scope,
  visitorId: string,
  paging: { page: number; per_page: number },
): Promise<Rows<VisitorSale>> {
  const found = sql`from sales s where s.visitor_id = ${visitorId} ${andLocation(scope, sql`s.location_id`)}`;
  const [rows, total] = await Promise.all([
    tx.many<VisitorSale>(sql`
      select s.id, (select c.state from room_charges c where c.sale_id = s.id) as room_charge, s.days, s.unit_price, s.currency, s.total, s.sold_at, s.reverses, s.reason, s.kind, s.purchase_id, ${reversedDays} as reversed_days,
        case when f.id is not null then json_build_object('id', f.id, 'name', f.name) end as profile
      from (select s.* ${found} order by s.sold_at desc, s.id ${pageOf(paging)}) s left join profiles f on f.id = s.profile_id
      order by s.sold_at desc, s.id`),
    countRows(tx, found, paging),
  ]);
  return { rows, total };
}
