import { createHash } from 'node:crypto';
import type { Language } from '@portico/contract/errors.ts';
import type { ShippedLanguage } from '@portico/contract/portal-languages.ts';
import type { Tx } from '#db/tenant.ts';
import { audit } from '#features/audit/public.ts';
import { countOne, createLimit } from '#features/throttle/public.ts';
import { confirmVisitorEmail } from '#features/visitors/public.ts';
import type { Actor } from '#http/actor.ts';
import { AppError, invalid } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import type { App } from '#lib/app.ts';
import { newId, randomToken } from '#lib/ids.ts';
import type { VenueLook } from '#mail/guest-mail-data.ts';
import { panelLink } from '#mail/links.ts';
import { queueMail } from '#mail/outbox.ts';
import { confirmEmail as confirmUserEmail, emailTaken, getAddress, setEmail } from './auth.queries.ts';
import * as queries from './confirmations.queries.ts';

const hours = 72;
const confirmationMails = createLimit('confirmation mails', 3, 60);
const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

async function newConfirmation(tx: Tx, whose: queries.Whose, email: string): Promise<string> {
  const token = randomToken();
  await queries.insertConfirmation(tx, { id: newId(), whose, email, hash: hashOf(token), hours });
  return token;
}

/** Mails a guest the link that confirms its address. `linkOf` makes the link to the guests' origin. */
export async function askGuestConfirmation(
  tx: Tx,
  app: App,
  it: {
    visitorId: string;
    email: string;
    language: ShippedLanguage;
    locationId: string;
    location: string;
    venue: VenueLook;
    linkOf: (token: string) => string;
  },
): Promise<void> {
  const link = it.linkOf(await newConfirmation(tx, { visitorId: it.visitorId }, it.email));
  await queueMail(tx, app, {
    to: it.email,
    language: it.language,
    template: 'confirm_guest_email',
    data: { location: it.location, link, hours, venue: it.venue },
    locationId: it.locationId,
  });
}

export type GuestConfirmation = { readonly state: 'waits' | 'confirmed'; readonly email: string } | undefined;

/** The address that the link in a guest's mail confirms; undefined if the link is unknown, has expired or was for a former address. `confirms`: does so. */
export async function guestConfirmation(tx: Tx, token: string, confirms: boolean): Promise<GuestConfirmation> {
  const it = await queries.lockConfirmation(tx, hashOf(token));
  if (!it?.visitor_id) return undefined;
  if (it.confirmed) return { state: 'confirmed', email: it.email };
  if (it.expired || it.moved) return undefined;
  if (!confirms) return { state: 'waits', email: it.email };
  await confirmVisitorEmail(tx, it.visitor_id, it.email.toLowerCase());
  await queries.markConfirmed(tx, it.id);
  return { state: 'confirmed', email: it.email };
}

/** Makes the link that confirms an e-mail address. */
export async function confirmationLink(
  tx: Tx,
  app: App,
  slug: string,
  whose: queries.Whose,
  email: string,
): Promise<string> {
  const token = await newConfirmation(tx, whose, email);
  return panelLink(app.settings, slug, `/visitor/confirm-email/${token}`, { email });
}

/** Mails a link with which a visitor, or a panel user for a new address, confirms it. */
export async function askConfirmation(
  tx: Tx,
  app: App,
  it: {
    slug: string;
    whose: queries.Whose;
    email: string;
    name: string;
    language: Language;
    /** A guest's. */
    locationId?: string;
  },
): Promise<void> {
  const link = await confirmationLink(tx, app, it.slug, it.whose, it.email);
  await queueMail(tx, app, {
    to: it.email,
    language: it.language,
    template: 'confirm_email',
    data: { name: it.name, link, hours },
    locationId: it.locationId,
  });
}

/**
 * Confirms an address by its link. Opening the link again gives the same answer. A panel user also has to be signed in: the
 * owner of the mailbox, who gets the link, need not be the owner of the account.
 */
export function confirmEmail(
  { inTenant, request }: Context,
  actor: Actor | undefined,
  body: { token: string; email: string },
): Promise<{ email: string; kind: 'visitor' | 'user' }> {
  return inTenant(async tx => {
    const it = await queries.lockConfirmation(tx, hashOf(body.token));
    if (it?.email.toLowerCase() !== body.email) throw new AppError('link_unknown');
    const answer = { email: it.email, kind: it.visitor_id ? ('visitor' as const) : ('user' as const) };
    if (it.confirmed) return answer;
    if (it.expired) throw new AppError('link_over');
    if (it.visitor_id) await confirmVisitorEmail(tx, it.visitor_id, it.email.toLowerCase());
    else {
      if (actor?.userId !== it.user_id || actor.scopes) throw new AppError('sign_in_to_confirm');
      await changeEmail(tx, it.user_id, it.email, request.ip);
    }
    await queries.markConfirmed(tx, it.id);
    return answer;
  });
}

/** Mails the link for a user's own address again. */
export async function sendConfirmationAgain({ app, tenant, inTenant }: Context, actor: Actor): Promise<void> {
  await countOne(app, [[confirmationMails, actor.userId]]);
  await inTenant(async tx => {
    const { email, first_name: name, language, email_confirmed } = await getAddress(tx, actor.userId);
    if (email_confirmed) throw new AppError('conflict');
    await askConfirmation(tx, app, { slug: tenant.slug, whose: { userId: actor.userId }, email, name, language });
    const subject = { type: 'user' as const, id: actor.userId, name: email };
    await audit(tx, actor, { verb: 'update', subject, after: { confirmation: 'sent' } });
  });
}

/** Throws until the actor's address is confirmed: before that, nothing of theirs is mailed or texted to others. */
export async function requireConfirmedEmail(tx: Tx, actor: Pick<Actor, 'userId'>): Promise<void> {
  if (!(await getAddress(tx, actor.userId)).email_confirmed) throw new AppError('email_unconfirmed');
}

async function changeEmail(tx: Tx, userId: string, email: string, ip: string): Promise<void> {
  const before = await getAddress(tx, userId);
  if (before.email === email) {
    await confirmUserEmail(tx, userId);
    return;
  }
  if (await emailTaken(tx, email, userId)) throw invalid({ email: 'taken' });
  await setEmail(tx, userId, email);
  // Codes that were mailed to the old address.
  await queries.dropPending(tx, userId);
  const subject = { type: 'user' as const, id: userId, name: email };
  await audit(tx, { userId, ip }, { verb: 'update', subject, before: { email: before.email }, after: { email } });
}
