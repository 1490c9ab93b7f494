import { withChange } from '@portico/contract/change.ts';
import type { MessageKey } from '@portico/contract/field-messages.ts';
import { isLocalTime } from '@portico/contract/fields.ts';
import type {
  BulkForm,
  Visitor,
  VisitorChange,
  VisitorForm,
  VisitorRow,
  VisitorUpdate,
} from '@portico/contract/visitors.ts';
import { changeProblems, changesProvider, visitorFields, visitorProviders } from '@portico/contract/visitors.ts';
import type { Tx } from '#db/tenant.ts';
import { chooseLocation } from '#features/locations/public.ts';
import { findPrice } from '#features/profiles/public.ts';
import { type Actor, may } from '#http/actor.ts';
import { AppError, found, foundAgain, invalid } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import { completeLimits } from '#http/complete-form.ts';
import { requireSameLocation } from '#http/same-location.ts';
import { writePass } from '#lib/guest-pass.ts';
import { clearPassword } from '#lib/guest-password.ts';
import { newId } from '#lib/ids.ts';
import { captiveOrigin } from '#lib/origins.ts';
import type { Secrets } from '#lib/secrets.ts';
import { momentsAt } from './import.queries.ts';
import { endsOfForm, sellDays } from './paid-days.service.ts';
import { queueCommands, sendCommands } from './running.service.ts';
import { changed, settingsDiffer, trace } from './trace.service.ts';
import * as queries from './visitors.queries.ts';

export type Call = Context & { actor: Actor };
type Form = VisitorForm | VisitorUpdate;

/** The first three and the last two characters: enough to tell guests apart at the desk. */
const mask = (text: string): string =>
  text.length < 7 ? '*'.repeat(text.length) : `${text.slice(0, 3)}${'*'.repeat(text.length - 5)}${text.slice(-2)}`;

/** The identity number, masked unless the user may see it. */
export const identity = (secrets: Secrets, actor: Actor, encrypted: string | null): string | null => {
  const plain = encrypted === null ? undefined : secrets.read(encrypted);
  if (plain === undefined) return null;
  return may(actor, 'update-clients') ? plain : mask(plain);
};

/** The identifier of a visitor at its sign-in method. */
function providerId(call: Call, row: queries.StoredRow): string | null {
  switch (row.provider_type) {
    case 'citizen-id':
      return identity(call.app.secrets, call.actor, row.citizen_id);
    case 'room-number':
      return row.room_number;
    case 'username':
      return row.username;
    case 'sms':
      return row.phone;
    case 'email':
      return row.email;
    case 'temp':
    case 'voucher':
      return null;
  }
}

export function describeRow(call: Call, row: queries.StoredRow): VisitorRow {
  const { citizen_id: _, ...shown } = row;
  return { ...shown, provider_id: providerId(call, row) };
}

/** The address in the QR code of a visitor's card. */
export function signInUrl({ app, tenant }: Call, visitorId: string, password: string): string {
  const origin = captiveOrigin(app.settings, tenant.slug);
  return `${origin}/q/${writePass(app.secrets, { tenantId: tenant.id, visitorId }, password)}`;
}

/** Password and card of a visitor who signs in by them; those of other methods have none. */
function credentialsOf(call: Call, { id, provider_type, password }: queries.StoredVisitor) {
  const plain = password === null ? undefined : clearPassword(call.app.secrets, password);
  if (plain === undefined) return { password: null, sign_in_url: null };
  return { password: plain, sign_in_url: provider_type === 'username' ? signInUrl(call, id, plain) : null };
}

/** One visitor, as far as the caller may see it. */
export function describe(call: Call, row: queries.StoredVisitor): Visitor {
  const { secrets } = call.app;
  const { citizen_id, birth_date, password: _, ...shown } = row;
  const whole = may(call.actor, 'update-clients');
  const born = whole && birth_date ? (secrets.read(birth_date) ?? null) : null;
  const [birth_year = null, birth_month = null, birth_day = null] = born?.split('-').map(Number) ?? [];
  return {
    ...shown,
    provider_id: providerId(call, row),
    idNumber: identity(secrets, call.actor, citizen_id),
    birth_date: born,
    birth_day,
    birth_month,
    birth_year,
    ...(whole ? credentialsOf(call, row) : {}),
  };
}

const pad = (number: number) => String(number).padStart(2, '0');

/** The columns in which a sign-in method keeps what it asks for; those of the other methods are emptied. */
function providerColumns(secrets: Secrets, it: Form) {
  const encrypted = (text: string | null | undefined) => (text ? secrets.encrypt(text) : null);
  const born =
    it.birth_year && it.birth_month && it.birth_day
      ? `${it.birth_year}-${pad(it.birth_month)}-${pad(it.birth_day)}`
      : null;
  const none = {
    username: null,
    password: null,
    citizen_id: null,
    citizen_id_hash: null,
    room_number: null,
    birth_date: null,
  };
  switch (it.provider_type) {
    case 'username':
      return { ...none, username: it.username, password: it.password ? secrets.encrypt(it.password) : undefined };
    case 'citizen-id':
      return {
        ...none,
        citizen_id: encrypted(it.provider_id),
        citizen_id_hash: it.provider_id ? secrets.index(it.provider_id) : null,
        birth_date: encrypted(born),
      };
    case 'room-number':
      // Not indexed: the same guest comes again, and each stay is a visitor of its own.
      return { ...none, room_number: it.room_number, citizen_id: encrypted(it.idNumber), birth_date: encrypted(born) };
    default:
      return {};
  }
}

export interface Paid {
  locationId: string;
  profileId: string | null | undefined;
  days: number;
  end: string | null | undefined;
}

/**
 * Checks the profile and answers the days that count: those sent with a paid profile, else those there were. A paid profile
 * needs days, or an end by date: else access would have no end. `before`: the visitor, if there is one.
 */
export async function paidDays(
  tx: Tx,
  it: Paid,
  before: Pick<queries.StoredVisitor, 'profile_id' | 'total_paid_day' | 'session_end_at'> = {
    profile_id: null,
    total_paid_day: 0,
    session_end_at: null,
  },
): Promise<number> {
  if (!it.profileId) return before.total_paid_day;
  const profile = await findPrice(tx, it.locationId, it.profileId);
  if (!profile) throw invalid({ profile_id: 'unknown' });
  if (!profile.paid_sale.is_active) return before.total_paid_day;
  const losesEnd = it.profileId !== before.profile_id || before.session_end_at !== null;
  if (it.days === 0 && !it.end && losesEnd) throw invalid({ total_paid_day: 'paid_days' });
  return it.days;
}

/** The form with its times as moments, where they were sent as the location's clocks show them. */
export async function atLocation<F extends Pick<Form, 'session_start_at' | 'session_end_at'>>(
  tx: Tx,
  locationId: string,
  form: F,
): Promise<F> {
  const { session_start_at: start, session_end_at: end } = form;
  const local = [start, end].filter(time => time && isLocalTime(time)) as string[];
  if (!local.length) return form;
  const moments = await momentsAt(tx, locationId, local);
  const moment = (time: typeof start) => (time && isLocalTime(time) ? moments[local.indexOf(time)] : time);
  const [from, until] = [moment(start), moment(end)];
  if (from && until && Date.parse(until) <= Date.parse(from)) throw invalid({ session_end_at: 'after_start' });
  return { ...form, session_start_at: from, session_end_at: until };
}

/** The columns that every form of visitors has in common. */
export const commonColumns = (it: Form | BulkForm, days: number) => ({
  profile_id: it.profile_id ?? null,
  special_profile: it.special_profile,
  shared_user: it.shared_user,
  session_duration: it.session_duration,
  max_upload: it.max_upload,
  max_download: it.max_download,
  session_start_at: it.session_start_at ?? null,
  session_end_at: it.session_end_at ?? null,
  total_paid_day: days,
});

/** The columns of a form. */
export function columnsOf(secrets: Secrets, it: Form, days: number): queries.VisitorValues {
  const { name, provider_type, email, phone } = it;
  return { name, provider_type, email, phone, ...commonColumns(it, days), ...providerColumns(secrets, it) };
}

async function checkUnique(
  tx: Tx,
  locationId: string,
  values: queries.VisitorValues,
  but: string | null,
): Promise<void> {
  if (values.username && (await queries.usernameTaken(tx, locationId, values.username, but)))
    throw invalid({ username: 'taken' });
  if (values.citizen_id_hash && (await queries.citizenTaken(tx, locationId, values.citizen_id_hash, but)))
    throw invalid({ provider_id: 'taken' });
}

/** The password can be read from this answer, as it can right after making only. */
export async function createVisitor(call: Call, form: VisitorForm): Promise<Visitor> {
  return call.inTenant(async tx => {
    const locationId = await chooseLocation(tx, call.actor, form.location_id);
    const days = await paidDays(tx, {
      locationId,
      profileId: form.profile_id,
      days: form.total_paid_day,
      end: form.session_end_at,
    });
    const values = columnsOf(call.app.secrets, await atLocation(tx, locationId, form), days);
    await checkUnique(tx, locationId, values, null);
    const id = newId();
    await queries.insertVisitor(tx, id, locationId, values);
    await sellDays(tx, [id]);
    const row = found(await queries.findVisitor(tx, call.actor.reach, id));
    const { provider_type, profile, total_paid_day } = row;
    const sold = total_paid_day > 0 && { total_paid_day };
    await trace(tx, call.actor, 'create', row, { after: { provider_type, profile, ...sold } });
    const made = describe(call, row);
    return form.provider_type === 'username' ? { ...made, ...credentialsOf(call, row) } : made;
  });
}

export const getVisitor = (call: Call, id: string): Promise<Visitor> =>
  call.inTenant(async tx => describe(call, found(await queries.findVisitor(tx, call.actor.reach, id))));

/** A visitor cannot change to a sign-in method of the portal, and needs a password for `username`. */
function checkProviderChange(before: queries.StoredVisitor, form: VisitorUpdate): void {
  const { provider_type: type } = form;
  if (type !== before.provider_type && !(visitorProviders as readonly string[]).includes(type))
    throw invalid({ provider_type: ['choice', { values: visitorProviders.join(', ') }] });
  if (type === 'username' && !form.password && before.password === null) throw invalid({ password: 'required' });
}

/** An erased visitor cannot change. */
export function notErased(row: queries.StoredVisitor): queries.StoredVisitor {
  if (row.erased_at) throw new AppError('visitor_erased');
  return row;
}

/** A stored visitor as its form shows it. */
function storedForm(call: Call, row: queries.StoredVisitor): VisitorUpdate {
  const { password: _, provider_id, idNumber, ...shown } = describe(call, row);
  return {
    ...shown,
    provider_id: row.provider_type === 'citizen-id' ? provider_id : null,
    idNumber: row.provider_type === 'room-number' ? idNumber : null,
  };
}

/** The form of a changed visitor: a field that was not sent keeps its value. */
function changedForm(call: Call, before: queries.StoredVisitor, change: VisitorChange): VisitorUpdate {
  const stored = storedForm(call, before);
  const form = withChange(stored, completeLimits(visitorFields, { stored, change, language: call.language }));
  const problems = changeProblems(form, change).map(({ field, message }) => [field, message as MessageKey]);
  if (problems.length) throw invalid(Object.fromEntries(problems));
  if (changesProvider(change)) checkProviderChange(before, form);
  return form;
}

export async function updateVisitor(call: Call, id: string, sent: VisitorChange): Promise<Visitor> {
  const { location_id, ...change } = sent;
  const { visitor, told } = await call.inTenant(async tx => {
    const before = notErased(found(await queries.findVisitor(tx, call.actor.reach, id, 'lock')));
    requireSameLocation(location_id, before);
    const form = changedForm(call, before, change);
    const { location_id: locationId } = before;
    const days = await paidDays(
      tx,
      { locationId, profileId: form.profile_id, days: form.total_paid_day, end: form.session_end_at },
      before,
    );
    const timed = await atLocation(tx, locationId, form);
    const { name, provider_type, email, phone } = timed;
    const values = changesProvider(change)
      ? columnsOf(call.app.secrets, timed, days)
      : { name, provider_type, email, phone, ...commonColumns(timed, days) };
    await checkUnique(tx, locationId, values, id);
    await queries.updateVisitor(tx, id, { ...values, ...(await endsOfForm(tx, before, timed, days)) });
    await sellDays(tx, [id]);
    const after = found(await queries.findVisitor(tx, call.actor.reach, id));
    await trace(tx, call.actor, 'update', after, changed(before, after));
    return {
      visitor: describe(call, after),
      told: settingsDiffer(before, after) ? await queueCommands(tx, call.actor, id) : 0,
    };
  });
  sendCommands(call, told);
  return visitor;
}

export async function deleteVisitor(call: Call, id: string): Promise<void> {
  const commands = await call.inTenant(async tx => {
    const row = found(await queries.findVisitor(tx, call.actor.reach, id, 'lock'));
    const count = await queueCommands(tx, call.actor, id, 'gone');
    foundAgain(await queries.deleteVisitor(tx, id));
    await trace(tx, call.actor, 'delete', row, { before: { provider_type: row.provider_type } });
    return count;
  });
  sendCommands(call, commands);
}
