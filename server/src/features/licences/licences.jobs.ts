import type { App } from '#lib/app.ts';
import { listEnding } from './licences.queries.ts';
import { notifyOfEnding } from './licences.service.ts';

export async function notifyOfEndings(app: App): Promise<void> {
  for (const it of await app.db.withSystem(listEnding))
    await app.db.withTenant(it.tenant_id, tx => notifyOfEnding(tx, app, it));
}

export const licenceJobs = [{ name: 'licences that end', everyMs: 3_600_000, run: notifyOfEndings }];
