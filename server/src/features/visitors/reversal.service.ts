import type { ReversalForm, Sale } from '@portico/contract/sales.ts';
import type { Tx } from '#db/tenant.ts';
import { audit } from '#features/audit/public.ts';
import { findSale, insertReversal, lockSale } from '#features/reports/public.ts';
import { takeBackCharge } from '#features/room-charges/public.ts';
import { found, invalid } from '#http/app-error.ts';
import { newId } from '#lib/ids.ts';
import { daysLater } from './import.queries.ts';
import { queueCommands, sendCommands } from './running.service.ts';
import { changed, initials, trace } from './trace.service.ts';
import * as queries from './visitors.queries.ts';
import type { Call } from './visitors.service.ts';
import { findVoucherOfSale, lockParts } from './voucher-guests.queries.ts';
import { secondsKept } from './voucher-parts.ts';

/** For how many seconds an access goes on; `Infinity`: nothing of it is taken. */
type Kept = number;

/**
 * How much of the access of a guest the voucher of a sale leaves. Undefined if the voucher is not known any more. Asked before
 * the reversal is written. A voucher that was revoked took its time then.
 */
async function withoutVoucher(tx: Tx, sale: Sale): Promise<Kept | undefined> {
  const voucher = sale.kind === 'voucher' ? await findVoucherOfSale(tx, sale.id) : undefined;
  if (!voucher) return undefined;
  if (voucher.revoked_at) return Number.POSITIVE_INFINITY;
  const parts = await lockParts(tx, [voucher.visitor_id], [voucher.id]);
  // The voucher is one of the parts, so the guest is missing only if the others give an access without end.
  return secondsKept(parts, new Set([voucher.id]))[0]?.seconds ?? Number.POSITIVE_INFINITY;
}

/**
 * Takes the days of a visitor back. Without paid days left, access ends now. It also ends when a voucher is reversed, unless
 * other vouchers of the guest give `kept` seconds more.
 */
async function takeBack(
  tx: Tx,
  call: Call,
  before: queries.StoredVisitor,
  { days, kind, kept }: { days: number; kind: Sale['kind']; kept: Kept | undefined },
): Promise<number> {
  const { id, location_id, session_end_at: end, paid_end_at: paid } = before;
  if (kept === Number.POSITIVE_INFINITY) return 0;
  if (kept !== undefined && kept > 0) {
    const until = new Date(Date.now() + kept * 1000).toISOString();
    const isLater = end !== null && Date.parse(end) <= Date.parse(until);
    await queries.updateVisitor(tx, id, { session_end_at: isLater ? end : until });
    return told(tx, call, before);
  }
  const left = kind === 'days' ? Math.max(0, before.total_paid_day - days) : 0;
  const paid_end_at = paid && (await daysLater(tx, location_id, paid, -days));
  const ends = [end, paid_end_at, left === 0 ? new Date().toISOString() : null].filter(time => time !== null);
  await queries.updateVisitor(tx, id, {
    total_paid_day: left,
    paid_end_at,
    session_end_at: ends.sort((a, b) => Date.parse(a) - Date.parse(b))[0] ?? null,
  });
  return told(tx, call, before);
}

async function told(tx: Tx, call: Call, before: queries.StoredVisitor): Promise<number> {
  const after = found(await queries.findVisitor(tx, call.actor.reach, before.id));
  await trace(tx, call.actor, 'update', after, changed(before, after));
  return queueCommands(tx, call.actor, before.id);
}

/** Reverses a sale or some of its days. The visitor, if it still exists, loses the days. */
export async function reverseSale(call: Call, saleId: string, form: ReversalForm): Promise<Sale> {
  const { reversal, commands } = await call.inTenant(async tx => {
    const sale = found(await findSale(tx, call.actor.reach, saleId));
    // The money came through a payment provider, and goes back the same way.
    if (sale.purchase_id) throw invalid({ days: 'refund_instead' });
    // The visitor first, as a sale locks them.
    const visitor = sale.visitor && (await queries.findVisitor(tx, call.actor.reach, sale.visitor.id, 'lock'));
    const left = await lockSale(tx, saleId);
    const days = form.days ?? left;
    if (left < 1) throw invalid({ days: 'sale_reversed' });
    if (days > left || days < 1) throw invalid({ days: ['sale_days', { days: left }] });
    const id = newId();
    const kept = await withoutVoucher(tx, sale);
    await insertReversal(tx, { id, saleId, days, reason: form.reason, userId: call.actor.userId });
    const amount = Math.round(days * sale.unit_price * 100);
    await takeBackCharge(tx, { saleId, reversalId: id, amount });
    const { currency, location } = sale;
    await audit(tx, call.actor, {
      verb: 'reverse',
      subject: { type: 'sale', id: saleId, name: sale.visitor ? initials(sale.visitor.name) : '' },
      locationId: location.id,
      before: { days: left, total: left * sale.unit_price, currency },
      after: { days: left - days, total: (left - days) * sale.unit_price, currency, reason: form.reason },
    });
    const commands =
      visitor && !visitor.erased_at ? await takeBack(tx, call, visitor, { days, kind: sale.kind, kept }) : 0;
    return { reversal: found(await findSale(tx, call.actor.reach, id)), commands };
  });
  sendCommands(call, commands);
  return reversal;
}
