import type { tokensApi } from '@portico/contract/tokens.ts';
import type { Handlers } from '#http/call.ts';
import { listPersonal } from './personal-tokens.queries.ts';
import { createPersonalToken, deletePersonalToken } from './personal-tokens.service.ts';

export const tokensRoutes: Handlers<typeof tokensApi> = {
  list: async ({ actor, inTenant }) => ({ data: await inTenant(tx => listPersonal(tx, actor.userId)) }),
  create: async call => ({ data: await createPersonalToken(call, call.actor, call.body) }),
  delete: call => deletePersonalToken(call, call.actor, call.params.id),
};
