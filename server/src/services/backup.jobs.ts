import { runAlone } from '#db/alone.ts';
import { directUrl } from '#db/direct-url.ts';
import type { App } from '#lib/app.ts';
import { counter } from '#lib/metrics.ts';
import { makeBackup, pruneBackups, unfinishedCopies } from './backup.ts';
import { passphraseOf } from './backup-cipher.ts';
import { noteBackupAttempt, noteBackupMade, noteBackupProblem, readBackupState } from './installation.queries.ts';

/** Makes the backups of BACKUP_TO. Of several processes one makes it. */
export const backupJobs = [{ name: 'make backups', everyMs: 60_000, run: makeDueBackup }];

const retrySeconds = 900;

/** The last time of BACKUP_AT that is not in the future. */
export function lastDue(times: readonly string[], now: Date): Date {
  const day = (ago: number) => new Date(now.getTime() - ago * 86_400_000).toISOString().slice(0, 10);
  const moments = [0, 1].flatMap(ago => times.map(time => Date.parse(`${day(ago)}T${time}:00Z`)));
  return new Date(Math.max(...moments.filter(moment => moment <= now.getTime())));
}

async function makeDueBackup(app: App): Promise<void> {
  const { settings } = app;
  const to = settings.BACKUP_TO;
  if (!to) return;
  const due = lastDue(settings.BACKUP_AT, new Date());
  const isDue = async () => {
    const { made_for: madeFor, tried_for: triedFor } = await app.db.withSystem(readBackupState);
    // A clock that was ahead noted times that have not come yet. They say nothing.
    if (madeFor !== null && new Date(madeFor) >= due && new Date(madeFor) <= new Date()) return false;
    return triedFor === null || triedFor < 0 || triedFor >= retrySeconds;
  };
  if (!(await isDue())) return;
  const url = directUrl(settings);
  await runAlone(url, 'backup', async () => {
    if (!(await isDue())) return;
    await app.db.withSystem(noteBackupAttempt);
    try {
      const made = await makeBackup(settings, url, to, { passphrase: passphraseOf(settings) });
      await app.db.withSystem(tx => noteBackupMade(tx, due));
      backups().inc({ outcome: 'made' });
      app.log.info({ backup: made }, 'a backup was made');
    } catch (error) {
      backups().inc({ outcome: 'failed' });
      const problem = (error as Error).message.split('\n')[0]!.slice(0, 300);
      await app.db.withSystem(tx => noteBackupProblem(tx, problem)).catch(() => undefined);
      throw error;
    }
    const unfinished = await unfinishedCopies(settings, to).catch(() => []);
    if (unfinished.length > 0) app.log.warn({ unfinished }, 'copies without a manifest are no backups: remove them');
    const problem = await pruneBackups(settings, to, settings.BACKUP_KEEP);
    if (problem === undefined) return;
    await app.db.withSystem(tx => noteBackupProblem(tx, problem));
    app.log.warn({ problem }, 'an old backup was not removed');
  });
}

const backups = () => counter('portico_backups_total', 'Backups by schedule, by outcome: made, failed', ['outcome']);
