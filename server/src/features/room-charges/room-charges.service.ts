import type { RoomCharge } from '@portico/contract/room-charges.ts';
import type { Tx } from '#db/tenant.ts';
import { audit } from '#features/audit/public.ts';
import { type Actor, may } from '#http/actor.ts';
import { found, invalid } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import { newId } from '#lib/ids.ts';
import * as queries from './room-charges.queries.ts';

type Call = Context & { actor: Actor };

export interface RoomChargeOrder {
  /** The key of the purchase. Asking again with the same key charges nothing more. */
  readonly key: string;
  readonly visitorId: string;
  readonly saleId: string | null;
  /** In minor units. */
  readonly amount: number;
  readonly currency: string;
  /** On the bill. */
  readonly words: string;
}

/**
 * Queues a charge to the room of a hotel guest, in the transaction of the purchase. Returns false when the guest is in no hotel
 * that takes charges in this currency: then nothing is queued.
 */
export async function chargeRoom(tx: Tx, it: RoomChargeOrder): Promise<boolean> {
  const room = await queries.findRoomOf(tx, it.visitorId);
  if (!room || room.currency !== it.currency || it.amount <= 0) return false;
  const { integration_id: integrationId, location_id: locationId, reservation } = room;
  await queries.insertCharge(tx, { id: newId(), ...it, integrationId, locationId, reservation });
  return true;
}

/** Queues that a reversed sale is taken off the bill again. A sale without a charge needs nothing. */
export async function takeBackCharge(tx: Tx, it: { saleId: string; reversalId: string; amount: number }) {
  const charge = await queries.findChargeOfSale(tx, it.saleId);
  if (!charge || it.amount <= 0) return;
  await queries.insertCharge(tx, {
    id: newId(),
    integrationId: charge.integration_id,
    locationId: charge.location_id,
    visitorId: charge.visitor_id,
    saleId: it.reversalId,
    takesBack: charge.id,
    key: `reversal:${it.reversalId}`,
    reservation: charge.reservation,
    amount: -it.amount,
    currency: charge.currency,
    words: charge.words,
  });
}

/** A guest waits at the portal so long. */
const portalSeconds = 600;

/**
 * Queues the charge of a purchase on the portal; asked again, it queues nothing more. Returns false when the guest is in no
 * hotel that takes charges in this currency, or the purchase was given up meanwhile.
 */
export async function chargePurchase(
  tx: Tx,
  it: { purchaseId: string; visitorId: string; amount: number; currency: string; words: string },
): Promise<boolean> {
  const isOpen = await queries.lockOpenPurchase(tx, it.purchaseId);
  if (await queries.findPurchaseCharge(tx, it.purchaseId)) return true;
  if (!isOpen) return false;
  const room = await queries.findRoomOf(tx, it.visitorId);
  if (!room || room.currency !== it.currency || it.amount <= 0) return false;
  await queries.insertCharge(tx, {
    id: newId(),
    ...it,
    key: `purchase:${it.purchaseId}`,
    saleId: null,
    integrationId: room.integration_id,
    locationId: room.location_id,
    reservation: room.reservation,
    giveUpIn: portalSeconds,
  });
  return true;
}

/** The charge of a purchase as it is now. One that was not sent in time is given up. */
export async function readPurchaseCharge(tx: Tx, purchaseId: string): Promise<queries.PurchaseCharge | undefined> {
  await queries.giveUpCharge(tx, purchaseId);
  return queries.findPurchaseCharge(tx, purchaseId);
}

/**
 * Queues that a purchase is taken off the bill. `request`: which refund it is; the same one asks for nothing more. Returns its
 * state. An earlier one that may still reach the bill counts instead.
 */
export async function takeBackPurchase(
  tx: Tx,
  purchaseId: string,
  request: number,
): Promise<{ state: RoomCharge['state']; answer: string | null } | undefined> {
  const charge = await queries.findPurchaseCharge(tx, purchaseId, 'lock');
  if (!charge) return undefined;
  const earlier = await queries.listTakenBack(tx, purchaseId);
  const counts = earlier.find(it => it.state !== 'refused' && it.state !== 'cancelled');
  if (counts) return counts;
  const key = `refund:${purchaseId}:${request}`;
  const same = earlier.find(it => it.key === key);
  if (same) return same;
  // Without this, an operator could send the refused one as well.
  await queries.cancelRefused(tx, purchaseId);
  await queries.insertCharge(tx, {
    id: newId(),
    integrationId: charge.integration_id,
    locationId: charge.location_id,
    visitorId: charge.visitor_id,
    saleId: null,
    purchaseId,
    takesBack: charge.id,
    key,
    reservation: charge.reservation,
    amount: -charge.amount,
    currency: charge.currency,
    words: charge.words,
  });
  return { state: 'waiting', answer: null };
}

/** A charge names a guest, whom not every caller may see. */
export const shown = (call: Call, row: RoomCharge): RoomCharge =>
  may(call.actor, 'view-clients') ? row : { ...row, visitor: null };

/** An operator settles what the link cannot: only what is unknown or was refused. */
export const settle = (
  call: Call,
  params: { id: string; chargeId: string },
  outcome: 'posted' | 'again' | 'cancelled',
): Promise<RoomCharge> =>
  call.inTenant(async tx => {
    const hotel = found(await queries.findHotel(tx, call.actor.reach, params.id));
    const before = found(await queries.findCharge(tx, hotel.id, params.chargeId, 'lock'));
    // The guest was told that nothing was bought.
    const isOver = before.state === 'refused' && before.purchase_id !== null && before.amount > 0;
    if (isOver || (before.state !== 'unknown' && before.state !== 'refused'))
      throw invalid({ outcome: 'charge_settled' });
    await queries.settleCharge(tx, before.id, outcome);
    const after = found(await queries.findCharge(tx, hotel.id, before.id));
    const view = ({ state, amount, currency, number }: RoomCharge) => ({ state, amount, currency, number });
    await audit(tx, call.actor, {
      verb: 'update',
      subject: { type: 'integration', id: hotel.id, name: hotel.name },
      locationId: hotel.location_id,
      before: { room_charge: view(before) },
      after: { room_charge: view(after) },
    });
    return shown(call, after);
  });
