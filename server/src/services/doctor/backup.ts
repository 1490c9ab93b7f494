import type { Settings } from '../../settings.ts';
import { passphraseOf } from '../backup-cipher.ts';
import { placeOf } from '../backup-places.ts';
import type { DatabaseFacts } from './doctor.queries.ts';
import { type Finding, failure, messageOf, ok, warning } from './finding.ts';

const hourMs = 3_600_000;
/** Two machines may differ by so much. */
const skewMs = 300_000;
const laterRemedy = 'The clock was wrong then, or is now: correct it, then run portico backup';

/** Checks the age of the last backup, and where the jobs make backups. */
export async function checkBackup(settings: Settings, facts: DatabaseFacts): Promise<Finding[]> {
  if (!facts.migrations) return [];
  return [
    checkAge(settings, facts),
    ...(settings.BACKUP_TO ? await checkSchedule(settings, settings.BACKUP_TO, facts) : []),
  ];
}

function checkAge({ NODE_ENV }: Settings, { backedUpAt }: DatabaseFacts): Finding {
  const remedy = 'Set BACKUP_TO, or run portico backup --to … daily (docs/operations.md)';
  const problem = NODE_ENV === 'production' ? failure : warning;
  if (!backedUpAt) return problem('backup', 'there is no backup', remedy);
  if (new Date(backedUpAt).getTime() > Date.now() + skewMs)
    return problem('backup', `the last one is of a time to come, ${new Date(backedUpAt).toISOString()}`, laterRemedy);
  const hours = Math.floor((Date.now() - new Date(backedUpAt).getTime()) / hourMs);
  if (hours >= 36) return problem('backup', `the last one is ${hours} hours old`, remedy);
  return ok('backup', `made ${new Date(backedUpAt).toISOString()}`);
}

async function checkSchedule(settings: Settings, to: string, { backupProblem }: DatabaseFacts): Promise<Finding[]> {
  const findings: Finding[] = [];
  if (backupProblem)
    findings.push(failure('backup', `by schedule: ${backupProblem}`, 'Correct this, then run portico backup'));
  try {
    await placeOf(to, settings).check();
    if (passphraseOf(settings) === undefined && to.startsWith('s3:'))
      findings.push(
        warning('backup', `those in ${to} are not encrypted`, 'Set BACKUP_PASSPHRASE_FILE, and keep the passphrase'),
      );
  } catch (error) {
    findings.push(failure('backup', `${to} cannot be used: ${messageOf(error)}`, 'Correct BACKUP_TO and BACKUP_S3_…'));
  }
  return findings;
}
