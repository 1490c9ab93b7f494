import type { auditApi } from '@portico/contract/audit.ts';
import { invalid } from '#http/app-error.ts';
import type { Handlers } from '#http/call.ts';
import { paged } from '#http/page.ts';
import { isReversed, listEntries } from './audit.queries.ts';
import { exportEntries } from './audit-file.ts';

export const auditRoutes: Handlers<typeof auditApi> = {
  list: async call => {
    const { actor, query, reply } = call;
    if (await call.inTenant(tx => isReversed(tx, actor, query))) throw invalid({ end_at: 'after_start' });
    if (query.download) {
      reply.header('content-disposition', 'attachment; filename="audit-log.csv"');
      return exportEntries(call, actor, query);
    }
    return paged(call, await call.inTenant(tx => listEntries(tx, actor, query)));
  },
};
