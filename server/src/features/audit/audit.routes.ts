import { Readable } from 'node:stream';
import type { auditApi } from '@portico/contract/audit.ts';
import type { Handlers } from '#http/call.ts';
import { paged } from '#http/page.ts';
import { listEntries } from './audit.queries.ts';
import { exportEntries } from './audit.service.ts';

export const auditRoutes: Handlers<typeof auditApi> = {
  list: async call => {
    const { actor, query, reply } = call;
    if (query.download) {
      reply.type('text/csv; charset=utf-8').header('content-disposition', 'attachment; filename="audit-log.csv"');
      return Readable.from(exportEntries(call, actor, query)) as never;
    }
    return paged(call, await call.inTenant(tx => listEntries(tx, actor, query)));
  },
};
