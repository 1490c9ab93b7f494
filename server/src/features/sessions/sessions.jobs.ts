import type { App } from '#lib/app.ts';
import { archiveJobs, forgetArchived } from './archive/archive.jobs.ts';
import { followControllers } from './controllers.ts';
import { dropOldFailures, eraseInputs } from './failed-logins.queries.ts';
import { compareFigures, repairNoted } from './figures.jobs.ts';
import { rebuildFinishedMonth } from './finished-months.ts';
import { deleteGuestDevices, deleteSessions, dropEmptyMonths } from './retention.queries.ts';
import { endBlocked } from './session-commands.queries.ts';
import { sendWaitingCommands } from './sessions.service.ts';
import { closeStale, deleteExpired, ensurePartitions } from './sign-in.queries.ts';
import { keepUnreported } from './unreported.ts';

/** Jobs of the sessions. All are idempotent. */
export const sessionJobs = [
  { name: 'close stale sessions', everyMs: 30_000, run: closeAllStale },
  { name: 'send session commands', everyMs: 3000, run: sendWaitingCommands },
  {
    name: 'sessions of blocked devices',
    everyMs: 60_000,
    run: async (app: App) => void (await app.db.withSystem(endBlocked)),
  },
  { name: 'sessions that no router reports', everyMs: 60_000, run: keepUnreported },
  { name: 'follow controllers', everyMs: 15_000, run: followControllers },
  { name: 'forget expired tickets', everyMs: 300_000, run: (app: App) => app.db.withSystem(deleteExpired) },
  {
    name: 'make partitions',
    everyMs: 6 * 3_600_000,
    run: async (app: App) => {
      await app.db.withSystem(ensurePartitions);
    },
  },
  { name: 'rebuild indexes of finished months', everyMs: 6 * 3_600_000, run: rebuildFinishedMonth },
  { name: 'repair figures after a clock', everyMs: 15_000, run: repairNoted },
  { name: 'compare figures', everyMs: 24 * 3_600_000, run: compareFigures },
  { name: 'erase old failed sign-ins', everyMs: 6 * 3_600_000, erases: true as const, run: eraseFailures },
  { name: 'forget old sessions', everyMs: 6 * 3_600_000, erases: true as const, run: forgetOld },
  ...archiveJobs,
];

async function closeAllStale(app: App): Promise<void> {
  // After a long outage, all stale sessions would be too many for one transaction.
  while ((await app.db.withSystem(closeStale)) >= 500);
}

const batch = 5000;

/** Deletes the typed values first, and the attempts with the visitors of that time. */
async function eraseFailures(app: App): Promise<void> {
  const { FAILED_LOGIN_RETENTION_DAYS: inputs, VISITOR_RETENTION_DAYS: visitors } = app.settings;
  while ((await app.db.withSystem(tx => eraseInputs(tx, inputs, batch))) >= batch);
  while ((await app.db.withSystem(tx => dropOldFailures(tx, Math.max(inputs, visitors), batch))) >= batch);
}

/** Sessions are part of the legal record and have its retention period. */
async function forgetOld(app: App): Promise<void> {
  const { LOG_RETENTION_DAYS: days } = app.settings;
  while ((await app.db.withSystem(tx => deleteSessions(tx, { days, limit: batch }))) >= batch);
  await app.db.withSystem(tx => deleteGuestDevices(tx, days));
  await app.db.withSystem(dropEmptyMonths);
  await forgetArchived(app);
}
