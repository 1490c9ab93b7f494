import { marketingChannels } from '@portico/contract/consent-kinds.ts';
import type { GuestMarketingForm } from '@portico/contract/guest-forms.ts';
import type { DataField, DataView } from '@portico/contract/guests.ts';
import type { Tx } from '#db/tenant.ts';
import { eraseConsents, listOpenOf, type OpenConsent, withdrawOf } from '#features/consents/public.ts';
import { eraseAdGuest, eraseResponses } from '#features/portals/public.ts';
import {
  eraseFailedLogins,
  latestOfVisitor,
  listOwnSessions,
  queueOwnEnd,
  sendSoon,
} from '#features/sessions/public.ts';
import { countOne, createLimit } from '#features/throttle/public.ts';
import { eraseContact, eraseVisitor, keepForLaw } from '#features/visitors/public.ts';
import type { App } from '#lib/app.ts';
import { captiveOrigin } from '#lib/origins.ts';
import { queueMail } from '#mail/outbox.ts';
import { routerPath } from '../arrival/addresses.ts';
import { forgetAnonymousDevice } from '../arrival/anonymous-device.queries.ts';
import { forgetVisitorDevice } from '../arrival/remembered.queries.ts';
import { cookieName } from '../arrival/remembered.service.ts';
import { noBoughtCookie, purchaseOf } from '../buy/bought-cookie.ts';
import type { ClientInfo } from '../client-info.ts';
import { venueLook } from '../confirm-email/confirmation-mail.ts';
import type { Cookie } from '../cookie.ts';
import { noSwitchCookie } from '../extend/switch-cookie.ts';
import { type GuestAnswer, statusOf } from '../guest-answer.ts';
import type { GuestContext } from '../guest-context.ts';
import type { GuestServices } from '../guest-services.ts';
import { packState, unpackState, type Visit } from '../guest-state.ts';
import { common, type Frame, inLanguage, pageLink, placeView, problemView, productLanguage } from '../guest-views.ts';
import { dropKeptPage } from '../kept-page.ts';
import { noVisitCookie, visitCookie, visitOfBrowser } from '../online/visit-cookie.ts';
import { shownMac } from '../sign-in/device-limit.service.ts';
import { allowedBy, keepAllowed, marketingText } from '../sign-in/marketing.ts';
import { maskEmail, maskNumber } from '../sign-in/methods/masks.ts';
import * as queries from './own-data.queries.ts';

/** Guests can see the data that is stored about them, and have it deleted. */

const mailsOfVisitor = createLimit('data mails of a visitor', 3);
const linkDays = 7;

/** Methods whose visitors guests create. Other accounts are the operator's and may be shared by several people. */
const ofGuests = new Set(['sms', 'temp', 'email', 'citizen-id']);
/** Whether a guest created the visitor. An operator can list citizens. */
const createdByGuest = ({ provider_type, made_by_staff }: queries.OwnRow): boolean =>
  ofGuests.has(provider_type) && !made_by_staff;

interface Owner {
  readonly visit: Visit;
  readonly context: GuestContext;
  readonly row: queries.OwnRow;
}

/** The guest who signed in with this browser, or opened the link in its mail with it. */
async function ownerOf(
  { app, findContext }: GuestServices,
  nas: string,
  client: ClientInfo,
): Promise<Owner | undefined> {
  const { visit, visitor } = visitOfBrowser(app, nas, client) ?? {};
  const context = visitor ? await findContext(nas, visit!) : undefined;
  if (!visit || !visitor || !context) return undefined;
  const row = await app.db.readTenant(context.tenantId, tx => queries.findOwn(tx, visitor, context.location_id));
  return row && { visit, context, row };
}

/** A page about own data that has no data, in the look of the place. */
async function noData(
  { findContext }: GuestServices,
  frame: Frame,
  nas: string,
  problem: 'data_over' | 'data_gone' | 'data_gone_account',
): Promise<GuestAnswer> {
  const context = await findContext(nas, { mac: '', ip: '' });
  const path = problem === 'data_over' ? `/w/${nas}/my-data` : gonePath(nas, problem === 'data_gone_account');
  const languageLink = `${path}${path.includes('?') ? '&' : '?'}lang={lang}`;
  const form = context && problem === 'data_over' ? routerPath(nas) : null;
  return { view: problemView(frame, { problem, context, form, languageLink }), status: statusOf(problem) };
}

const gonePath = (nas: string, accountStays: boolean): string =>
  `/w/${nas}/my-data/gone${accountStays ? '?account=1' : ''}`;

/** The page after the deletion. `accountStays`: the operator made the account. */
export const dataGone = (
  services: GuestServices,
  frame: Frame,
  nas: string,
  { accountStays }: { readonly accountStays: boolean },
): Promise<GuestAnswer> => noData(services, frame, nas, accountStays ? 'data_gone_account' : 'data_gone');

function fieldsOf({ secrets }: App, row: queries.OwnRow): DataView['person'] {
  const open = (encrypted: string | null) => (encrypted === null ? null : (secrets.read(encrypted) ?? null));
  const masked = (encrypted: string | null) => open(encrypted)?.replace(/.(?=.{3})/g, '•') ?? null;
  const all: [DataField, string | null][] = [
    ['name', row.name],
    ['username', row.username],
    ['room_number', row.room_number],
    ['phone', row.phone],
    ['email', row.email],
    ['citizen_id', masked(row.citizen_id)],
    ['birth_date', open(row.birth_date)],
  ];
  // Guests who gave no name have the address or number that they signed in with in its place.
  const repeated = all.slice(1).some(([, value]) => value === row.name);
  return all.flatMap(([field, value]) => (value && !(field === 'name' && repeated) ? [{ field, value }] : []));
}

/** Exchanges the link in a mail for the cookie that opens the page, so that the link does not stay in the address bar. */
export async function openMailedLink(
  services: GuestServices,
  frame: Frame,
  nas: string,
  packed: string,
): Promise<GuestAnswer> {
  const { app } = services;
  const state = unpackState(app.secrets, 'data-mail', packed);
  if (state?.visit.nas !== nas) return noData(services, frame, nas, 'data_over');
  const { visit, visitor } = state;
  return { redirect: `/w/${nas}/my-data?lang=${frame.language}`, cookies: [visitCookie(app, visit, { visitor })] };
}

const readOf =
  (app: GuestServices['app'], tenantId: string) =>
  <T>(work: (tx: Tx) => Promise<T>) =>
    app.db.readTenant(tenantId, work);

export async function ownData(
  services: GuestServices,
  frame: Frame,
  nas: string,
  client: ClientInfo,
  { mailed = false, saved = false }: { mailed?: boolean; saved?: boolean } = {},
): Promise<GuestAnswer> {
  const { app } = services;
  const owner = await ownerOf(services, nas, client);
  if (!owner) return noData(services, frame, nas, 'data_over');
  const { context, row } = owner;
  const on = { app, tenantId: context.tenantId, read: readOf(app, context.tenantId) };
  const [sessions, open] = await latestOfVisitor(
    on,
    { visitorId: row.id, limit: queries.shownSessions },
    (tx, archived) => Promise.all([queries.listOwnSessions(tx, row.id, archived), listOpenOf(tx, row.id)]),
  );
  const view: DataView = {
    page: 'data',
    ...common(frame),
    languageLink: `/w/${nas}/my-data?lang={lang}`,
    ...placeView(context),
    action: `/w/${nas}/my-data`,
    file: `/w/${nas}/my-data/file`,
    person: fieldsOf(app, row),
    since: row.created_at,
    timeZone: row.time_zone,
    consents: row.consents,
    marketing: marketingOf(context, row, open, frame),
    marketingSaved: saved,
    notice: inLanguage(context.portal?.agreements.kvkk ?? {}, frame.language, context.portal)
      ? pageLink(`/w/${nas}/agreement/kvkk`, owner.visit, `from=my-data&lang=${frame.language}`)
      : null,
    sessions: sessions.map(it => ({
      mac: shownMac(it.mac),
      startedAt: it.started_at,
      endedAt: it.ended_at,
      bytes: it.bytes,
    })),
    responses: row.responses,
    remembered: row.remembered > 0,
    whole: createdByGuest(row),
    lawDays: app.settings.LOG_RETENTION_DAYS,
    email: row.email && maskEmail(row.email),
    mailed,
  };
  return { view, status: 200 };
}

/** The boxes for news and offers: of channels that the portal asks for, and of those that the guest allowed. */
function marketingOf(
  { portal }: GuestContext,
  row: queries.OwnRow,
  open: readonly OpenConsent[],
  { language }: Frame,
): DataView['marketing'] {
  return marketingChannels.flatMap(channel => {
    const given = open.find(it => it.channel === channel);
    const asked = portal ? marketingText(portal, channel, language) : undefined;
    const text = given?.text ?? asked?.text;
    const recipient = given?.recipient ?? (channel === 'email' ? row.email : row.phone);
    if (!text || !recipient) return [];
    const masked = channel === 'email' ? maskEmail(recipient) : maskNumber(recipient);
    return [{ channel, text, version: asked?.version ?? '', recipient: masked, givenAt: given?.given_at ?? null }];
  });
}

/** Allows the channels whose box is ticked, and withdraws the others that were shown. */
export async function changeMarketing(
  services: GuestServices,
  frame: Frame,
  nas: string,
  client: ClientInfo,
  form: GuestMarketingForm,
): Promise<GuestAnswer> {
  const { app } = services;
  const owner = await ownerOf(services, nas, client);
  if (!owner) return noData(services, frame, nas, 'data_over');
  const { visit, context, row } = owner;
  const shown = form.shown.split(' ');
  const unticked = marketingChannels.filter(it => shown.includes(it) && !form[`allow_${it}`]);
  await app.db.withTenant(context.tenantId, async tx => {
    await withdrawOf(tx, row.id, unticked);
    if (!context.portal) return;
    const { tenantId, location_id: locationId } = context;
    const guest = { tenantId, visitorId: row.id, locationId, mac: visit.mac };
    // The box of a consent that the guest has shows the sentence of that consent.
    const has = (await listOpenOf(tx, row.id)).map(it => it.channel);
    const allowed = allowedBy(form, context.portal, frame.language).filter(it => !has.includes(it.channel));
    await keepAllowed(app, tx, context.portal, guest, { allowed, source: 'own-data' });
  });
  return { redirect: `/w/${nas}/my-data?lang=${frame.language}&saved=1` };
}

/** Mails the link to the visitor's stored address. */
export async function mailOwnData(
  services: GuestServices,
  frame: Frame,
  nas: string,
  client: ClientInfo,
): Promise<GuestAnswer> {
  const { app } = services;
  const owner = await ownerOf(services, nas, client);
  if (!owner) return noData(services, frame, nas, 'data_over');
  const { visit, context, row } = owner;
  const { email: to } = row;
  const page = `/w/${nas}/my-data?lang=${frame.language}`;
  if (!to) return { redirect: page };
  await countOne(app, [[mailsOfVisitor, `${context.tenantId} ${row.id}`]]);
  const origin = captiveOrigin(app.settings, context.tenant_slug);
  const link = `${origin}/w/${nas}/my-data?s=${packState(app.secrets, { step: 'data-mail', visit, visitor: row.id })}`;
  const data = { location: context.location_name, link, days: linkDays, venue: venueLook(context) };
  const language = productLanguage(frame, context);
  const { location_id: locationId } = context;
  await app.db.withTenant(context.tenantId, tx =>
    queueMail(tx, app, { to, language, template: 'own_data', data, locationId }),
  );
  return { redirect: `${page}&mailed=1` };
}

/** Deletes everything that the law does not require, and signs the guest out. */
export async function eraseOwnData(
  services: GuestServices,
  frame: Frame,
  nas: string,
  client: ClientInfo,
): Promise<GuestAnswer> {
  const { app } = services;
  const owner = await ownerOf(services, nas, client);
  if (!owner) return noData(services, frame, nas, 'data_over');
  const { visit, context, row } = owner;
  const guest = { visitorId: row.id, locationId: context.location_id, mac: visit.mac };
  const deletesVisitor = createdByGuest(row);
  // Read before the purchase loses its visitor.
  const forgotten = await forgottenCookies(app, nas, context, row.id, client);
  await app.db.withTenant(context.tenantId, async tx => {
    const open = await listOwnSessions(tx, row.id);
    for (const session of open)
      if (deletesVisitor || session.mac === visit.mac) await queueOwnEnd(tx, row.id, session.id);
    await eraseResponses(tx, guest);
    await eraseAdGuest(tx, visit.mac);
    await eraseFailedLogins(tx, guest);
    await forgetAnonymousDevice(tx, visit.mac);
    if (!deletesVisitor) {
      await eraseConsents(tx, row.id);
      await eraseContact(tx, row.id);
      return forgetVisitorDevice(tx, guest);
    }
    await keepForLaw(tx, row.id);
    await eraseVisitor(tx, row.id);
  });
  // The guest need not wait for the routers; the job retries.
  sendSoon(app);
  const gone = gonePath(nas, !deletesVisitor);
  const redirect = `${gone}${deletesVisitor ? '?' : '&'}lang=${frame.language}`;
  return { redirect, cookies: forgotten };
}

/** The cookies that tell of the guest are dropped. One for a purchase stays if another visitor has the access that it paid for. */
async function forgottenCookies(
  app: App,
  nas: string,
  context: GuestContext,
  visitorId: string,
  client: ClientInfo,
): Promise<Cookie[]> {
  const purchase = await purchaseOf(app, context, client);
  const isOthers = purchase?.state === 'paid' && purchase.visitor_id !== visitorId;
  return [
    { name: cookieName(context.location_id), value: '', seconds: 0 },
    noVisitCookie(nas),
    noSwitchCookie(nas),
    ...dropKeptPage(nas, client),
    ...(purchase && !isOthers ? [noBoughtCookie] : []),
  ];
}
