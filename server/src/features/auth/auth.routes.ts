import { isDeepStrictEqual } from 'node:util';
import type { authApi } from '@portico/contract/auth.ts';
import { liveEvents } from '#features/notifications/public.ts';
import { tenantConfig } from '#features/tenants/public.ts';
import type { Handlers } from '#http/call.ts';
import { whole } from '#http/page.ts';
import { updateAccount } from './account.service.ts';
import { authenticate, changeTeam, endSignIn, listSignIns, login } from './auth.service.ts';
import { confirmEmail, sendConfirmationAgain } from './confirmations.service.ts';
import { describeUser } from './describe.service.ts';
import { renewRecoveryCodes } from './recovery-codes.service.ts';
import { acceptByLink, acceptOwn, register } from './register.service.ts';
import { forgotPassword, resetPassword } from './reset.service.ts';
import { beginTwoFactor, confirmTwoFactor, endTwoFactor } from './two-factor.service.ts';

export const authRoutes: Handlers<typeof authApi> = {
  config: async ({ app, tenant, inTenant }) => ({ data: await inTenant(tx => tenantConfig(tx, app, tenant)) }),
  login: async call => ({ data: await login(call, call.body) }),
  register: async call => {
    await register(call, call.body);
    return { data: { tenant: await call.inTenant(tx => tenantConfig(tx, call.app, call.tenant)) } };
  },
  forgotPassword: call => forgotPassword(call, call.body.email),
  resetPassword: call => resetPassword(call, call.body),
  acceptInvitation: async call => ({ data: await acceptByLink(call, call.actor, { ...call.body, ...call.params }) }),
  acceptInvite: async call => ({ data: await acceptOwn(call, call.actor, call.params.id) }),
  confirmEmail: async call => ({ data: await confirmEmail(call, call.actor, call.body) }),
  sendConfirmation: call => sendConfirmationAgain(call, call.actor),
  twoFactor: async call => ({ data: await beginTwoFactor(call, call.actor, call.body.password) }),
  confirmTwoFactor: async call => ({ data: await confirmTwoFactor(call, call.actor, call.body.code) }),
  deleteTwoFactor: async call => ({ data: await endTwoFactor(call, call.actor, call.body.password) }),
  recoveryCodes: async call => ({ data: await renewRecoveryCodes(call, call.actor, call.body.password) }),
  logout: ({ actor, inTenant }) => inTenant(tx => endSignIn(tx, actor, actor.tokenId)),
  me: async ({ actor, inTenant, language }) => ({ data: await inTenant(tx => describeUser(tx, actor, language)) }),
  update: async call => {
    const user = await updateAccount(call, call.actor, call.body);
    return { data: user, message: user };
  },
  changeTeam: async call => ({ data: await changeTeam(call, call.actor, call.params.id) }),
  tokens: async call =>
    whole(call, await call.inTenant(tx => listSignIns(tx, call.actor, call.app.settings.SESSION_IDLE_MINUTES))),
  deleteToken: ({ actor, inTenant, params }) =>
    inTenant(tx => endSignIn(tx, actor, params.id === 'current' ? actor.tokenId : params.id)),
  events: call =>
    liveEvents(call, call.actor, async () => {
      const now = await authenticate(call).catch(() => undefined);
      return now !== undefined && isDeepStrictEqual(now.scope, call.actor.scope);
    }),
};
