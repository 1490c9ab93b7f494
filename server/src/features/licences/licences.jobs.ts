import type { App } from '#lib/app.ts';
import { listEnding } from './licences.queries.ts';
import { tellOfEnding } from './licences.service.ts';

export async function tellOfEndings(app: App): Promise<void> {
  for (const it of await app.db.withSystem(listEnding))
    await app.db.withTenant(it.tenant_id, tx => tellOfEnding(tx, app, it));
}

export const licenceJobs = [{ name: 'licences that end', everyMs: 3_600_000, run: tellOfEndings }];
