import { withChange } from '@portico/contract/change.ts';
import { readVoucherCode, shownVoucherCode, voucherAlphabet, voucherLength } from '@portico/contract/voucher-code.ts';
import type {
  CardSettings,
  CardSettingsChange,
  HandedOut,
  Voucher,
  VoucherBatch,
  VoucherBatchChange,
  VoucherBatchForm,
  VoucherCard,
  VoucherDesk,
} from '@portico/contract/vouchers.ts';
import { maxVouchers } from '@portico/contract/vouchers.ts';
import type { Tx } from '#db/tenant.ts';
import { audit } from '#features/audit/public.ts';
import { chooseLocation, findLocation, lockLocation } from '#features/locations/public.ts';
import { findPrice } from '#features/profiles/public.ts';
import { listReversedToday } from '#features/reports/public.ts';
import { commandForVisitors, sendSoon } from '#features/sessions/public.ts';
import { extendVoucherGuests, lockParts, secondsKept, shortenVoucherGuests } from '#features/visitors/public.ts';
import { type Actor, may } from '#http/actor.ts';
import { AppError, found, invalid } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import type { Rows } from '#http/page.ts';
import { newId, randomWord } from '#lib/ids.ts';
import { captiveOrigin } from '#lib/origins.ts';
import type { Secrets } from '#lib/secrets.ts';
import { writeVoucherPass } from '#lib/voucher-pass.ts';
import * as queries from './vouchers.queries.ts';

type Call = Context & { actor: Actor };

const subjectOf = ({ id, name }: VoucherBatch) => ({ type: 'voucher-batch' as const, id, name });

/** The keyed hash by which a voucher is found. */
export const hashOf = (secrets: Secrets, code: string): Buffer => secrets.index(`voucher:${code}`);

// A code that is in use is so rare that a few attempts are enough.
const attempts = 5;

function invent(secrets: Secrets, number: number) {
  const code = randomWord(voucherLength, voucherAlphabet);
  return { id: newId(), number, code, encrypted: secrets.encrypt(code), hash: hashOf(secrets, code) };
}

/** Makes further vouchers of a batch, all or none. The caller holds the lock of the batch. */
async function makeVouchers(
  tx: Tx,
  call: Call,
  batch: { id: string; locationId: string; issuedBy: string | null },
  count: number,
): Promise<VoucherCard[]> {
  const { secrets } = call.app;
  const last = await queries.reserveNumbers(tx, batch.id, count);
  let wanted = Array.from({ length: count }, (_, index) => invent(secrets, last - count + index + 1));
  const made: typeof wanted = [];
  for (let round = 0; wanted.length && round < attempts; round += 1) {
    const ids = await queries.insertVouchers(tx, batch, wanted);
    made.push(...wanted.filter(it => ids.has(it.id)));
    wanted = wanted.filter(it => !ids.has(it.id)).map(it => invent(secrets, it.number));
  }
  if (wanted.length) throw new AppError('conflict');
  return made.sort((a, b) => a.number - b.number).map(it => describeCard(call, it, it.code));
}

/** `code`: in plain. */
function describeCard({ app, tenant }: Call, it: { id: string; number: number }, code: string): VoucherCard {
  const pass = writeVoucherPass(app.secrets, { tenantId: tenant.id, voucherId: it.id }, code);
  return {
    id: it.id,
    number: it.number,
    code: shownVoucherCode(code),
    sign_in_url: `${captiveOrigin(app.settings, tenant.slug)}/q/${pass}`,
  };
}

export async function createBatch(call: Call, form: VoucherBatchForm): Promise<VoucherBatch> {
  const { actor } = call;
  return call.inTenant(async tx => {
    const { location_id, count, ...terms } = form;
    const locationId = await chooseLocation(tx, actor, location_id);
    const profileId = form.profile_id ?? null;
    if (profileId && !(await findPrice(tx, locationId, profileId))) throw invalid({ profile_id: 'unknown' });
    const lastDay = form.valid_until ?? null;
    if (lastDay && !(await queries.isAhead(tx, locationId, lastDay))) throw invalid({ valid_until: 'past' });
    const id = newId();
    await queries.insertBatch(tx, id, {
      ...terms,
      location_id: locationId,
      profile_id: profileId,
      valid_until: lastDay,
      created_by: actor.userId,
    });
    if (count) await makeVouchers(tx, call, { id, locationId, issuedBy: null }, count);
    const made = found(await queries.findBatch(tx, actor.reach, id));
    await audit(tx, actor, { verb: 'create', subject: subjectOf(made), locationId, after: { ...terms, count } });
    return made;
  });
}

export const getBatch = (call: Call, id: string): Promise<VoucherBatch> =>
  call.inTenant(async tx => found(await queries.findBatch(tx, call.actor.reach, id)));

export async function updateBatch(call: Call, id: string, change: VoucherBatchChange): Promise<VoucherBatch> {
  const { actor } = call;
  return call.inTenant(async tx => {
    const before = found(await queries.findBatch(tx, actor.reach, id, 'lock'));
    await queries.updateBatch(tx, id, change);
    const after = found(await queries.findBatch(tx, actor.reach, id));
    const locationId = after.location_id;
    await audit(tx, actor, { verb: 'update', subject: subjectOf(after), locationId, before, after });
    return after;
  });
}

/** The code as the caller may see it. Null for one that was stored under another SECRET_KEY. */
function shownCode({ app, actor }: Call, encrypted: string): string | null {
  const code = may(actor, 'store-vouchers') ? app.secrets.read(encrypted) : undefined;
  return code === undefined ? null : shownVoucherCode(code);
}

export async function listVouchers(
  call: Call,
  id: string,
  {
    search = '',
    ...query
  }: { page: number; per_page: number; state?: Voucher['state'] | undefined; search?: string | undefined },
): Promise<Rows<Voucher>> {
  const code = readVoucherCode(search);
  const number = /^\d{1,9}$/.test(search) ? Number(search) : undefined;
  const wanted = { ...(code ? { hash: hashOf(call.app.secrets, code) } : { number }) };
  return call.inTenant(async tx => {
    found(await queries.findBatch(tx, call.actor.reach, id));
    if (search && !code && number === undefined) return { rows: [], total: 0 };
    const { rows, total } = await queries.listVouchers(tx, id, { ...query, ...wanted });
    // An unused code is worth its price. Printing it is in the audit log, so reading it in passing is not offered.
    const isShown = (row: (typeof rows)[number]): boolean => row.state !== 'unused' || code !== undefined;
    return { rows: rows.map(row => ({ ...row, code: isShown(row) ? shownCode(call, row.code) : null })), total };
  });
}

/** The codes of vouchers, to print them again. Vouchers whose code cannot be read are left out. */
export async function printCards(
  call: Call,
  id: string,
  ids: readonly string[] | null,
): Promise<{ data: VoucherCard[]; card: CardSettings }> {
  const { cards, settings } = await cardsToPrint(call, id, ids);
  return { data: cards, card: settings };
}

/** The same with the batch, for a printer. */
export async function cardsToPrint(
  call: Call,
  id: string,
  ids: readonly string[] | null,
): Promise<{ cards: VoucherCard[]; settings: CardSettings; batch: VoucherBatch }> {
  const { actor, app } = call;
  return call.inTenant(async tx => {
    const batch = found(await queries.findBatch(tx, actor.reach, id));
    await requireVouchers(tx, id, ids);
    const rows = await queries.listCards(tx, id, { ids, limit: maxVouchers });
    const data = rows.flatMap(row => {
      const code = app.secrets.read(row.code);
      return code === undefined ? [] : [describeCard(call, row, code)];
    });
    const locationId = batch.location_id;
    await audit(tx, actor, { verb: 'export', subject: subjectOf(batch), locationId, after: { count: data.length } });
    return { cards: data, settings: await readCardSettings(tx, call, locationId), batch };
  });
}

export async function issueVouchers(call: Call, id: string, count: number): Promise<VoucherCard[]> {
  const { actor } = call;
  return call.inTenant(async tx => {
    const batch = found(await queries.findBatch(tx, actor.reach, id, 'lock'));
    const locationId = batch.location_id;
    if (!batch.at_desk) throw invalid({ count: 'not_at_desk' });
    if (batch.valid_until && !(await queries.isAhead(tx, locationId, batch.valid_until)))
      throw invalid({ count: 'past' });
    const made = await makeVouchers(tx, call, { id, locationId, issuedBy: actor.userId }, count);
    const numbers = [made[0]!.number, made.at(-1)!.number];
    await audit(tx, actor, { verb: 'grant', subject: subjectOf(batch), locationId, after: { count, numbers } });
    return made;
  });
}

/** Changes vouchers and their guests, and tells the routers after the commit. */
async function changeGuests(
  call: Call,
  id: string,
  work: (
    tx: Tx,
    batch: VoucherBatch,
  ) => Promise<{ visitorIds: readonly string[]; verb: 'revoke' | 'update'; after: object }>,
): Promise<VoucherBatch> {
  const { actor } = call;
  const { batch, commands } = await call.inTenant(async tx => {
    const before = found(await queries.findBatch(tx, actor.reach, id, 'lock'));
    const { visitorIds, verb, after } = await work(tx, before);
    const queued = visitorIds.length
      ? await commandForVisitors(tx, { visitorIds, event: 'changed', userId: actor.userId })
      : 0;
    const locationId = before.location_id;
    await audit(tx, actor, { verb, subject: subjectOf(before), locationId, after: { ...after } });
    return { batch: found(await queries.findBatch(tx, actor.reach, id)), commands: queued };
  });
  if (commands) sendSoon(call.app);
  return batch;
}

/** Chosen vouchers must all be of the batch, so that nothing is answered as done that was not. */
async function requireVouchers(tx: Tx, batchId: string, ids: readonly string[] | null): Promise<void> {
  if (ids && (await queries.countVouchers(tx, batchId, ids)) < new Set(ids).size)
    throw invalid({ voucher_ids: 'unknown' });
}

/** Revokes vouchers. The access that they gave ends now; guests keep the access from their other vouchers. */
export const revokeVouchers = (call: Call, id: string, ids: readonly string[] | null): Promise<VoucherBatch> =>
  changeGuests(call, id, async (tx, before) => {
    const left = ids === null && before.at_desk;
    await requireVouchers(tx, id, ids);
    const { count, ids: revoked, visitorIds } = await queries.revokeVouchers(tx, id, ids);
    const parts = await lockParts(tx, visitorIds, revoked);
    await shortenVoucherGuests(tx, secondsKept(parts, new Set(revoked)));
    return { visitorIds, verb: 'revoke', after: { count, ...(left && { at_desk: false }) } };
  });

export const extendBatch = (call: Call, id: string, days: number): Promise<VoucherBatch> =>
  changeGuests(call, id, async (tx, before) => {
    const newLastDay = await queries.moveLastDay(tx, id, days);
    const visitorIds = await queries.visitorsOf(tx, id);
    await extendVoucherGuests(tx, { visitorIds, days, lastDay: before.valid_until, newLastDay });
    await queries.lengthenParts(tx, id, days);
    return { visitorIds, verb: 'update', after: { days, valid_until: newLastDay } };
  });

const deskRows = 200;

export async function showDesk(call: Call, location: string | undefined): Promise<VoucherDesk> {
  return call.inTenant(async tx => {
    const locationId = await chooseLocation(tx, call.actor, location);
    const [place, batches, issued, totals, refunds, card] = await Promise.all([
      queries.deskPlace(tx, locationId),
      queries.listAtDesk(tx, locationId),
      queries.listIssuedToday(tx, locationId, deskRows),
      queries.totalsToday(tx, locationId),
      listReversedToday(tx, locationId, deskRows),
      readCardSettings(tx, call, locationId),
    ]);
    const today: HandedOut[] = issued.map(row => ({ ...row, code: shownCode(call, row.code) }));
    return { location: place, batches, today, totals, refunds, card };
  });
}

const standardCard: CardSettings = { ssid: '', wifi_password: null, language: 'tr', paper: 'a4', text: '', logo: true };

async function readCardSettings(tx: Tx, { app }: Call, locationId: string): Promise<CardSettings> {
  const stored = await queries.findCardSettings(tx, locationId);
  if (!stored) return standardCard;
  const { wifi_password: encrypted } = stored;
  return { ...stored, wifi_password: (encrypted && app.secrets.read(encrypted)) ?? null };
}

export const getCardSettings = (call: Call, locationId: string): Promise<CardSettings> =>
  call.inTenant(async tx => {
    found(await findLocation(tx, call.actor, locationId));
    return readCardSettings(tx, call, locationId);
  });

export const setCardSettings = (call: Call, locationId: string, change: CardSettingsChange): Promise<CardSettings> =>
  call.inTenant(async tx => {
    const { app, actor } = call;
    const { name } = found(await findLocation(tx, actor, locationId));
    // If two changes come at once, the second one keeps the changes of the first.
    await lockLocation(tx, locationId);
    const before = await readCardSettings(tx, call, locationId);
    const after = withChange(before, change);
    const encrypted = after.wifi_password ? app.secrets.encrypt(after.wifi_password) : null;
    await queries.saveCardSettings(tx, locationId, { ...after, wifi_password: encrypted });
    const subject = { type: 'voucher-card' as const, id: locationId, name };
    await audit(tx, actor, { verb: 'update', subject, locationId, before, after });
    return after;
  });
