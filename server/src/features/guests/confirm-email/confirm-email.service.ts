import { email as emailShape } from '@portico/contract/fields.ts';
import type { GuestProblem } from '@portico/contract/guest-problems.ts';
import type { ConfirmEmailView, OnlineView } from '@portico/contract/guests.ts';
import { guestConfirmation } from '#features/auth/public.ts';
import { correctRecipient, recipientHash } from '#features/consents/public.ts';
import { changeAddress } from '#features/visitors/public.ts';
import { AppError } from '#http/app-error.ts';
import { newId } from '#lib/ids.ts';
import type { ClientInfo } from '../client-info.ts';
import { formProblem } from '../form-problem.service.ts';
import { type GuestAnswer, statusOf } from '../guest-answer.ts';
import type { GuestContext } from '../guest-context.ts';
import type { GuestServices } from '../guest-services.ts';
import { common, type Frame, offeredMethods, placeView, problemView } from '../guest-views.ts';
import { keptPageCookie, keptPageOf } from '../kept-page.ts';
import { onlinePath } from '../online/online-link.ts';
import { type OpenVisit, visitOfBrowser } from '../online/visit-cookie.ts';
import { waitUntil } from '../online/wait.ts';
import { maskEmail } from '../sign-in/methods/masks.ts';
import { type FreeVisitor, findFreeVisitor } from './confirm-email.queries.ts';
import { mailConfirmation } from './confirmation-mail.ts';

/** Guests who are online with an address that they have not confirmed, and the link in their mail. */

/** The guest of this browser whose portal wants the address confirmed; undefined for others. */
async function unconfirmed(
  { app }: GuestServices,
  context: GuestContext,
  { visitor }: OpenVisit,
): Promise<FreeVisitor | undefined> {
  const { portal, tenantId, location_id: locationId } = context;
  if (!portal || !visitor) return undefined;
  const wanted = offeredMethods(portal, app.settings).filter(
    it => (it.slug === 'temp' || it.slug === 'email') && it.options.confirm_email,
  );
  if (!wanted.length) return undefined;
  const row = await app.db.readTenant(tenantId, tx => findFreeVisitor(tx, visitor, locationId));
  return row && !row.confirmed && wanted.some(it => it.slug === row.provider) ? row : undefined;
}

/** The result of the last request for a mail, in the address of the status page. */
const mailProblems: ReadonlyMap<string, GuestProblem> = new Map([
  ['bad', 'bad_email'],
  ['wait', 'too_many'],
  ['over', 'sms_over'],
]);

/** The part of the status page that asks to open the mail; null if there is nothing to confirm. */
export async function confirmPart(
  services: GuestServices,
  context: GuestContext,
  open: OpenVisit,
  { mail, seconds }: { readonly mail: string; readonly seconds: number },
  client: ClientInfo,
): Promise<OnlineView['confirm']> {
  const row = await unconfirmed(services, context, open);
  if (!row) return null;
  const { nas, mac } = open.visit;
  const problem = (mail !== 'wait' || seconds ? mailProblems.get(mail) : undefined) ?? null;
  const typed = mail === 'bad' ? keptPageOf(services.app, nas, client, mac)?.message?.values?.email : undefined;
  return {
    email: maskEmail(row.email),
    action: `/w/${nas}/mail`,
    sent: mail === 'sent',
    problem,
    problemValues: seconds ? { seconds } : {},
    typed: typed ?? '',
  };
}

/** Mails the link again, or to another address. */
export async function mailAgain(
  services: GuestServices,
  frame: Frame,
  nas: string,
  typed: string,
  client: ClientInfo,
): Promise<GuestAnswer> {
  const { app } = services;
  const open = visitOfBrowser(app, nas, client);
  const context = open && (await services.findContext(nas, open.visit));
  if (!context) return { view: problemView(frame, { problem: 'visit_unknown' }), status: statusOf('visit_unknown') };
  const page = (mail: string) => `${onlinePath(nas)}?lang=${frame.language}${mail && `&mail=${mail}`}`;
  const row = await unconfirmed(services, context, open);
  if (!row) return { redirect: page('') };
  const address = typed ? emailShape.safeParse(typed) : undefined;
  if (address?.success === false) {
    const kept = { mac: open.visit.mac, message: { values: { email: typed } } };
    return { redirect: page('bad'), cookies: [keptPageCookie(app, nas, kept)] };
  }
  const email = address?.data ?? row.email;
  try {
    await app.db.withTenant(context.tenantId, async tx => {
      if (email !== row.email) {
        const hash = recipientHash(app.secrets, context.tenantId, email);
        // The mistyped address may belong to another person, who has allowed nothing. Any other change of an address ends the consent.
        await correctRecipient(tx, newId(), { visitorId: row.id, recipient: email, recipientHash: hash });
        await changeAddress(tx, row.id, email);
      }
      const recipient = { visitorId: row.id, email, language: frame.language };
      await mailConfirmation(tx, app, { context, visit: open.visit }, recipient);
    });
  } catch (error) {
    if (error instanceof AppError && error.code === 'mails_over') return { redirect: page('over') };
    if (!(error instanceof AppError && error.code === 'too_many')) throw error;
    return { redirect: page(waitUntil(Number(error.values['seconds'] ?? 60))) };
  }
  return { redirect: page('sent') };
}

/**
 * The page behind the link in a mail. It confirms at the press of a button, because mail servers open links to check them.
 * `confirms`: the button was pressed.
 */
export async function confirmEmailPage(
  services: GuestServices,
  frame: Frame,
  nas: string,
  { token, confirms }: { readonly token: string; readonly confirms: boolean },
  client: ClientInfo,
): Promise<GuestAnswer> {
  const context = await services.findContext(nas, { mac: '', ip: '' });
  const found =
    context &&
    (await services.app.db.withTenant(context.tenantId, tx => guestConfirmation(tx, token.slice(0, 100), confirms)));
  if (!found) return formProblem(services, frame, nas, 'mail_over', client);
  const path = `/w/${nas}/confirm-email`;
  const query = `?${new URLSearchParams({ t: token })}`;
  const view: ConfirmEmailView = {
    page: 'confirm-email',
    ...common(frame),
    ...placeView(context),
    languageLink: `${path}${query}&lang={lang}`,
    action: path,
    token,
    email: found.email,
    done: found.state === 'confirmed',
  };
  return { view, status: 200, address: { path: path + query } };
}
