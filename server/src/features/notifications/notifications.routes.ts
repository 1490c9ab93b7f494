import type { notificationsApi } from '@portico/contract/notifications.ts';
import type { Handlers } from '#http/call.ts';
import { paged } from '#http/page.ts';
import { listNotifications } from './notifications.queries.ts';
import { describeEntry, read, readAll } from './notifications.service.ts';

export const notificationsRoutes: Handlers<typeof notificationsApi> = {
  list: async call => {
    const { rows, total, unread } = await call.inTenant(tx => listNotifications(tx, call.actor, call.query));
    const page = paged(call, { rows: rows.map(row => describeEntry(row, call.language)), total });
    return { ...page, meta: { ...page.meta, unread } };
  },
  read: async ({ actor, inTenant, language, params }) => ({
    data: describeEntry(await inTenant(tx => read(tx, actor, params.id)), language),
  }),
  readAll: ({ actor, inTenant, query }) => inTenant(tx => readAll(tx, actor, query.until)),
};
