import type { Settings } from '../../settings.ts';
import { checkDatabase } from './database.ts';
import { type Finding, failure, messageOf } from './finding.ts';
import { checkDisk, checkFolder, checkSettings, checkVersions } from './machine.ts';
import { checkDns, checkMail, checkTls } from './network.ts';
import { answersAt, checkPorts } from './ports.ts';
import { checkStores } from './stores.ts';

/** `withDatabase` gives the address of the database; it rejects if the embedded one does not start. */
type WithDatabase = (work: (url: string) => Promise<Finding[]>) => Promise<Finding[]>;

/** A process that stood still for so long may have ended a wait before it read the answer that was there. */
const stoodStillMs = 1000;

/** Runs all checks without changing anything. The findings are in the order of the checks. */
export async function examine(settings: Settings, withDatabase: WithDatabase): Promise<Finding[]> {
  const running = await answersAt(settings.METRICS_HOST, settings.METRICS_PORT);
  const machine = [checkVersions(), checkSettings(settings), checkFolder(settings), checkDisk(settings)];
  // Before the others: the search for the holder of a port makes them wait.
  const ports = checkPorts(settings, running);
  const ofMachine = (await Promise.all([...machine, ports])).flat();
  return [...ofMachine, ...(await askOthers(settings, withDatabase))];
}

/** Asks other programs. A problem that was found while this process stood still is asked about once more. */
async function askOthers(settings: Settings, withDatabase: WithDatabase): Promise<Finding[]> {
  const ask = async () =>
    (
      await Promise.all([
        checkDns(settings),
        checkTls(settings),
        withDatabase(url => checkDatabase(settings, url)).catch((error: unknown) => [
          failure('database', messageOf(error), 'Read DATA_DIR/postgres/postgres.log'),
        ]),
        checkMail(settings),
        checkStores(settings),
      ])
    ).flat();
  const longestStop = watchStops();
  const findings = await ask();
  return longestStop() > stoodStillMs && findings.some(it => it.level !== 'ok') ? ask() : findings;
}

/** Returns a function that ends the watch and tells for how many milliseconds this process stood still at most. */
function watchStops(): () => number {
  let last = performance.now();
  let longest = 0;
  const look = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(look, 100);
  return () => {
    look();
    clearInterval(timer);
    return longest;
  };
}
