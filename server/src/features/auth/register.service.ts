import type { AuthUser, Register } from '@portico/contract/auth.ts';
import { sqlState } from '#db/errors.ts';
import type { Tx } from '#db/tenant.ts';
import { audit } from '#features/audit/public.ts';
import { createFirstLocation } from '#features/locations/public.ts';
import { joinTeam, openInvitation, openOwnInvitation } from '#features/team/public.ts';
import { registrationMode } from '#features/tenants/public.ts';
import { type Counted, countOne, createLimit, fits, ofNetwork } from '#features/throttle/public.ts';
import type { Actor } from '#http/actor.ts';
import { AppError, invalid } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import type { App } from '#lib/app.ts';
import { newId } from '#lib/ids.ts';
import { panelLink } from '#mail/links.ts';
import { queueMail } from '#mail/outbox.ts';
import * as queries from './auth.queries.ts';
import { actorAgain, type Credentials, checkCredentials, startSession } from './auth.service.ts';
import { dropPending } from './confirmations.queries.ts';
import { confirmationLink } from './confirmations.service.ts';
import { describeUser } from './describe.service.ts';
import { hashPassword, requireGoodPassword } from './passwords.ts';

// Each registration sends a mail to the typed address.
const registrations = createLimit('registrations', 30);
const mailsToAddress = createLimit('registrations of an address', 3, 60);

type Invitation = Awaited<ReturnType<typeof openInvitation>>;

/** The invitation of a registration, if it has one. Throws when the address is another, or when an invitation is required. */
async function invitationOf(tx: Tx, app: App, body: Register): Promise<Invitation | undefined> {
  if (body.invite_token !== undefined) {
    const invitation = await openInvitation(tx, body.invite_token);
    if (invitation.email !== body.email) throw invalid({ email: 'invitation_email' });
    return invitation;
  }
  if ((await registrationMode(tx, app.settings)) === 'invitation') throw new AppError('registration_closed');
  return undefined;
}

/** Registers a user. Without an invitation the answer does not tell whether the address has an account already. */
export async function register(context: Context, body: Register): Promise<void> {
  const { app, inTenant, request } = context;
  await inTenant(async tx => {
    await requireGoodPassword(tx, body, app.settings.PASSWORD_MIN);
    await invitationOf(tx, app, body);
  });
  await countOne(app, ofNetwork(registrations, request.ip));
  const passwordHash = await hashPassword(body.password);
  const join = async (tx: Tx) => {
    const invitation = await invitationOf(tx, app, body);
    const known = await queries.findCredentials(tx, body.email);
    if (invitation) return joinAsNewUser(tx, context, { body, passwordHash, invitation, known });
    if (known) return mailAccountExists(tx, context, body.email);
    return registerWithLocation(tx, context, body, passwordHash);
  };
  // The address got an account after it was looked for. The second time it is known, so the answer is the usual one.
  await inTenant(join).catch(error => (sqlState(error) === '23505' ? inTenant(join) : Promise.reject(error)));
}

const newUserOf = ({ language }: Context, body: Register, id: string, passwordHash: string) => ({
  id,
  email: body.email,
  firstName: body.first_name,
  lastName: body.last_name,
  phone: body.phone_number,
  passwordHash,
  role: 'member' as const,
  language,
});

interface Joining {
  readonly body: Register;
  readonly passwordHash: string;
  readonly invitation: Invitation;
  readonly known: queries.Credentials | undefined;
}

/** The invitation was mailed to the address, so it is confirmed. An unconfirmed account with it passes to the invited person. */
async function joinAsNewUser(tx: Tx, context: Context, it: Joining): Promise<void> {
  const { body, passwordHash, invitation, known } = it;
  if (known?.email_confirmed) throw invalid({ email: 'taken' });
  const user = newUserOf(context, body, known?.id ?? newId(), passwordHash);
  if (known) {
    await queries.claimUser(tx, user);
    await dropPending(tx, user.id);
  } else await queries.insertUser(tx, user);
  await joinTeam(tx, context, invitation, { userId: user.id, ip: context.request.ip });
  await queries.setActiveLocation(tx, user.id, invitation.location_id);
  const place = { id: invitation.location_id, name: invitation.location_name };
  await welcome(tx, context, body, { userId: user.id, place });
}

async function registerWithLocation(tx: Tx, context: Context, body: Register, passwordHash: string): Promise<void> {
  const user = newUserOf(context, body, newId(), passwordHash);
  await queries.insertUser(tx, { ...user, emailConfirmed: false });
  const name = body.location_name ?? '';
  const locationId = await createFirstLocation(tx, context.app, { ownerId: user.id, name });
  await queries.setActiveLocation(tx, user.id, locationId);
  const confirmLink = await confirmationLink(tx, context.app, context.tenant.slug, { userId: user.id }, user.email);
  await welcome(tx, context, body, { userId: user.id, place: { id: locationId, name }, confirmLink });
}

async function welcome(
  tx: Tx,
  { app, tenant, language, request }: Context,
  body: Register,
  it: { userId: string; place: { id: string; name: string }; confirmLink?: string },
): Promise<void> {
  const { first_name, last_name, email } = body;
  await audit(
    tx,
    { userId: it.userId, ip: request.ip },
    {
      verb: 'create',
      subject: { type: 'user', id: it.userId, name: email },
      locationId: it.place.id,
      after: { first_name, last_name, email, location: it.place.name },
    },
  );
  const link = it.confirmLink ?? panelLink(app.settings, tenant.slug, '/auth/login');
  const data = { name: first_name, location: it.place.name, link, confirm: it.confirmLink !== undefined };
  await queueMail(tx, app, { to: email, language, template: 'welcome', data });
}

/** Notifies the owner of the mailbox instead of the caller, a few times an hour. */
async function mailAccountExists(tx: Tx, { app, tenant, language }: Context, email: string): Promise<void> {
  const counted: Counted[] = [[mailsToAddress, `${tenant.id}|${email}`]];
  if (!(await fits(tx, app, counted))) return;
  const link = panelLink(app.settings, tenant.slug, '/auth/forgot-password');
  await queueMail(tx, app, { to: email, language, template: 'account_exists', data: { link } });
}

/**
 * Accepts an invitation by its link, signed in or with the password. An invitation is for one address: another account
 * cannot use the link, and neither can one that never confirmed the address.
 */
export async function acceptByLink(
  context: Context,
  actor: Actor | undefined,
  it: { token: string; password?: string | undefined } & Pick<Credentials, 'code' | 'passkey'>,
): Promise<{ token: string | null; user: AuthUser }> {
  const { inTenant, language } = context;
  const invitation = await inTenant(tx => openInvitation(tx, it.token));
  if (actor) {
    const { email, email_confirmed } = await inTenant(tx => queries.getAddress(tx, actor.userId));
    if (email !== invitation.email) throw new AppError('invitation_for_other', { values: { email: invitation.email } });
    if (!email_confirmed) throw new AppError('email_unconfirmed');
    return { token: null, user: await accept(context, actor, it.token) };
  }
  if (it.password === undefined) throw new AppError('not_signed_in');
  const proof = await checkCredentials(context, { ...it, email: invitation.email, password: it.password });
  const { userId } = proof;
  const { email_confirmed } = await inTenant(tx => queries.getAddress(tx, userId));
  if (!email_confirmed) throw new AppError('email_unconfirmed');
  return inTenant(async tx => {
    const current = await openInvitation(tx, it.token);
    await joinTeam(tx, context, current, { userId, ip: context.request.ip });
    await dropPending(tx, userId);
    await queries.setActiveLocation(tx, userId, current.location_id);
    const session = await startSession(tx, context, proof);
    return { token: session.token, user: await describeUser(tx, session.actor, language) };
  });
}

function accept(context: Context, actor: Actor, token: string): Promise<AuthUser> {
  return context.inTenant(async tx => {
    const current = await openInvitation(tx, token);
    await joinTeam(tx, context, current, actor);
    await dropPending(tx, actor.userId);
    await queries.setActiveLocation(tx, actor.userId, current.location_id);
    return describeUser(tx, await actorAgain(tx, actor), context.language);
  });
}

/** Accepts an invitation of the caller's own, inside the panel. */
export function acceptOwn(context: Context, actor: Actor, id: string): Promise<AuthUser> {
  return context.inTenant(async tx => {
    const invitation = await openOwnInvitation(tx, actor.userId, id);
    await joinTeam(tx, context, invitation, actor);
    await dropPending(tx, actor.userId);
    // A user without an active location starts there; others stay where they are.
    if (actor.activeLocationId === null) await queries.setActiveLocation(tx, actor.userId, invitation.location_id);
    return describeUser(tx, await actorAgain(tx, actor), context.language);
  });
}
