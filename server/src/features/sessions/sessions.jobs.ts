import type { App } from '#lib/app.ts';
import { dropOldFailures, eraseInputs } from './failed-logins.queries.ts';
import { compareFigures } from './figures.jobs.ts';
import { dropEmptyMonths, forgetGuestDevices, forgetSessions } from './retention.queries.ts';
import { sendWaitingCommands } from './sessions.service.ts';
import { closeStale, ensurePartitions, forgetExpired } from './sign-in.queries.ts';
import { keepUnreported } from './unreported.ts';

/** The repeating work of the sessions. Each does no harm when done twice. */
export const sessionJobs = [
  { name: 'close stale sessions', everyMs: 30_000, run: closeAllStale },
  { name: 'send session commands', everyMs: 3000, run: sendWaitingCommands },
  { name: 'sessions that no router reports', everyMs: 60_000, run: keepUnreported },
  { name: 'forget expired tickets', everyMs: 300_000, run: (app: App) => app.db.withSystem(forgetExpired) },
  {
    name: 'make partitions',
    everyMs: 6 * 3_600_000,
    run: async (app: App) => {
      await app.db.withSystem(ensurePartitions);
    },
  },
  { name: 'compare figures', everyMs: 24 * 3_600_000, run: compareFigures },
  { name: 'erase old failed sign-ins', everyMs: 6 * 3_600_000, erases: true as const, run: eraseFailures },
  { name: 'forget old sessions', everyMs: 6 * 3_600_000, erases: true as const, run: forgetOld },
];

async function closeAllStale(app: App): Promise<void> {
  // After a long silence there may be more than one transaction should hold.
  while ((await app.db.withSystem(closeStale)) >= 500);
}

const batch = 5000;

/** First what was typed, and the attempt itself when visitors of its time are erased too. */
async function eraseFailures(app: App): Promise<void> {
  const { FAILED_LOGIN_RETENTION_DAYS: inputs, VISITOR_RETENTION_DAYS: visitors } = app.settings;
  while ((await app.db.withSystem(tx => eraseInputs(tx, inputs, batch))) >= batch);
  while ((await app.db.withSystem(tx => dropOldFailures(tx, Math.max(inputs, visitors), batch))) >= batch);
}

/** Sessions are part of the legal record, and end with it. */
async function forgetOld(app: App): Promise<void> {
  const { LOG_RETENTION_DAYS: days } = app.settings;
  while ((await app.db.withSystem(tx => forgetSessions(tx, { days, limit: batch }))) >= batch);
  await app.db.withSystem(tx => forgetGuestDevices(tx, days));
  await app.db.withSystem(dropEmptyMonths);
}
