import { z } from 'zod';
import { invitationToken } from './auth.ts';
import { endpoint, one, page } from './endpoint.ts';
import type { Language } from './errors.ts';
import { email, id, idParams, name, pageQuery, text, time } from './fields.ts';
import { type Permission, type PermissionScopes, permissionKeys, permissions, scopes } from './permissions.ts';

const shape = Object.fromEntries(Object.entries(scopes).map(([scope, verbs]) => [scope, z.array(z.enum(verbs))]));
export const everyScope = z.object(shape) as unknown as z.ZodType<
  Required<PermissionScopes>,
  Required<PermissionScopes>
>;
/** An unknown scope is refused, because ignoring it could remove permissions silently. */
const someScopes = z.strictObject(shape).partial() as unknown as z.ZodType<PermissionScopes, PermissionScopes>;

const documented = ['devices', 'portals', 'clients', 'integrations', 'basic-stats'] as const;

/** The documents have no scope for the location itself. It is granted when all documented scopes are granted completely. */
function withLocation(sent: PermissionScopes): PermissionScopes {
  const isAll = documented.every(scope => scopes[scope].every(verb => sent[scope]?.includes(verb as never)));
  return isAll && sent.location === undefined ? { ...sent, location: [...scopes.location] } : sent;
}

/** Permissions as sent: the verbs of each scope (left out: none), or a list of keys such as `view-devices`. */
export const permissionsInput = z
  .union([z.array(z.enum(permissions as [Permission, ...Permission[]])).max(100), someScopes])
  .transform((sent): Permission[] =>
    Array.isArray(sent) ? permissions.filter(key => sent.includes(key)) : permissionKeys(withLocation(sent)),
  );

const deviceIds = z.array(id).max(1000).nullish();
const roleIds = z.array(id).max(20).optional();

/** A named set of permissions; `name` is in the caller's language for the ready-made ones. */
export const role = z.object({ id, name: z.string(), guard_name: z.string() });

const readyRoles: Record<string, string> = {
  Manager: 'Yönetici',
  'Reception desk': 'Resepsiyon',
  Technician: 'Teknisyen',
  Viewer: 'İzleyici',
};
/** The name of a role as its reader calls it. */
export const roleName = (name: string, language: Language): string =>
  (language === 'tr' ? readyRoles[name] : undefined) ?? name;

/** An administrator of a location. `deviceIds` null: every device. */
export const member = z.object({
  id,
  first_name: z.string(),
  last_name: z.string(),
  full_name: z.string(),
  email: z.string(),
  phone_number: z.string(),
  roles: z.array(role),
  deviceIds: z.array(id).nullable(),
  permissions: everyScope,
  is_owner: z.boolean(),
  created_at: time,
});
export type Member = z.output<typeof member>;

/** An invitation that waits for its answer, as the location sees it. */
export const invitation = z.object({
  id,
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  roles: z.array(role),
  deviceIds: z.array(id).nullable(),
  permissions: everyScope,
  status: z.enum(['pending', 'expired']),
  created_at: time,
  sent_at: time,
  expires_at: time,
});
export type Invitation = z.output<typeof invitation>;

/** What the link of an invitation shows before anyone signed in. */
export const invitationPage = z.object({
  status: z.enum(['pending', 'accepted', 'denied', 'cancelled', 'expired']),
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  location: z.object({ name: z.string() }),
  invited_by: z.string().nullable(),
  /** Someone with this address has an account: they sign in; others register. */
  has_account: z.boolean(),
  expires_at: time,
});
export type InvitationInfo = z.output<typeof invitationPage>;

/** An invitation as its receiver sees it inside the panel. */
export const ownInvitation = z.object({
  id,
  location: z.object({ id, name: z.string() }),
  invited_by: z.string().nullable(),
  created_at: time,
  expires_at: time,
});

/**
 * What may be granted. Left out: `permissions` come from the roles, else they are all that one holds oneself; `deviceIds`
 * (also when empty) are all that one sees oneself.
 */
export const grant = z.object({ permissions: permissionsInput.optional(), deviceIds, roleIds });
export type Grant = z.output<typeof grant>;

const maybeName = name.or(z.literal('')).nullish();
/** `password` must be empty: an account whose password its inviter knows would not be the invited person's own. */
export const inviteForm = grant.extend({
  email,
  first_name: maybeName,
  last_name: maybeName,
  password: z.string().max(0, 'invited_password').nullish(),
});

const memberParams = z.object({ id, userId: id });

export const teamApi = {
  list: endpoint({
    method: 'GET',
    path: '/v1/panel/location/:id/user',
    access: 'read-location',
    location: 'id',
    summary: 'The administrators of a location',
    params: idParams,
    query: z.object({ ...pageQuery(), search: text.optional() }),
    reply: page(member),
  }),
  invite: endpoint({
    method: 'POST',
    path: '/v1/panel/location/:id/user',
    access: 'update-location',
    location: 'id',
    summary: 'Invite someone to a location',
    params: idParams,
    body: inviteForm,
    reply: one(invitation),
    status: 201,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/v1/panel/location/:id/user/:userId',
    access: 'update-location',
    location: 'id',
    summary: 'Change what an administrator may do',
    params: memberParams,
    body: grant,
    reply: one(member),
  }),
  updateDevices: endpoint({
    method: 'PUT',
    path: '/v1/panel/user/team/device/:id',
    access: 'update-location',
    summary:
      'The same, in the active team; without one in the only location of the administrator, or the one of `deviceIds`',
    params: idParams,
    body: grant,
    reply: one(member),
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: '/v1/panel/location/:id/user/:userId',
    access: 'update-location',
    location: 'id',
    summary: 'Revoke an administrator',
    params: memberParams,
    reply: 'none',
  }),
  invites: endpoint({
    method: 'GET',
    path: '/v1/panel/location/:id/invites',
    access: 'read-location',
    location: 'id',
    summary: 'Invitations that wait for an answer',
    params: idParams,
    query: z.object(pageQuery()),
    reply: page(invitation),
  }),
  inviteMember: endpoint({
    method: 'POST',
    path: '/v1/team/members/invite/:id',
    access: 'update-location',
    location: 'id',
    summary: 'Invite someone to a location (the same call by its other name)',
    params: idParams,
    body: inviteForm,
    reply: one(invitation),
    status: 201,
  }),
  resend: endpoint({
    method: 'POST',
    path: '/v1/team/members/invite/resend/:id',
    access: 'update-location',
    summary: 'Send an invitation again: a new link for another 7 days',
    params: idParams,
    reply: one(invitation),
    status: 200,
  }),
  cancel: endpoint({
    method: 'DELETE',
    path: '/v1/team/members/invite/:id',
    access: 'update-location',
    summary: 'Withdraw an invitation',
    params: idParams,
    reply: 'none',
  }),
  show: endpoint({
    method: 'GET',
    path: '/v1/team/invitation/:token',
    access: 'public',
    summary: 'What an invitation is for',
    params: invitationToken,
    reply: one(invitationPage),
  }),
  deny: endpoint({
    method: 'POST',
    path: '/v1/team/deny/:token',
    access: 'public',
    summary: 'Decline an invitation by its link',
    params: invitationToken,
    reply: 'none',
  }),
  own: endpoint({
    method: 'GET',
    path: '/v1/panel/user/invites',
    access: 'signed-in',
    summary: "One's own invitations that wait for an answer",
    reply: z.object({ data: z.array(ownInvitation) }),
  }),
  denyOwn: endpoint({
    method: 'POST',
    path: '/v1/panel/user/invite/deny/:id',
    access: 'signed-in',
    summary: "Decline one of one's own invitations",
    params: idParams,
    reply: 'none',
  }),
} as const;
