import type { Settings } from '../../settings.ts';
import { checkDatabase } from './database.ts';
import { type Finding, failure, messageOf } from './finding.ts';
import { checkDisk, checkFolder, checkSettings, checkVersions } from './machine.ts';
import { checkDns, checkMail, checkTls } from './network.ts';
import { answersAt, checkPorts } from './ports.ts';
import { checkStores } from './stores.ts';

/** `withDatabase` gives the address of the database; it rejects if the embedded one does not start. */
type WithDatabase = (work: (url: string) => Promise<Finding[]>) => Promise<Finding[]>;

/** Runs all checks without changing anything. The findings are in the order of the checks. */
export async function examine(settings: Settings, withDatabase: WithDatabase): Promise<Finding[]> {
  const running = await answersAt(settings.METRICS_HOST, settings.METRICS_PORT);
  const checks = [
    checkVersions(),
    checkSettings(settings),
    checkFolder(settings),
    checkDisk(settings),
    checkPorts(settings, running),
    checkDns(settings),
    checkTls(settings),
    withDatabase(url => checkDatabase(settings, url)).catch((error: unknown) => [
      failure('database', messageOf(error), 'Read DATA_DIR/postgres/postgres.log'),
    ]),
    checkMail(settings),
    checkStores(settings),
  ];
  return (await Promise.all(checks)).flat();
}
