import type { Printer, PrinterChange, PrinterForm } from '@portico/contract/printers.ts';
import { audit } from '#features/audit/public.ts';
import { findLocation } from '#features/locations/public.ts';
import { cardsToPrint } from '#features/vouchers/public.ts';
import type { Actor } from '#http/actor.ts';
import { found, foundAgain, invalid } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import { newId } from '#lib/ids.ts';
import { outboundAddress } from '#lib/outbound.ts';
import { PrinterError, sendReceipts } from './print.ts';
import * as queries from './printers.queries.ts';

type Call = Context & { actor: Actor };

const subjectOf = ({ id, name }: Printer) => ({ type: 'printer' as const, id, name });

export const listAt = (call: Call, locationId: string): Promise<Printer[]> =>
  call.inTenant(async tx => {
    found(await findLocation(tx, call.actor, locationId));
    return queries.listPrinters(tx, locationId);
  });

/** A printer may be off when it is added, but its address has to be one that we may reach. */
async function checkAddress({ app }: Call, host: string): Promise<void> {
  const address = await outboundAddress(host, app.settings.INTEGRATIONS_INSIDE).catch(() => null);
  if (address === null) throw invalid({ host: 'unknown' });
  if (address === undefined) throw invalid({ host: 'printer_address' });
}

export async function addPrinter(call: Call, locationId: string, form: PrinterForm): Promise<Printer> {
  const { actor } = call;
  await call.inTenant(async tx => found(await findLocation(tx, actor, locationId)));
  await checkAddress(call, form.host);
  return call.inTenant(async tx => {
    const id = newId();
    await queries.insertPrinter(tx, { ...form, id, locationId });
    const made = found(await queries.findPrinter(tx, actor.reach, id));
    await audit(tx, actor, { verb: 'create', subject: subjectOf(made), locationId, after: { ...form } });
    return made;
  });
}

export async function changePrinter(call: Call, id: string, change: PrinterChange): Promise<Printer> {
  const { actor } = call;
  await call.inTenant(async tx => found(await queries.findPrinter(tx, actor.reach, id)));
  if (change.host !== undefined) await checkAddress(call, change.host);
  return call.inTenant(async tx => {
    const before = found(await queries.findPrinter(tx, actor.reach, id, 'lock'));
    await queries.updatePrinter(tx, id, change);
    const after = found(await queries.findPrinter(tx, actor.reach, id));
    const locationId = after.location_id;
    await audit(tx, actor, { verb: 'update', subject: subjectOf(after), locationId, before, after });
    return after;
  });
}

export const removePrinter = (call: Call, id: string): Promise<void> =>
  call.inTenant(async tx => {
    const { actor } = call;
    const before = found(await queries.findPrinter(tx, actor.reach, id));
    foundAgain(await queries.deletePrinter(tx, id));
    await audit(tx, actor, { verb: 'delete', subject: subjectOf(before), locationId: before.location_id, before });
  });

/** Prints vouchers of the location of the printer. Nothing changes, so that they can be printed again after a failure. */
export async function printVouchers(
  call: Call,
  id: string,
  { batch_id, voucher_ids }: { batch_id: string; voucher_ids: readonly string[] },
): Promise<{ printed: number }> {
  const printer = await call.inTenant(async tx => found(await queries.findPrinter(tx, call.actor.reach, id)));
  const { cards, batch, settings } = await cardsToPrint(call, batch_id, voucher_ids);
  if (batch.location_id !== printer.location_id) throw invalid({ batch_id: 'unknown' });
  if (cards.length < new Set(voucher_ids).size) throw invalid({ voucher_ids: 'unknown' });
  // Its packages have tables of all code pages.
  const { receiptOf } = await import('./receipt.ts');
  const receipts = cards.map(card => receiptOf(card, { batch, settings, printer }));
  try {
    await sendReceipts(printer, receipts, call.app.settings.INTEGRATIONS_INSIDE);
  } catch (error) {
    if (!(error instanceof PrinterError)) throw error;
    throw invalid({ printer_id: error.code });
  }
  return { printed: receipts.length };
}
