import type { App } from '#lib/app.ts';
import { deleteOldScans } from './menu.queries.ts';

/** A row of desks shows the sum of its scans, which is that of these days; the list shows 30 of them. */
const keptDays = 400;

export const qrMenuJobs = [
  {
    name: 'delete old scans of menus',
    everyMs: 6 * 3_600_000,
    erases: true as const,
    run: async (app: App) => void (await app.db.withSystem(tx => deleteOldScans(tx, keptDays))),
  },
];
