import { logsApi } from '@portico/contract/logs.ts';
import { authenticate } from '#features/auth/public.ts';
import { allows } from '#http/actor.ts';
import type { Handlers } from '#http/call.ts';
import { paged } from '#http/page.ts';
import { checkNow } from './logs.jobs.ts';
import {
  checkable,
  listLogFiles,
  logHistogram,
  maySeeLogs,
  openDownload,
  popular,
  recordState,
} from './logs.service.ts';
import { openTail } from './tail.ts';

export const logsRoutes: Handlers<typeof logsApi> = {
  list: async call => {
    const { app, actor, params, query, inTenant } = call;
    return paged(call, await inTenant(tx => listLogFiles(tx, { app, actor, deviceId: params.id }, query)));
  },
  histogram: async call => ({
    data: await logHistogram(call, call.params.id, call.query),
  }),
  popularWebsite: async call => ({
    data: await popular(call, call.params.id, 'website', call.query),
  }),
  popularApplication: async call => ({
    data: await popular(call, call.params.id, 'application', call.query),
  }),
  popularCountry: async call => ({
    data: await popular(call, call.params.id, 'country', call.query),
  }),
  record: async ({ app, actor, params, inTenant }) => ({
    data: await inTenant(tx => recordState(tx, app, actor, params.id)),
  }),
  verify: async ({ app, actor, params, inTenant }) => {
    const device = await inTenant(tx => checkable(tx, actor, params.id));
    if (device) await checkNow(app, device);
    return { data: await inTenant(tx => recordState(tx, app, actor, params.id)) };
  },
  tail: call =>
    openTail(call, call.params.id, call.query, async () => {
      const actor = await authenticate(call).catch(() => undefined);
      return (
        actor !== undefined && allows(actor, logsApi.tail.access) && (await maySeeLogs(call, actor, call.params.id))
      );
    }),
  download: async ({ app, params, request, reply }) => {
    const { stream, name } = await openDownload(app, params.token, request.ip);
    reply.type('application/gzip').header('content-disposition', `attachment; filename="${name}"`);
    return stream;
  },
};
