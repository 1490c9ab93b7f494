import type { teamApi } from '@portico/contract/team.ts';
import { say } from '@portico/contract/validation.ts';
import type { Handlers } from '#http/call.ts';
import { paged, whole } from '#http/page.ts';
import { denyByLink, denyOwn, showInvitation } from './answer.service.ts';
import { listInvitations, listOwn } from './invitations.queries.ts';
import { cancel, describeInvitation, invite, resend } from './invitations.service.ts';
import { listMembers } from './members.queries.ts';
import { describeMember, locationOf, revokeMember, updateMember } from './members.service.ts';

/** Two paths of one call. */
async function sendInvitation(call: Parameters<Handlers<typeof teamApi>['invite']>[0]) {
  const { actor, params, body, language } = call;
  const row = await invite(call, actor, params.id, body);
  return {
    data: describeInvitation(row, language),
    warnings: body.password ? [say('invited_password', language)] : [],
  };
}

export const teamRoutes: Handlers<typeof teamApi> = {
  list: async call => {
    const { rows, total } = await call.inTenant(tx => listMembers(tx, call.params.id, call.query));
    return paged(call, { rows: rows.map(row => describeMember(row, call.language)), total });
  },
  invite: sendInvitation,
  inviteMember: sendInvitation,
  update: async ({ actor, params, body, inTenant, language }) => {
    const change = { locationId: params.id, userId: params.userId, grant: body };
    return { data: describeMember(await inTenant(tx => updateMember(tx, actor, change)), language) };
  },
  updateDevices: async ({ actor, params, body, inTenant, language }) => {
    const row = await inTenant(async tx => {
      const locationId = await locationOf(tx, actor, { userId: params.id, deviceIds: body.deviceIds ?? [] });
      return updateMember(tx, actor, { locationId, userId: params.id, grant: body });
    });
    return { data: describeMember(row, language) };
  },
  revoke: ({ actor, params, inTenant }) => inTenant(tx => revokeMember(tx, actor, params.id, params.userId)),
  invites: async call => {
    const { rows, total } = await call.inTenant(tx => listInvitations(tx, call.params.id, call.query));
    return paged(call, { rows: rows.map(row => describeInvitation(row, call.language)), total });
  },
  resend: async call => ({ data: describeInvitation(await resend(call, call.actor, call.params.id), call.language) }),
  cancel: ({ actor, params, inTenant }) => inTenant(tx => cancel(tx, actor, params.id)),
  show: async ({ params, inTenant }) => ({ data: await inTenant(tx => showInvitation(tx, params.token)) }),
  deny: ({ params, inTenant, request }) => inTenant(tx => denyByLink(tx, params.token, request.ip)),
  own: async call => {
    const rows = await call.inTenant(tx => listOwn(tx, call.actor.userId));
    return whole(
      call,
      rows.map(row => ({
        id: row.id,
        location: { id: row.location_id, name: row.location_name },
        invited_by: row.inviter,
        created_at: row.created_at,
        expires_at: row.expires_at,
      })),
    );
  },
  denyOwn: ({ actor, params, inTenant }) => inTenant(tx => denyOwn(tx, actor, params.id)),
};
