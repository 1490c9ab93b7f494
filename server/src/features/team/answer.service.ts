import type { Tx } from '#db/tenant.ts';
import { audit, type Doer } from '#features/audit/public.ts';
import { announce, notify, toMail } from '#features/notifications/public.ts';
import type { Actor } from '#http/actor.ts';
import { AppError, found, invalid } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import { panelLink } from '#mail/links.ts';
import { queueMail } from '#mail/outbox.ts';
import { close, findByHash, findOwn, getInvitation, type InvitationRow } from './invitations.queries.ts';
import { hashToken } from './invitations.service.ts';
import { findPerson, getPerson, insertMember, lockTeam, maybePerson } from './members.queries.ts';

function known<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new AppError('invitation_unknown');
  return row;
}

const subjectOf = (row: InvitationRow) => ({ type: 'invitation' as const, id: row.id, name: row.email });

/** The invitation of a link, with its status; 404 when there is none, or when a newer link replaced it. */
export async function showInvitation(tx: Tx, token: string) {
  const row = known(await findByHash(tx, hashToken(token)));
  return {
    status: row.closed_as ?? (row.expired ? ('expired' as const) : ('pending' as const)),
    email: row.email,
    first_name: row.first_name,
    last_name: row.last_name,
    location: { name: row.location_name },
    invited_by: row.inviter,
    has_account: (await findPerson(tx, row.email))?.email_confirmed === true,
    expires_at: row.expires_at,
  };
}

function requireOpen(row: InvitationRow): InvitationRow {
  if (row.closed_as === 'cancelled') throw new AppError('invitation_cancelled');
  if (row.closed_as === 'denied') throw new AppError('invitation_declined');
  if (row.closed_as) throw new AppError('invitation_used');
  if (row.expired) throw new AppError('invitation_expired');
  return row;
}

/** The invitation of a link while it can be accepted; throws otherwise. */
export const openInvitation = async (tx: Tx, token: string): Promise<InvitationRow> =>
  requireOpen(known(await findByHash(tx, hashToken(token))));

/** One of a user's own invitations, by its id. */
export const openOwnInvitation = async (tx: Tx, userId: string, id: string): Promise<InvitationRow> =>
  known(await findOwn(tx, userId, id));

/** Makes the invited user a member, once, and tells the person who invited them. */
export async function joinTeam(
  tx: Tx,
  context: Context,
  row: InvitationRow,
  by: { userId: string; ip: string | null },
): Promise<void> {
  found(await lockTeam(tx, row.location_id));
  // The rights of its sender may have changed before the lock.
  requireOpen(await getInvitation(tx, row.id));
  const person = await getPerson(tx, by.userId);
  if (person.role !== 'member') throw invalid({ email: 'tenant_role' });
  if (!(await close(tx, row.id, 'accepted', { alive: true }))) throw new AppError('invitation_used');
  const rights = { permissions: row.permissions, deviceIds: row.device_ids, roleIds: row.role_ids };
  await insertMember(tx, row.location_id, by.userId, rights);
  await audit(tx, by, {
    verb: 'accept',
    subject: subjectOf(row),
    locationId: row.location_id,
    after: { permissions: row.permissions, deviceIds: row.device_ids, roles: row.roles.map(role => role.name) },
  });
  await tellInviter(tx, context, row, person);
  await announce(tx, 'team', row.location_id);
}

async function tellInviter(
  tx: Tx,
  { app, tenant }: Context,
  row: InvitationRow,
  person: { full_name: string; email: string },
): Promise<void> {
  const inviter = await maybePerson(tx, row.invited_by);
  if (!inviter) return;
  const joined = { location: row.location_name, user: person.full_name || person.email };
  const notified = await notify(tx, {
    kind: 'invitation_accepted',
    to: { users: [inviter.id] },
    data: joined,
    locationId: row.location_id,
  });
  if (!toMail(notified).length) return;
  const link = panelLink(app.settings, tenant.slug, `/locations/${row.location_id}/edit/users`);
  await queueMail(tx, app, {
    to: inviter.email,
    language: inviter.language,
    template: 'invitation_accepted',
    data: { name: joined.user, email: person.email, location: row.location_name, link },
  });
}

async function decline(tx: Tx, row: InvitationRow, by: Doer): Promise<void> {
  if (!(await close(tx, row.id, 'denied', { alive: true }))) throw new AppError('invitation_used');
  await audit(tx, by, { verb: 'deny', subject: subjectOf(row), locationId: row.location_id });
  if (row.invited_by)
    await notify(tx, {
      kind: 'invitation_denied',
      to: { users: [row.invited_by] },
      data: { location: row.location_name, user: row.email },
      locationId: row.location_id,
    });
  await announce(tx, 'team', row.location_id);
}

/** Each person with the link may decline. Nothing is lost, and the invitation can be sent again. */
export async function denyByLink(tx: Tx, token: string, ip: string): Promise<void> {
  const row = await openInvitation(tx, token);
  await decline(tx, row, { email: row.email, ip });
}

export const denyOwn = async (tx: Tx, actor: Actor, id: string): Promise<void> =>
  decline(tx, await openOwnInvitation(tx, actor.userId, id), actor);
