import { z } from 'zod';
import { invitationToken } from './auth.ts';
import { endpoint, one, page } from './endpoint.ts';
import type { Language } from './errors.ts';
import {
  email,
  emptiedByNull,
  id,
  idParams,
  name,
  pageQuery,
  shortPageQuery,
  text,
  time,
  unlessEmpty,
} from './fields.ts';
import { memberOrders } from './list-orders.ts';
import {
  type AllScopes,
  type Permission,
  type PermissionScopes,
  type PermissionsChange,
  permissionKeys,
  permissions,
  type Scope,
  scopes,
} from './permissions.ts';

const shape = {
  devices: z.array(z.enum(scopes.devices)),
  portals: z.array(z.enum(scopes.portals)),
  clients: z.array(z.enum(scopes.clients)),
  integrations: z.array(z.enum(scopes.integrations)),
  'basic-stats': z.array(z.enum(scopes['basic-stats'])),
  location: z.array(z.enum(scopes.location)),
  vouchers: z.array(z.enum(scopes.vouchers)),
  identity: z.array(z.enum(scopes.identity)),
} satisfies { [S in Scope]: z.ZodType<AllScopes[S]> };
export const everyScope = z.object(shape);
/** An unknown scope is refused, because ignoring it could remove permissions silently. */
const someScopes = z.strictObject(shape).partial();

const documented = ['devices', 'portals', 'clients', 'integrations', 'basic-stats'] as const;

/** The documents have no scope for the location itself. It is granted when all documented scopes are granted completely. */
function withLocation(sent: PermissionScopes): PermissionScopes {
  const granted = new Set<string>(permissionKeys(sent));
  const isAll = documented.every(scope => scopes[scope].every(verb => granted.has(`${verb}-${scope}`)));
  return isAll && sent.location === undefined ? { ...sent, location: [...scopes.location] } : sent;
}

const sentPermissions = z.union([z.array(z.enum(permissions as [Permission, ...Permission[]])).max(100), someScopes]);

/** Permissions of something new: the verbs of each scope (omitted: none), or a list of keys such as `view-devices`. */
export const permissionsInput = sentPermissions.transform((sent): Permission[] =>
  Array.isArray(sent) ? permissions.filter(key => sent.includes(key)) : permissionKeys(withLocation(sent)),
);

/**
 * Permissions in a change: the verbs of each scope (omitted: as before), or a list of all keys. A call that sends the five
 * documented scopes without `location` decides on the location too, as above; else it could not take it away.
 */
export const permissionsChange = sentPermissions.transform((sent): PermissionsChange => {
  if (Array.isArray(sent)) return { keys: permissions.filter(key => sent.includes(key)), scopes: null };
  const whole = documented.every(scope => sent[scope] !== undefined)
    ? withLocation({ location: undefined, ...sent })
    : sent;
  return { keys: permissionKeys(whole), scopes: Object.keys(whole) as Scope[] };
});

const deviceIds = z.array(id).max(1000).nullish();
const roleIds = emptiedByNull(z.array(id).max(20), []).optional();

/** A named set of permissions. The `name` of a built-in role is in the caller's language. */
export const role = z.object({ id, name: z.string(), guard_name: z.string() });

const builtInRoles: Record<string, string> = {
  Manager: 'Yönetici',
  'Reception desk': 'Resepsiyon',
  Technician: 'Teknisyen',
  Viewer: 'İzleyici',
};
/** The name of a role in a language. */
export const roleName = (name: string, language: Language): string =>
  (language === 'tr' ? builtInRoles[name] : undefined) ?? name;

/** An administrator of a location. `deviceIds` null: every device. */
export const member = z.object({
  id,
  first_name: z.string(),
  last_name: z.string(),
  full_name: z.string(),
  email: z.string(),
  phone_number: z.string(),
  /** Document 2 (section 3) names it. Always null: a sign-in token belongs to its owner alone. */
  token: z.null(),
  roles: z.array(role),
  deviceIds: z.array(id).nullable(),
  permissions: everyScope,
  is_owner: z.boolean(),
  created_at: time,
});
export type Member = z.output<typeof member>;

/** An open invitation of a location. */
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

/** The data of an invitation link before sign-in. */
export const invitationPage = z.object({
  status: z.enum(['pending', 'accepted', 'denied', 'cancelled', 'expired']),
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  location: z.object({ name: z.string() }),
  invited_by: z.string().nullable(),
  /** The invited person has an account and signs in; otherwise they register. */
  has_account: z.boolean(),
  expires_at: time,
});
export type InvitationInfo = z.output<typeof invitationPage>;

/** An invitation of the signed-in user. */
export const ownInvitation = z.object({
  id,
  location: z.object({ id, name: z.string() }),
  invited_by: z.string().nullable(),
  created_at: time,
  expires_at: time,
});

/**
 * Granted access. Default of `permissions`: those of the roles, else all permissions of the caller. Default of `deviceIds`
 * (also if empty): all devices of the caller.
 */
export const grant = z.object({ permissions: permissionsInput.optional(), deviceIds, roleIds });
export type Grant = z.output<typeof grant>;

/** A changed grant. Changed permissions always contain `view-basic-stats`, if the caller holds it. Forms may send the e-mail that they show, which only its owner can change. */
const memberForm = grant.extend({ permissions: permissionsChange.optional(), email: unlessEmpty(email.nullish()) });
export type MemberForm = z.output<typeof memberForm>;

const maybeName = name.or(z.literal('')).nullish();
/** The documents list `password`. It is not kept, because the inviting user must not know it: see `invitationSent`. */
export const inviteForm = grant.extend({
  email,
  first_name: maybeName,
  last_name: maybeName,
  password: z.string().max(200).nullish(),
});

/** `warnings` says so if a password was sent. */
const invitationSent = one(invitation).extend({ warnings: z.array(z.string()) });

const memberParams = z.object({ id, userId: id });

export const teamApi = {
  list: endpoint({
    method: 'GET',
    path: '/v1/panel/location/:id/user',
    access: 'read-location',
    location: 'id',
    summary: 'Administrators of a location',
    params: idParams,
    query: z.object({
      ...pageQuery(),
      search: text.optional(),
      /** `since`: by the time when they joined. */
      sort: z.enum(memberOrders).default('since'),
      order: z.enum(['asc', 'desc']).default('desc'),
    }),
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
    reply: invitationSent,
    status: 201,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/v1/panel/location/:id/user/:userId',
    access: 'update-location',
    location: 'id',
    summary: 'Change the permissions of an administrator',
    params: memberParams,
    body: memberForm,
    reply: one(member),
  }),
  updateDevices: endpoint({
    method: 'PUT',
    path: '/v1/panel/user/team/device/:id',
    access: 'update-location',
    summary:
      'Change the permissions of an administrator in the active team; without one, in the only location of the administrator or in that of `deviceIds`',
    params: idParams,
    body: memberForm,
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
    summary: 'Open invitations',
    params: idParams,
    query: z.object(pageQuery()),
    reply: page(invitation),
  }),
  inviteMember: endpoint({
    method: 'POST',
    path: '/v1/team/members/invite/:id',
    access: 'update-location',
    location: 'id',
    summary: 'Invite someone to a location (another path of the same call)',
    params: idParams,
    body: inviteForm,
    reply: invitationSent,
    status: 201,
  }),
  resend: endpoint({
    method: 'POST',
    path: '/v1/team/members/invite/resend/:id',
    access: 'update-location',
    summary: 'Send an invitation again, with a new link for 7 days',
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
    summary: 'The data of an invitation',
    refusals: [409],
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
    summary: 'Open invitations of the caller',
    query: z.object(shortPageQuery()),
    reply: page(ownInvitation),
  }),
  denyOwn: endpoint({
    method: 'POST',
    path: '/v1/panel/user/invite/deny/:id',
    access: 'signed-in',
    summary: 'Decline an invitation of the caller',
    params: idParams,
    reply: 'none',
  }),
} as const;
