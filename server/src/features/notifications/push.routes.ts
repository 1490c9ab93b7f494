import type { pushApi } from '@portico/contract/push.ts';
import type { Handlers } from '#http/call.ts';
import { listBrowsers } from './push.queries.ts';
import { putBrowser, removeBrowser } from './push.service.ts';
import { pushKeys } from './push-keys.ts';

export const pushRoutes: Handlers<typeof pushApi> = {
  list: async ({ app, actor, inTenant }) => {
    const { publicKey } = await pushKeys(app);
    const browsers = await inTenant(tx => listBrowsers(tx, actor.userId, publicKey));
    return { data: { public_key: publicKey, browsers } };
  },
  put: async call => {
    const { made, data } = await putBrowser(call, call.actor, call.body);
    if (made) call.reply.code(201);
    return { data };
  },
  delete: ({ actor, params, inTenant }) => inTenant(tx => removeBrowser(tx, actor, params.id)),
};
