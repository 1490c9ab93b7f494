import type { DataField, DataView } from '@portico/contract/guests.ts';
import { createThrottle } from '#features/auth/public.ts';
import { eraseResponses } from '#features/portals/public.ts';
import { eraseFailedLogins, listOwnSessions, orderOwnEnd, sendWaitingKicks } from '#features/sessions/public.ts';
import { eraseContact, eraseVisitor, keepForLaw } from '#features/visitors/public.ts';
import type { App } from '#lib/app.ts';
import { captiveOrigin } from '#lib/origins.ts';
import { queueMail } from '#mail/outbox.ts';
import { forgetNamed } from '../arrival/anonymous-device.queries.ts';
import type { GuestAnswer, Guests } from '../arrival/check-arrival.ts';
import { forgetVisitorDevice } from '../arrival/remembered.queries.ts';
import { cookieName } from '../arrival/remembered.service.ts';
import type { Door } from '../guest-context.ts';
import { type GuestState, packState, unpackState } from '../guest-state.ts';
import { common, type Frame, portalView, problemView } from '../guest-views.ts';
import { shownMac } from '../sign-in/device-limit.service.ts';
import { maskEmail } from '../sign-in/methods/masks.ts';
import * as queries from './own-data.queries.ts';

/** A guest sees what is kept of it, and has it deleted. */

const mailsOfVisitor = createThrottle(3);
const linkDays = 7;

/** Visitors who made themselves; the others' accounts are the operator's, and may be several people's. */
const madeByGuest = new Set(['sms', 'temp', 'email', 'citizen-id']);

export const dataLink = (app: App, { so, ...arrival }: GuestState): string | null =>
  so?.['visitor']
    ? `/w/${arrival.nas}/my-data?s=${packState(app.secrets, 'data', { ...arrival, so: { visitor: so['visitor'] } })}`
    : null;

interface Owner {
  readonly state: GuestState;
  readonly door: Door;
  readonly row: queries.OwnRow;
}

/** Whose data a link opens: that of a guest who has signed in, by the page after it or by the mail. */
async function ownerOf({ app, findDoor }: Guests, nas: string, packed: string): Promise<Owner | undefined> {
  const state = unpackState(app.secrets, 'data', packed) ?? unpackState(app.secrets, 'data-mail', packed);
  const door = state?.nas === nas ? await findDoor(nas, state) : undefined;
  const visitorId = state?.so?.['visitor'];
  if (!state || !door || !visitorId) return undefined;
  const row = await app.db.readTenant(door.tenantId, tx => queries.findOwn(tx, visitorId, door.location_id));
  return row && { state, door, row };
}

const over = (frame: Frame): GuestAnswer => ({ view: problemView(frame, { problem: 'data_over' }), status: 404 });

function fieldsOf({ secrets }: App, row: queries.OwnRow): DataView['person'] {
  const open = (encrypted: string | null) => (encrypted === null ? null : (secrets.read(encrypted) ?? null));
  const hidden = (encrypted: string | null) => open(encrypted)?.replace(/.(?=.{3})/g, '•') ?? null;
  const all: [DataField, string | null][] = [
    ['name', row.name],
    ['username', row.username],
    ['room_number', row.room_number],
    ['phone', row.phone],
    ['email', row.email],
    ['citizen_id', hidden(row.citizen_id)],
    ['birth_date', open(row.birth_date)],
  ];
  return all.flatMap(([field, value]) => (value ? [{ field, value }] : []));
}

export async function ownData(
  guests: Guests,
  frame: Frame,
  nas: string,
  packed: string,
  mailed = false,
): Promise<GuestAnswer> {
  const owner = await ownerOf(guests, nas, packed);
  if (!owner) return over(frame);
  const { door, row } = owner;
  const use = await guests.app.db.readTenant(door.tenantId, tx => queries.listOwnUse(tx, row.id));
  const view: DataView = {
    page: 'data',
    ...common(frame),
    languageLink: `/w/${nas}/my-data?s=${encodeURIComponent(packed)}&lang={lang}`,
    portal: door.portal && portalView(door.portal),
    locationName: door.location_name,
    action: `/w/${nas}/my-data`,
    state: packed,
    person: fieldsOf(guests.app, row),
    since: row.created_at,
    timeZone: row.time_zone,
    consents: row.consents,
    sessions: use.map(it => ({
      mac: shownMac(it.mac),
      startedAt: it.started_at,
      endedAt: it.ended_at,
      bytes: it.bytes,
    })),
    responses: row.responses,
    remembered: row.remembered > 0,
    whole: madeByGuest.has(row.provider_type),
    lawDays: guests.app.settings.LOG_RETENTION_DAYS,
    email: row.email && maskEmail(row.email),
    mailed,
  };
  return { view, status: 200 };
}

/** Mails the link to the address that is known, and to no other. */
export async function mailOwnData(guests: Guests, frame: Frame, nas: string, packed: string): Promise<GuestAnswer> {
  const { app } = guests;
  const owner = await ownerOf(guests, nas, packed);
  if (!owner) return over(frame);
  const { state, door, row } = owner;
  if (!row.email) return ownData(guests, frame, nas, packed);
  const key = `${door.tenantId} ${row.id}`;
  mailsOfVisitor.check(key);
  mailsOfVisitor.failed(key);
  const origin = captiveOrigin(app.settings, door.tenant_slug);
  const link = `${origin}/w/${nas}/my-data?s=${packState(app.secrets, 'data-mail', state)}`;
  const to = row.email;
  const data = { location: door.location_name, link, days: linkDays };
  const language = frame.language === 'tr' ? 'tr' : 'en';
  await app.db.withTenant(door.tenantId, tx => queueMail(tx, app, { to, language, template: 'own_data', data }));
  return ownData(guests, frame, nas, packed, true);
}

/** Erases what no law keeps, and signs the guest out. */
export async function eraseOwnData(guests: Guests, frame: Frame, nas: string, packed: string): Promise<GuestAnswer> {
  const { app } = guests;
  const owner = await ownerOf(guests, nas, packed);
  if (!owner) return over(frame);
  const { state, door, row } = owner;
  const it = { visitorId: row.id, locationId: door.location_id, mac: state.mac };
  const whole = madeByGuest.has(row.provider_type);
  await app.db.withTenant(door.tenantId, async tx => {
    const open = await listOwnSessions(tx, row.id);
    for (const session of open) if (whole || session.mac === state.mac) await orderOwnEnd(tx, row.id, session.id);
    await eraseResponses(tx, it);
    await eraseFailedLogins(tx, it);
    await forgetNamed(tx, state.mac);
    if (!whole) {
      await eraseContact(tx, row.id);
      return forgetVisitorDevice(tx, it);
    }
    await keepForLaw(tx, row.id);
    await eraseVisitor(tx, row.id);
  });
  // The guest need not wait for the routers; the job sends what is left.
  sendWaitingKicks(app).catch((error: unknown) => app.log.error({ err: error }, 'orders wait for the job'));
  const forget = { name: cookieName(app, door.location_id), value: '', seconds: 0 };
  return { redirect: `/w/${nas}/my-data/gone?lang=${frame.language}`, remembering: forget };
}
