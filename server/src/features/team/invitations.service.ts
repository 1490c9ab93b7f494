import { createHash } from 'node:crypto';
import type { Language } from '@portico/contract/errors.ts';
import { permissionScopes } from '@portico/contract/permissions.ts';
import type { Grant, Invitation } from '@portico/contract/team.ts';
import type { Tx } from '#db/tenant.ts';
import { audit } from '#features/audit/public.ts';
import { announce, notify } from '#features/notifications/public.ts';
import { countOneIn, createLimit } from '#features/throttle/public.ts';
import type { Actor } from '#http/actor.ts';
import { AppError, found, invalid } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import { newId, randomToken } from '#lib/ids.ts';
import { panelLink } from '#mail/links.ts';
import { queueMail } from '#mail/outbox.ts';
import * as queries from './invitations.queries.ts';
import { findMember, findPerson, getPerson, lockTeam } from './members.queries.ts';
import { namedRoles } from './members.service.ts';
import { requireGrantable, resolveGrant } from './rights.service.ts';

const days = 7;
// An invitation must not become a way to fill someone's mailbox.
const maxSent = 10;

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

export function describeInvitation(row: queries.InvitationRow, language: Language): Invitation {
  return {
    id: row.id,
    email: row.email,
    first_name: row.first_name,
    last_name: row.last_name,
    roles: namedRoles(row.roles, language),
    deviceIds: row.device_ids,
    permissions: permissionScopes(row.permissions),
    status: row.expired ? 'expired' : 'pending',
    created_at: row.created_at,
    sent_at: row.sent_at,
    expires_at: row.expires_at,
  };
}

const subjectOf = (row: { id: string; email: string }) => ({
  type: 'invitation' as const,
  id: row.id,
  name: row.email,
});

export interface Invite extends Grant {
  email: string;
  first_name?: string | null | undefined;
  last_name?: string | null | undefined;
}

/** Invites a person to a location by mail. A person with an account is also notified in the panel. */
export async function invite(
  context: Context,
  actor: Actor,
  locationId: string,
  form: Invite,
): Promise<queries.InvitationRow> {
  return context.inTenant(async tx => {
    await requireConfirmedEmail(tx, actor);
    found(await lockTeam(tx, locationId));
    const person = await findPerson(tx, form.email);
    if (person && person.role !== 'member') throw invalid({ email: 'tenant_role' });
    if (person && (await findMember(tx, locationId, person.id))) throw invalid({ email: 'already_member' });
    const open = await queries.findOpenFor(tx, locationId, form.email);
    if (open && !open.expired) throw invalid({ email: 'already_invited' });
    if (open) await queries.close(tx, open.id, 'cancelled', { alive: false });
    const rights = await resolveGrant(tx, actor, locationId, form);
    await countInvitation(tx, context, actor);
    const id = newId();
    const token = randomToken();
    await queries.insertInvitation(tx, {
      id,
      locationId,
      email: form.email,
      firstName: form.first_name ?? '',
      lastName: form.last_name ?? '',
      rights,
      hash: hashToken(token),
      invitedBy: actor.userId,
      days,
    });
    const row = await queries.getInvitation(tx, id);
    await audit(tx, actor, {
      verb: 'invite',
      subject: subjectOf(row),
      locationId,
      after: {
        email: row.email,
        permissions: row.permissions,
        deviceIds: row.device_ids,
        roles: row.roles.map(r => r.name),
      },
    });
    await send(tx, context, row, token);
    return row;
  });
}

/** Before the inviter's own address is confirmed, nothing of theirs is mailed to others. */
async function requireConfirmedEmail(tx: Tx, actor: Actor): Promise<void> {
  if (!(await getPerson(tx, actor.userId)).email_confirmed) throw new AppError('email_unconfirmed');
}

const day = 24 * 60;
const invitationsOfMember = createLimit('invitations of a member', 50, day);

/** Members may be strangers who registered, so they have a quota of their own besides the tenant's. */
async function countInvitation(tx: Tx, { app, tenant }: Context, actor: Actor): Promise<void> {
  const invitationsOfTenant = createLimit('invitations of a tenant', app.settings.INVITATIONS_PER_DAY, day);
  const ofMember = actor.role === 'member' ? [[invitationsOfMember, actor.userId] as const] : [];
  await countOneIn(tx, app, [[invitationsOfTenant, tenant.id], ...ofMember]);
}

/** Mails the link. A person with an account is also notified in the panel. */
async function send(
  tx: Tx,
  { app, tenant, language }: Context,
  row: queries.InvitationRow,
  token: string,
): Promise<void> {
  const person = await findPerson(tx, row.email);
  const link = panelLink(app.settings, tenant.slug, `/invitation/accept/${token}`);
  const data = { location: row.location_name, inviter: row.inviter ?? '', link, days };
  await queueMail(tx, app, { to: row.email, language: person?.language ?? language, template: 'invitation', data });
  if (person?.email_confirmed)
    await notify(tx, {
      kind: 'invitation_received',
      to: { users: [person.id] },
      data: { location: row.location_name, user: row.inviter ?? '', invitation_id: row.id },
      once: `invitation:${row.id}`,
    });
  await announce(tx, 'team', row.location_id);
}

/** Sends an invitation again, with a new link for another 7 days. The old link stops working. */
export async function resend(context: Context, actor: Actor, id: string): Promise<queries.InvitationRow> {
  return context.inTenant(async tx => {
    await requireConfirmedEmail(tx, actor);
    const before = found(await queries.findOpen(tx, actor, id));
    if (before.times_sent >= maxSent) throw new AppError('too_many', { values: { seconds: 86_400 } });
    await countInvitation(tx, context, actor);
    if (!before.backed) requireGrantable(actor, before.location_id, before);
    const token = randomToken();
    await queries.renew(tx, id, { hash: hashToken(token), days, by: before.backed ? null : actor.userId });
    const row = await queries.getInvitation(tx, id);
    if (!row.backed) throw new AppError('outranked');
    await audit(tx, actor, {
      verb: 'invite',
      subject: subjectOf(row),
      locationId: row.location_id,
      after: { times_sent: row.times_sent },
    });
    await send(tx, context, row, token);
    return row;
  });
}

export async function cancel(tx: Tx, actor: Actor, id: string): Promise<void> {
  const row = found(await queries.findOpen(tx, actor, id));
  await queries.close(tx, id, 'cancelled', { alive: false });
  await audit(tx, actor, { verb: 'delete', subject: subjectOf(row), locationId: row.location_id });
  await announce(tx, 'team', row.location_id);
}
