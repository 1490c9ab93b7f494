import type { RoomCharge } from '@portico/contract/room-charges.ts';
import sql, { empty } from 'sql-template-tag';
import { andLocation, type Scope } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';
import type { Rows } from '#http/page.ts';

const columns = sql`c.id, c.state, c.amount, c.currency, c.words, c.number, c.attempts, c.answer, c.purchase_id, c.created_at, c.sent_at, c.answered_at,
  case when v.id is not null then json_build_object('id', v.id, 'name', v.name, 'room_number', v.room_number) end as visitor`;
const joined = sql`from room_charges c left join visitors v on v.id = c.visitor_id`;

export async function listCharges(
  tx: Tx,
  integrationId: string,
  filter: { page: number; per_page: number; state?: RoomCharge['state'] | undefined },
): Promise<Rows<RoomCharge>> {
  const where = sql`where c.integration_id = ${integrationId} ${filter.state ? sql`and c.state = ${filter.state}` : empty}`;
  const [rows, { total }] = await Promise.all([
    tx.many<RoomCharge>(
      sql`select ${columns} ${joined} ${where} order by c.id desc limit ${filter.per_page} offset ${(filter.page - 1) * filter.per_page}`,
    ),
    tx.one<{ total: number }>(sql`select count(*)::int as total from room_charges c ${where}`),
  ]);
  return { rows, total };
}

export const findCharge = (tx: Tx, integrationId: string, id: string, lock?: 'lock') =>
  tx.maybe<RoomCharge>(sql`
    select ${columns} ${joined} where c.integration_id = ${integrationId} and c.id = ${id} ${lock ? sql`for update of c` : empty}`);

/** The integration with its charges, if the caller may see it. */
export const findHotel = (tx: Tx, scope: Scope, id: string) =>
  tx.maybe<{ id: string; name: string; location_id: string }>(sql`
    select i.id, i.name, i.location_id from integrations i where i.id = ${id} ${andLocation(scope, sql`i.location_id`)}`);

/** The room of a guest who is in the hotel, where the hotel takes charges to it. */
export const findRoomOf = (tx: Tx, visitorId: string) =>
  tx.maybe<{ integration_id: string; location_id: string; reservation: string; currency: string }>(sql`
    select h.integration_id, h.location_id, h.reservation, k.currency
    from hotel_stays h join hotel_links k on k.integration_id = h.integration_id
    where h.visitor_id = ${visitorId} and h.left_at is null and not h.no_charges and k.currency is not null`);

export interface NewCharge {
  id: string;
  locationId: string;
  integrationId: string;
  visitorId: string | null;
  saleId: string | null;
  key: string;
  reservation: string;
  amount: number;
  currency: string;
  words: string;
  purchaseId?: string;
  /** The charge that this one takes off the bill. */
  takesBack?: string;
  /** A guest waits for it: it is not sent after so many seconds. */
  giveUpIn?: number;
}

/** A charge whose key exists already is the same charge: nothing is added. */
export const insertCharge = (tx: Tx, it: NewCharge) =>
  tx.run(sql`
    insert into room_charges (id, location_id, integration_id, visitor_id, sale_id, key, reservation, amount, currency, words, purchase_id, takes_back, give_up_at)
    values (${it.id}, ${it.locationId}, ${it.integrationId}, ${it.visitorId}, ${it.saleId}, ${it.key}, ${it.reservation}, ${it.amount}, ${it.currency}, ${it.words},
      ${it.purchaseId ?? null}, ${it.takesBack ?? null}, now() + make_interval(secs => ${it.giveUpIn ?? null}))
    on conflict (tenant_id, integration_id, key) do nothing`);

/** The charge of a sale that is on the bill, or may come to it. */
export const findChargeOfSale = (tx: Tx, saleId: string) =>
  tx.maybe<{
    id: string;
    integration_id: string;
    location_id: string;
    visitor_id: string | null;
    reservation: string;
    currency: string;
    words: string;
  }>(sql`
    select id, integration_id, location_id, visitor_id, reservation, currency, words from room_charges
    where sale_id = ${saleId} and state not in ('refused', 'cancelled')`);

export interface Posting {
  id: string;
  number: number;
  /** Whether an earlier try may have reached the bill. */
  in_doubt: boolean;
  reservation: string;
  room: string | null;
  amount: number;
  words: string;
  sent_at: string;
  /** The charge that this one takes back. */
  charge: { id: string; number: number | null; bill: string | null } | null;
}

/**
 * The next charge to send, marked as sent. One is under way at a time, so that no answer can be taken for another's. Numbers
 * begin with the time, so that an integration that is made again uses none twice. A charge that takes back another one waits until
 * that one is on the bill. Otherwise the guest would get money back without a charge.
 */
export const takeCharge = (tx: Tx, integrationId: string, repeats: boolean, maxRepeats: number) =>
  tx.maybe<Posting>(sql`
    with next as (
      select tenant_id, id, state from room_charges w
      where integration_id = ${integrationId} and next_at <= now()
        and not exists (select from room_charges o where o.id = w.takes_back and o.state <> 'posted')
        and (state <> 'waiting' or give_up_at is null or give_up_at > now())
        and (state = 'waiting' or state = 'unknown' and ${repeats} and attempts < ${maxRepeats})
        and not exists (select from room_charges s where s.integration_id = ${integrationId} and s.state = 'sent')
      order by id limit 1 for update)
    update room_charges c set state = 'sent', attempts = c.attempts + 1, next_at = now(), sent_at = coalesce(c.sent_at, now()),
      number = coalesce(c.number, greatest(
        (select coalesce(max(m.number), 0) + 1 from room_charges m where m.integration_id = ${integrationId}),
        extract(epoch from now())::bigint % 100000000))
    from next where (c.tenant_id, c.id) = (next.tenant_id, next.id)
    returning c.id, c.number, next.state = 'unknown' as in_doubt, c.reservation, c.amount, c.words, c.sent_at,
      (select v.room_number from visitors v where v.id = c.visitor_id) as room,
      (select json_build_object('id', o.id, 'number', o.number, 'bill', o.bill) from room_charges o where o.id = c.takes_back) as charge`);

/** The line broke, or no answer came for a while: the charge may be on the bill, so that it is not given up any more. */
export const doubtCharges = (tx: Tx, integrationId: string, it: { olderThan: number; retryIn: number }) =>
  tx.run(sql`
    update room_charges set state = 'unknown', give_up_at = null, next_at = now() + make_interval(secs => ${it.retryIn})
    where integration_id = ${integrationId} and state = 'sent' and next_at <= now() - make_interval(secs => ${it.olderThan})`);

/** `bill`: by which the hotel system knows the bill that has the charge. */
export type Answer =
  | { state: 'posted'; bill?: string }
  | { state: 'refused'; answer: string }
  | { state: 'waiting'; answer: string };

/** Stores the answer to a posting. One to a charge that was not sent, or has its answer, changes nothing. */
export const answerCharge = (tx: Tx, integrationId: string, number: number, it: Answer, retryIn: number) =>
  tx.run(sql`
    update room_charges set state = ${it.state}, answer = ${it.state === 'posted' ? null : it.answer},
      bill = ${it.state === 'posted' ? (it.bill ?? null) : null},
      answered_at = now(), next_at = now() + make_interval(secs => ${retryIn})
    where integration_id = ${integrationId} and number = ${number} and state in ('sent', 'unknown')`);

/**
 * `again`: with a new number, because the hotel system has not booked the old one. `cancelled`: what would take it off the bill is
 * not needed any more either.
 */
export const settleCharge = (tx: Tx, id: string, outcome: 'posted' | 'again' | 'cancelled') =>
  outcome === 'again'
    ? tx.run(sql`
        update room_charges set state = 'waiting', number = null, attempts = 0, answer = null, bill = null, sent_at = null, answered_at = null,
          next_at = now(), give_up_at = null
        where id = ${id}`)
    : tx.run(sql`
        update room_charges set state = ${outcome}, answered_at = now()
        where id = ${id} or takes_back = ${id} and state = 'waiting' and ${outcome === 'cancelled'}`);

/** Charges that are not settled yet. */
export const countOpenCharges = async (tx: Tx, integrationId: string): Promise<number> =>
  (
    await tx.one<{ open: number }>(sql`
      select count(*)::int as open from room_charges
      where integration_id = ${integrationId} and state in ('waiting', 'sent', 'unknown')`)
  ).open;

/** The charge of a purchase on the portal, and what was taken back of it. */
export interface PurchaseCharge {
  id: string;
  integration_id: string;
  location_id: string;
  visitor_id: string | null;
  reservation: string;
  state: RoomCharge['state'];
  amount: number;
  currency: string;
  words: string;
  number: number | null;
  answer: string | null;
  /** In minor units. */
  taken_back: number;
}

export const findPurchaseCharge = (tx: Tx, purchaseId: string, lock?: 'lock') =>
  tx.maybe<PurchaseCharge & Record<string, unknown>>(sql`
    select c.id, c.integration_id, c.location_id, c.visitor_id, c.reservation, c.state, c.amount, c.currency, c.words, c.number, c.answer,
      (select coalesce(-sum(b.amount), 0)::bigint from room_charges b
        where b.purchase_id = c.purchase_id and b.amount < 0 and b.state = 'posted') as taken_back
    from room_charges c where c.purchase_id = ${purchaseId} and c.amount > 0 ${lock ? sql`for update of c` : empty}`);

/** Whether a purchase is still to be paid. Its state stays so until the transaction ends. */
export const lockOpenPurchase = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.maybe(sql`select 1 from purchases where id = ${id} and state = 'open' for no key update`)) !== undefined;

/** The charges that take a purchase off the bill, the newest first. */
export const listTakenBack = (tx: Tx, purchaseId: string) =>
  tx.many<{ id: string; key: string; state: RoomCharge['state']; answer: string | null }>(sql`
    select id, key, state, answer from room_charges where purchase_id = ${purchaseId} and amount < 0 order by id desc for update`);

/** Gives up a charge for which a guest no longer waits. One that was sent may be on the bill, so it stays. */
export const giveUpCharge = (tx: Tx, purchaseId: string) =>
  tx.run(sql`
    update room_charges set state = 'cancelled', answered_at = now()
    where purchase_id = ${purchaseId} and state = 'waiting' and give_up_at <= now()`);

export const cancelRefused = (tx: Tx, purchaseId: string) =>
  tx.run(
    sql`update room_charges set state = 'cancelled' where purchase_id = ${purchaseId} and amount < 0 and state = 'refused'`,
  );

/** The sale is known only once the charge is on the bill. */
export const setChargedSale = (tx: Tx, purchaseId: string, saleId: string) =>
  tx.run(sql`update room_charges set sale_id = ${saleId} where purchase_id = ${purchaseId} and amount > 0`);
