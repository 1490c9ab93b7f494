import type { AuthUser, Register } from '@portico/contract/auth.ts';
import type { Tx } from '#db/tenant.ts';
import { audit } from '#features/audit/public.ts';
import { createFirstLocation } from '#features/locations/public.ts';
import { joinTeam, openInvitation, openOwnInvitation } from '#features/team/public.ts';
import type { Actor } from '#http/actor.ts';
import { AppError, invalid } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import { callerNetwork } from '#lib/caller-network.ts';
import { newId } from '#lib/ids.ts';
import { panelLink } from '#mail/links.ts';
import { queueMail } from '#mail/outbox.ts';
import * as queries from './auth.queries.ts';
import { actorAgain, checkCredentials, startSession } from './auth.service.ts';
import { confirmationLink } from './confirmations.service.ts';
import { describeUser } from './describe.service.ts';
import { hashPassword, requirePasswordLength } from './passwords.ts';
import { createThrottle } from './throttle.ts';

// Each registration sends a mail to whatever address was typed.
const registrations = createThrottle(30);

/** Who may register this address: anyone when it is free, and with an invitation only the invited one. */
async function checkRegistration(tx: Tx, body: Register) {
  const invitation = body.invite_token === undefined ? undefined : await openInvitation(tx, body.invite_token);
  if (invitation && invitation.email !== body.email) throw invalid({ email: 'invitation_email' });
  if (await queries.emailTaken(tx, body.email, null)) throw invalid({ email: 'taken' });
  return invitation;
}

export async function register(context: Context, body: Register): Promise<void> {
  const { app, inTenant, request } = context;
  const network = callerNetwork(request.ip);
  registrations.check(network);
  await inTenant(async tx => {
    await requirePasswordLength(tx, body.password, app.settings.PASSWORD_MIN);
    await checkRegistration(tx, body);
  });
  registrations.failed(network);
  const passwordHash = await hashPassword(body.password);
  await inTenant(async tx => {
    const invitation = await checkRegistration(tx, body);
    const user = {
      id: newId(),
      email: body.email,
      firstName: body.first_name,
      lastName: body.last_name,
      phone: body.phone_number,
      passwordHash,
      role: 'member' as const,
      language: context.language,
      // The invitation came to this address.
      emailConfirmed: invitation !== undefined,
    };
    await queries.insertUser(tx, user);
    const by = { userId: user.id, ip: context.request.ip };
    const link = invitation
      ? panelLink(app.settings, context.tenant.slug, '/auth/login')
      : await confirmationLink(tx, app, context.tenant.slug, { userId: user.id }, user.email);
    if (invitation) await joinTeam(tx, context, invitation, by);
    const location = invitation?.location_name ?? body.location_name ?? '';
    const locationId =
      invitation?.location_id ?? (await createFirstLocation(tx, app, { ownerId: user.id, name: location }));
    await queries.setActiveLocation(tx, user.id, locationId);
    await audit(tx, by, {
      verb: 'create',
      subject: { type: 'user', id: user.id, name: user.email },
      locationId,
      after: { first_name: user.firstName, last_name: user.lastName, email: user.email, location },
    });
    await queueMail(tx, app, {
      to: user.email,
      language: context.language,
      template: 'welcome',
      data: { name: body.first_name, location, link, confirm: !invitation },
    });
  });
}

/**
 * Accepts an invitation by its link: as who is signed in, or signing in with the password. An invitation is for one
 * address; anyone else who holds the link gets nothing.
 */
export async function acceptByLink(
  context: Context,
  actor: Actor | undefined,
  it: { token: string; password?: string | undefined; code?: string | undefined },
): Promise<{ token: string | null; user: AuthUser }> {
  const { inTenant, language } = context;
  const invitation = await inTenant(tx => openInvitation(tx, it.token));
  if (actor) {
    const { email } = await inTenant(tx => queries.getAddress(tx, actor.userId));
    if (email !== invitation.email) throw new AppError('invitation_for_other', { values: { email: invitation.email } });
    return { token: null, user: await accept(context, actor, it.token) };
  }
  if (it.password === undefined) throw new AppError('not_signed_in');
  const userId = await checkCredentials(context, { email: invitation.email, password: it.password, code: it.code });
  return inTenant(async tx => {
    const current = await openInvitation(tx, it.token);
    await joinTeam(tx, context, current, { userId, ip: context.request.ip });
    await queries.confirmEmail(tx, userId);
    await queries.setActiveLocation(tx, userId, current.location_id);
    const session = await startSession(tx, context, userId);
    return { token: session.token, user: await describeUser(tx, session.actor, language) };
  });
}

function accept(context: Context, actor: Actor, token: string): Promise<AuthUser> {
  return context.inTenant(async tx => {
    const current = await openInvitation(tx, token);
    await joinTeam(tx, context, current, actor);
    await queries.confirmEmail(tx, actor.userId);
    await queries.setActiveLocation(tx, actor.userId, current.location_id);
    return describeUser(tx, await actorAgain(tx, actor), context.language);
  });
}

/** Accepts one of one's own invitations, inside the panel. */
export function acceptOwn(context: Context, actor: Actor, id: string): Promise<AuthUser> {
  return context.inTenant(async tx => {
    const invitation = await openOwnInvitation(tx, actor.userId, id);
    await joinTeam(tx, context, invitation, actor);
    // Who works nowhere yet begins there; the others stay where they are.
    if (actor.activeLocationId === null) await queries.setActiveLocation(tx, actor.userId, invitation.location_id);
    return describeUser(tx, await actorAgain(tx, actor), context.language);
  });
}
