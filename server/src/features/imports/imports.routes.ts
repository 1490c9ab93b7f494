import type { importsApi } from '@portico/contract/imports.ts';
import { actorIn } from '#features/locations/public.ts';
import type { Handlers } from '#http/call.ts';
import { paged } from '#http/page.ts';
import { listImports } from './imports.queries.ts';
import * as service from './imports.service.ts';
import { exportImported, importedSessions } from './sessions/imported-sessions.service.ts';
import { addPart, announceSessions } from './sessions/session-imports.service.ts';
import { uploadImport } from './upload.service.ts';

export const importsRoutes: Handlers<typeof importsApi> = {
  list: async call =>
    paged(
      call,
      await call.read(async tx => listImports(tx, (await actorIn(tx, call.actor, call.query)).scope, call.query)),
    ),
  create: async call => ({ data: await uploadImport(call, call.body.location_id, call.file) }),
  createSessions: async call => ({ data: await announceSessions(call, call.body) }),
  addPart: async call => ({ data: await addPart(call, call.params.id, call.body.starts_at, call.file) }),
  sessions: async call => {
    if (!call.query.download) return paged(call, await importedSessions(call, call.query));
    call.reply.header('content-disposition', 'attachment; filename="imported-sessions.csv"');
    return exportImported(call, call.query);
  },
  get: async call => ({ data: await service.getImport(call, call.params.id) }),
  update: async call => ({ data: await service.chooseForImport(call, call.params.id, call.body) }),
  start: async call => ({ data: await service.startImport(call, call.params.id) }),
  delete: async call => service.deleteImport(call, call.params.id),
};
