import type { authApi } from '@portico/contract/auth.ts';
import { liveEvents } from '#features/notifications/public.ts';
import { tenantConfig } from '#features/tenants/public.ts';
import { notFound } from '#http/app-error.ts';
import type { Handlers } from '#http/call.ts';
import { updateAccount } from './account.service.ts';
import { deleteToken, listTokens } from './auth.queries.ts';
import { authenticate, changeTeam, describeUser, login, register } from './auth.service.ts';

export const authRoutes: Handlers<typeof authApi> = {
  config: async ({ app, tenant, inTenant }) => ({ data: await inTenant(tx => tenantConfig(tx, app, tenant)) }),
  login: async call => ({ data: await login(call, call.body) }),
  register: async call => {
    await register(call, call.body);
    return { data: { tenant: await call.inTenant(tx => tenantConfig(tx, call.app, call.tenant)) } };
  },
  logout: async ({ actor, inTenant }) => {
    await inTenant(tx => deleteToken(tx, actor.userId, actor.tokenId));
  },
  me: async ({ actor, inTenant }) => ({ data: await inTenant(tx => describeUser(tx, actor)) }),
  update: async call => {
    const user = await updateAccount(call, call.actor, call.body);
    return { data: user, message: user };
  },
  changeTeam: async call => ({ data: await changeTeam(call, call.actor, call.params.id) }),
  tokens: async ({ actor, inTenant }) => ({
    data: (await inTenant(tx => listTokens(tx, actor.userId, actor.tokenId))) as never,
  }),
  deleteToken: async ({ actor, inTenant, params }) => {
    const id = params.id === 'current' ? actor.tokenId : params.id;
    if (!(await inTenant(tx => deleteToken(tx, actor.userId, id)))) throw notFound();
  },
  events: call =>
    liveEvents(call, call.actor, async () => (await authenticate(call).catch(() => undefined)) !== undefined),
};
