import type { App } from '#lib/app.ts';
import { listArchived } from './archive.queries.ts';
import { sessionArchive } from './archive-store.ts';

/** Whether a tenant has sessions in the archive. Rejects if the archive is away. */
export async function hasArchivedSessions(app: App, tenantId: string): Promise<boolean> {
  const archive = sessionArchive(app.settings);
  const batches = archive ? await app.db.readTenant(tenantId, listArchived) : [];
  return archive !== undefined && batches.length > 0 && (await archive.of(tenantId, batches).count({}, 1)) > 0;
}
