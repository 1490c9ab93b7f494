import { readVoucherCode } from '@portico/contract/voucher-code.ts';
import type { Tx } from '#db/tenant.ts';
import { recordVoucherSale } from '#features/reports/public.ts';
import { commandForVisitors } from '#features/sessions/public.ts';
import { addVoucherTime, insertVoucherGuest, lockVoucherGuest } from '#features/visitors/public.ts';
import { newId } from '#lib/ids.ts';
import type { Secrets } from '#lib/secrets.ts';
import { lockVoucher, markUsed } from './vouchers.queries.ts';
import { hashOf } from './vouchers.service.ts';

/** The result of a typed code. `over`: it was revoked, its last day has passed, or its guest is gone. */
export type Redeemed = { readonly visitorId: string } | 'unknown' | 'over';

/**
 * The visitor of a voucher. The first use creates it and records the sale. The voucher is locked, so that two devices that
 * use it at once become one visitor and one sale.
 */
export async function redeemVoucher(
  tx: Tx,
  secrets: Secrets,
  it: { typed: string; locationId: string; deviceId: string },
): Promise<Redeemed> {
  const { locationId, deviceId } = it;
  const code = readVoucherCode(it.typed);
  const voucher = code && (await lockVoucher(tx, locationId, hashOf(secrets, code)));
  if (!voucher) return 'unknown';
  if (voucher.revoked) return 'over';
  if (voucher.used) return voucher.visitor_id ? { visitorId: voucher.visitor_id } : 'over';
  if (voucher.over) return 'over';
  const { id, batch_id: batchId, profile_id: profileId, price, currency } = voucher;
  const visitorId = newId();
  await insertVoucherGuest(tx, visitorId, {
    locationId,
    deviceId,
    name: `${voucher.name} · ${voucher.number}`,
    profileId,
    devices: voucher.shared_user,
    validFor: voucher.valid_for,
    validUntil: voucher.valid_until,
  });
  await markUsed(tx, { id, batchId, visitorId });
  if (price) await recordVoucherSale(tx, { id: newId(), locationId, visitorId, profileId, batchId, price, currency });
  return { visitorId };
}

/**
 * The result of a further voucher of a guest. `other`: it is for another profile, or for
 * another number of devices.
 */
export type Added = { readonly commands: number } | 'unknown' | 'over' | 'other';

/**
 * Adds an unused voucher to the guest of another one with the same profile. The open sessions go on: their routers get the
 * new limits. The caller sends the commands after the commit.
 */
export async function addVoucher(
  tx: Tx,
  secrets: Secrets,
  it: { typed: string; locationId: string; visitorId: string },
): Promise<Added> {
  const { locationId, visitorId } = it;
  const code = readVoucherCode(it.typed);
  const voucher = code && (await lockVoucher(tx, locationId, hashOf(secrets, code)));
  if (!voucher) return 'unknown';
  if (voucher.revoked || voucher.used || voucher.over) return 'over';
  const { id, batch_id: batchId, profile_id: profileId, price, currency } = voucher;
  const guest = await lockVoucherGuest(tx, visitorId, locationId);
  if (guest?.profile_id !== profileId || guest.shared_user !== voucher.shared_user) return 'other';
  const time = { validFor: voucher.valid_for, validUntil: voucher.valid_until };
  const added = await addVoucherTime(tx, visitorId, time);
  if (!added) return 'over';
  await markUsed(tx, { id, batchId, visitorId, ...added });
  if (price) await recordVoucherSale(tx, { id: newId(), locationId, visitorId, profileId, batchId, price, currency });
  return { commands: await commandForVisitors(tx, { visitorIds: [visitorId], event: 'changed', userId: null }) };
}
