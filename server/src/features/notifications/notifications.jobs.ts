import type { App } from '#lib/app.ts';
import { deleteOldNotifications } from './notifications.queries.ts';

export const notificationJobs = [
  {
    name: 'old notifications',
    everyMs: 24 * 3_600_000,
    erases: true as const,
    run: async (app: App) => void (await app.db.withSystem(deleteOldNotifications)),
  },
];
