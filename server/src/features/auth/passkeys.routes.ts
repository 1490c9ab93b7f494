import type { passkeysApi } from '@portico/contract/passkeys.ts';
import type { Handlers } from '#http/call.ts';
import { signInOptions, signInWithPasskey } from './passkey-sign-in.service.ts';
import { listPasskeys } from './passkeys.queries.ts';
import { addPasskey, beginPasskey, describePasskey, removePasskey, renamePasskey } from './passkeys.service.ts';

export const passkeysRoutes: Handlers<typeof passkeysApi> = {
  list: async call => ({
    data: (await call.inTenant(tx => listPasskeys(tx, call.actor.userId))).map(row => describePasskey(call, row)),
  }),
  begin: async call => ({ data: await beginPasskey(call, call.actor, call.body.password) }),
  create: async call => ({ data: await addPasskey(call, call.actor, call.body) }),
  update: async call => ({ data: await renamePasskey(call, call.actor, call.params.id, call.body.name) }),
  delete: async call => ({ data: await removePasskey(call, call.actor, call.params.id, call.body.password) }),
  signInOptions: async call => ({ data: await signInOptions(call, call.body) }),
  signIn: async call => ({ data: await signInWithPasskey(call, call.body.passkey) }),
};
