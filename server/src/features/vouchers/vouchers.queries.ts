import type { batchOrders, Direction } from '@portico/contract/list-orders.ts';
import type {
  CardSettings,
  HandedOut,
  Voucher,
  VoucherBatch,
  VoucherBatchChange,
  VoucherDesk,
  VoucherState,
} from '@portico/contract/vouchers.ts';
import sql, { empty, type Sql } from 'sql-template-tag';
import { bound, countRows, nameOrder, pageOf, textMatches } from '#db/list.ts';
import { andLocation, assignments, type Scope } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';
import type { Rows } from '#http/page.ts';

/** Rows as they are stored: the code is encrypted. */
export type StoredVoucher = Omit<Voucher, 'code'> & { code: string };
export type StoredIssued = Omit<HandedOut, 'code'> & { code: string };
export type StoredCard = Pick<Voucher, 'id' | 'number'> & { code: string };
/** The password of the Wi-Fi is encrypted. */
export type StoredCardSettings = CardSettings;

const batchColumns = sql`
  b.id, b.location_id, json_build_object('id', l.id, 'name', l.name, 'time_zone', l.time_zone) as location, b.name, b.profile_id,
  case when f.id is not null then json_build_object('id', f.id, 'name', f.name) end as profile, b.shared_user, b.valid_for,
  b.valid_until::text, b.price, b.currency, b.note, b.at_desk, b.total, b.used, b.revoked, b.remaining as "left", b.created_at, b.updated_at`;
const revenue = sql`
  (select coalesce(sum(s.total) * 100, 0)::bigint from sales s where s.batch_id = b.id) as revenue`;
/** Lets a sale refer to the batch meanwhile: a reversal holds the visitor, and would wait for the batch in turn. */
const lockOfBatch = sql`for no key update of b`;
const from = sql`from voucher_batches b join locations l on l.id = b.location_id left join profiles f on f.id = b.profile_id`;

interface BatchFilter {
  page: number;
  per_page: number;
  search?: string | undefined;
  sort: (typeof batchOrders)[number];
  order: Direction;
}

/**
 * The orders of the list. `left` has no index, which each use of a voucher would have to write. A tenant has few batches
 * to sort.
 */
const orders: Record<BatchFilter['sort'], Record<Direction, Sql>> = {
  created: { asc: sql`b.id`, desc: sql`b.id desc` },
  name: { asc: sql`${nameOrder(sql`b.name`)}, b.id`, desc: sql`${nameOrder(sql`b.name`)} desc, b.id desc` },
  left: { asc: sql`b.remaining, b.id`, desc: sql`b.remaining desc, b.id desc` },
};

export async function listBatches(
  tx: Tx,
  scope: Scope,
  filter: BatchFilter,
  matches = textMatches,
): Promise<Rows<VoucherBatch>> {
  const found = sql`from voucher_batches b where true ${andLocation(scope, sql`b.location_id`)}
    ${filter.search ? sql`and ${matches(sql`b.name`, filter.search)}` : empty}`;
  const order = orders[filter.sort][filter.order];
  const [rows, total] = await Promise.all([
    tx.many<VoucherBatch>(sql`
      select ${batchColumns}, ${revenue} from (select b.* ${found} order by ${order} ${pageOf(filter)}) b
      join locations l on l.id = b.location_id left join profiles f on f.id = b.profile_id order by ${order}`),
    countRows(tx, found, filter),
  ]);
  return { rows, total };
}

/** The newest batches whose name has this text. */
export const findBatches = (tx: Tx, scope: Scope, search: string, limit: number, matches = textMatches) =>
  tx.nested<{ id: string; name: string; location: { id: string; name: string } }>(sql`
    select b.id, b.name, l.id as "location.id", l.name as "location.name"
    from voucher_batches b join locations l on l.id = b.location_id
    where ${matches(sql`b.name`, search)} ${andLocation(scope, sql`b.location_id`)}
    order by b.id desc limit ${bound(limit)}`);

/** `lock`: no other transaction changes the batch, or makes or revokes its vouchers, until this one ends. */
export const findBatch = (tx: Tx, scope: Scope, id: string, lock?: 'lock') =>
  tx.maybe<VoucherBatch>(sql`
    select ${batchColumns}, ${revenue} ${from} where b.id = ${id} ${andLocation(scope, sql`b.location_id`)}
    ${lock ? lockOfBatch : empty}`);

export const insertBatch = (
  tx: Tx,
  id: string,
  it: Pick<
    VoucherBatch,
    'location_id' | 'name' | 'shared_user' | 'valid_for' | 'price' | 'currency' | 'note' | 'at_desk'
  > & { profile_id: string | null; valid_until: string | null; created_by: string },
) =>
  tx.run(sql`
    insert into voucher_batches (id, location_id, name, profile_id, shared_user, valid_for, valid_until, price, currency, note, at_desk, created_by)
    values (${id}, ${it.location_id}, ${it.name}, ${it.profile_id}, ${it.shared_user}, ${it.valid_for}, ${it.valid_until}, ${it.price},
      ${it.currency}, ${it.note}, ${it.at_desk}, ${it.created_by})`);

export const updateBatch = (tx: Tx, id: string, values: VoucherBatchChange) =>
  tx.run(sql`update voucher_batches set ${assignments({ ...values })} where id = ${id}`);

/** Whether a day has not passed yet at a location. */
export const isAhead = async (tx: Tx, locationId: string, day: string): Promise<boolean> =>
  (
    await tx.one<{ ahead: boolean }>(
      sql`select ${day}::date >= local_day(l.time_zone) as ahead from locations l where l.id = ${locationId}`,
    )
  ).ahead;

/** Reserves numbers for further vouchers of a batch, and returns the last one. */
export const reserveNumbers = async (tx: Tx, batchId: string, count: number): Promise<number> =>
  (
    await tx.one<{ total: number }>(sql`
      update voucher_batches set total = total + ${count}, remaining = remaining + ${count}, updated_at = now()
      where id = ${batchId} returning total`)
  ).total;

export interface NewVoucher {
  readonly id: string;
  readonly number: number;
  readonly encrypted: string;
  readonly hash: Buffer;
}

/** Inserts vouchers, and returns the ids of those whose code was free. `issuedBy`: who hands them out at the desk. */
export async function insertVouchers(
  tx: Tx,
  batch: { id: string; locationId: string; issuedBy: string | null },
  vouchers: readonly NewVoucher[],
): Promise<Set<string>> {
  const rows = await tx.many<{ id: string }>(sql`
    insert into vouchers (id, location_id, batch_id, number, code, code_hash, issued_at, issued_by)
    select v.id, ${batch.locationId}::uuid, ${batch.id}::uuid, v.number, v.code, decode(v.hash, 'hex'),
      case when ${batch.issuedBy}::uuid is not null then now() end, ${batch.issuedBy}::uuid
    from unnest(${vouchers.map(it => it.id)}::uuid[], ${vouchers.map(it => it.number)}::int[],
      ${vouchers.map(it => it.encrypted)}::text[], ${vouchers.map(it => it.hash.toString('hex'))}::text[]) v(id, number, code, hash)
    on conflict (tenant_id, location_id, code_hash) do nothing returning id`);
  return new Set(rows.map(row => row.id));
}

const state = sql`
  case
    when k.revoked_at is not null then 'revoked'
    when k.used_at is not null then case when v.session_end_at > now() then 'active' else 'over' end
    when voucher_end(b.valid_until, l.time_zone) <= now() then 'over'
    else 'unused'
  end`;
const voucherColumns = sql`
  k.id, k.number, k.code, ${state} as state, k.created_at, k.used_at, v.session_end_at as ends_at, k.revoked_at, k.visitor_id`;
const voucherJoins = sql`
  join voucher_batches b on b.id = k.batch_id join locations l on l.id = k.location_id left join visitors v on v.id = k.visitor_id`;

/** The vouchers of a batch, or those with a code or a number. */
export async function listVouchers(
  tx: Tx,
  batchId: string,
  filter: {
    page: number;
    per_page: number;
    state?: VoucherState | undefined;
    hash?: Buffer | undefined;
    number?: number | undefined;
  },
): Promise<Rows<StoredVoucher>> {
  const found = sql`from vouchers k ${voucherJoins} where k.batch_id = ${batchId}
    ${filter.state ? sql`and ${state} = ${filter.state}` : empty}
    ${filter.hash ? sql`and k.code_hash = ${filter.hash}` : empty}
    ${filter.number === undefined ? empty : sql`and k.number = ${filter.number}`}`;
  const [rows, total] = await Promise.all([
    tx.many<StoredVoucher>(sql`select ${voucherColumns} ${found} order by k.number ${pageOf(filter)}`),
    countRows(tx, found, filter),
  ]);
  return { rows, total };
}

/** How many of these are vouchers of the batch. */
export const countVouchers = async (tx: Tx, batchId: string, ids: readonly string[]): Promise<number> =>
  (
    await tx.one<{ n: number }>(
      sql`select count(*) as n from vouchers where batch_id = ${batchId} and id = any(${ids})`,
    )
  ).n;

/** Vouchers to print: the named ones, else the first that are neither used nor revoked. */
export const listCards = (tx: Tx, batchId: string, it: { ids: readonly string[] | null; limit: number }) =>
  tx.many<StoredCard>(sql`
    select k.id, k.number, k.code from vouchers k
    where k.batch_id = ${batchId} and k.revoked_at is null
      ${it.ids ? sql`and k.id = any(${it.ids})` : sql`and k.used_at is null`}
    order by k.number limit ${it.limit}`);

/**
 * Revokes vouchers of a batch that are not revoked yet. Returns them with their visitors. A batch that is revoked as a whole is not at
 * the desk any more: the desk would hand out further vouchers of it. The caller holds the lock of the batch.
 */
export async function revokeVouchers(
  tx: Tx,
  batchId: string,
  ids: readonly string[] | null,
): Promise<{ count: number; ids: string[]; visitorIds: string[] }> {
  const rows = await tx.many<{ id: string; visitor_id: string | null; used: boolean }>(sql`
    update vouchers set revoked_at = now()
    where batch_id = ${batchId} and revoked_at is null ${ids ? sql`and id = any(${ids})` : empty}
    returning id, visitor_id, used_at is not null as used`);
  const unused = rows.filter(row => !row.used).length;
  await tx.run(sql`
    update voucher_batches set revoked = revoked + ${rows.length}, remaining = remaining - ${unused}, updated_at = now(),
      at_desk = at_desk and ${ids !== null}
    where id = ${batchId}`);
  return {
    count: rows.length,
    ids: rows.map(row => row.id),
    visitorIds: [...new Set(rows.flatMap(row => row.visitor_id ?? []))],
  };
}

/** The last day of a batch has moved: so has the end of what its vouchers added. Of a guest with several, the newest one counts. */
export const lengthenParts = (tx: Tx, batchId: string, days: number) =>
  tx.run(sql`
    update vouchers k set added_until = k.added_until + make_interval(days => ${days})
    where k.batch_id = ${batchId} and k.added_until is not null and k.revoked_at is null
      and not exists (select from vouchers n
        where n.batch_id = k.batch_id and n.visitor_id = k.visitor_id and n.revoked_at is null and (n.used_at, n.id) > (k.used_at, k.id))`);

/** The visitors of a batch's vouchers that are not revoked. */
export const visitorsOf = async (tx: Tx, batchId: string): Promise<string[]> => {
  const rows = await tx.many<{ visitor_id: string }>(sql`
    select visitor_id from vouchers where batch_id = ${batchId} and visitor_id is not null and revoked_at is null`);
  return rows.map(row => row.visitor_id);
};

/** Moves the last day of a batch: counted from today if it has passed. Returns the new one; null without a last day. */
export const moveLastDay = async (tx: Tx, batchId: string, days: number): Promise<string | null> =>
  (
    await tx.maybe<{ valid_until: string }>(sql`
      update voucher_batches b set valid_until = greatest(b.valid_until, local_day(l.time_zone)) + ${days}::int, updated_at = now()
      from locations l where l.id = b.location_id and b.id = ${batchId} and b.valid_until is not null
      returning b.valid_until::text`)
  )?.valid_until ?? null;

/** A voucher as a guest's sign-in finds it. */
export interface RedeemedVoucher {
  id: string;
  batch_id: string;
  number: number;
  /** Null also for a visitor that was moved to another location. */
  visitor_id: string | null;
  used: boolean;
  revoked: boolean;
  /** The last day of its batch has passed. */
  over: boolean;
  name: string;
  profile_id: string | null;
  shared_user: number;
  valid_for: VoucherBatch['valid_for'];
  valid_until: string | null;
  price: number;
  currency: string;
}

/**
 * The voucher with a code. Locks its batch and then the voucher, as a revocation does, so that neither two devices nor a
 * revocation can come between.
 */
export async function lockVoucher(tx: Tx, locationId: string, hash: Buffer): Promise<RedeemedVoucher | undefined> {
  const mine: Sql = sql`k.location_id = ${locationId} and k.code_hash = ${hash}`;
  const known = await tx.maybe<{ used: boolean }>(
    sql`select k.used_at is not null as used from vouchers k where ${mine}`,
  );
  if (!known) return undefined;
  // A used voucher changes nothing of its batch, so its guests need not wait for one another.
  if (!known.used)
    await tx.run(sql`
      select from voucher_batches b where b.id = (select k.batch_id from vouchers k where ${mine}) ${lockOfBatch}`);
  return tx.maybe<RedeemedVoucher>(sql`
    select k.id, k.batch_id, k.number, v.id as visitor_id, k.used_at is not null as used, k.revoked_at is not null as revoked,
      coalesce(voucher_end(b.valid_until, l.time_zone) <= now(), false) as over, b.name, b.profile_id, b.shared_user, b.valid_for,
      b.valid_until::text, b.price, b.currency
    from vouchers k join voucher_batches b on b.id = k.batch_id join locations l on l.id = k.location_id
    left join visitors v on v.id = k.visitor_id and v.location_id = k.location_id
    where ${mine} ${known.used ? empty : sql`for update of k`}`);
}

/** Marks the first use. The caller holds the lock of the voucher and of its batch. */
export async function markUsed(
  tx: Tx,
  it: { id: string; batchId: string; visitorId: string; added_from?: string; added_until?: string | null },
): Promise<void> {
  await tx.run(sql`
    update vouchers set used_at = now(), visitor_id = ${it.visitorId}, added_from = ${it.added_from ?? null},
      added_until = ${it.added_until ?? null}
    where id = ${it.id}`);
  await tx.run(sql`
    update voucher_batches set used = used + 1, remaining = remaining - 1, updated_at = now() where id = ${it.batchId}`);
}

/** The batches that the desk of a location hands out now. */
export const listAtDesk = (tx: Tx, locationId: string) =>
  tx.many<VoucherDesk['batches'][number]>(sql`
    select ${batchColumns} ${from}
    where b.at_desk and b.location_id = ${locationId} and (b.valid_until is null or b.valid_until >= local_day(l.time_zone))
    order by ${nameOrder(sql`b.name`)}, b.id limit 50`);

export const deskPlace = (tx: Tx, locationId: string) =>
  tx.one<VoucherDesk['location']>(sql`select id, name, time_zone from locations where id = ${locationId}`);

const issuedToday = sql`k.issued_at >= (local_day(l.time_zone)::timestamp at time zone l.time_zone)`;

export const listIssuedToday = (tx: Tx, locationId: string, limit: number) =>
  tx.many<StoredIssued>(sql`
    select ${voucherColumns}, json_build_object('id', b.id, 'name', b.name) as batch, b.price, b.currency, k.issued_at,
      (select trim(u.first_name || ' ' || u.last_name) from users u where u.id = k.issued_by) as issued_by
    from vouchers k ${voucherJoins}
    where k.location_id = ${locationId} and ${issuedToday}
    order by k.issued_at desc, k.number desc limit ${limit}`);

export const totalsToday = (tx: Tx, locationId: string) =>
  tx.many<VoucherDesk['totals'][number]>(sql`
    select b.currency, count(*) as count, sum(b.price)::bigint as amount
    from vouchers k join voucher_batches b on b.id = k.batch_id join locations l on l.id = k.location_id
    where k.location_id = ${locationId} and ${issuedToday} and k.revoked_at is null
    group by b.currency order by b.currency`);

export const findCardSettings = (tx: Tx, locationId: string) =>
  tx.maybe<StoredCardSettings>(sql`
    select ssid, wifi_password, language, paper, text, logo from voucher_cards where location_id = ${locationId}`);

export const saveCardSettings = (tx: Tx, locationId: string, it: StoredCardSettings) =>
  tx.run(sql`
    insert into voucher_cards (location_id, ssid, wifi_password, language, paper, text, logo)
    values (${locationId}, ${it.ssid}, ${it.wifi_password}, ${it.language}, ${it.paper}, ${it.text}, ${it.logo})
    on conflict (tenant_id, location_id) do update set ssid = excluded.ssid, wifi_password = excluded.wifi_password,
      language = excluded.language, paper = excluded.paper, text = excluded.text, logo = excluded.logo, updated_at = now()`);
