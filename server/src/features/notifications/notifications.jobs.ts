import type { App } from '#lib/app.ts';
import { mailDigests, mailNotices } from './mails.service.ts';
import { deleteOldNotifications } from './notifications.queries.ts';
import { sendPushes } from './push-send.service.ts';

export const notificationJobs = [
  { name: 'mail notices', everyMs: 5000, run: mailNotices },
  { name: 'push notices', everyMs: 1000, run: sendPushes },
  { name: 'mail daily notices', everyMs: 60_000, run: mailDigests },
  {
    name: 'old notifications',
    everyMs: 24 * 3_600_000,
    erases: true as const,
    run: async (app: App) => void (await app.db.withSystem(deleteOldNotifications)),
  },
];
