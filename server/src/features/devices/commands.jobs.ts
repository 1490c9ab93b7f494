import { protocolOf } from '@portico/contract/router-control.ts';
import type { App } from '#lib/app.ts';
import { asRouterError, RouterError, type RouterLink } from '#routers/router-control.ts';
import * as queries from './commands.queries.ts';
import { openRouter, readConnection } from './connection.service.ts';
import { pinCertificate } from './router-link.queries.ts';
import { deleteOldScripts } from './script-link.queries.ts';

/** Pauses between attempts in seconds; the last one repeats. After this many attempts a command has failed. */
const pauses = [5, 15, 60, 300, 900, 3600];
const maxAttempts = 12;
/**
 * Time limit for all commands of one router in one run. It must stay below the lease of a command: COA_TIMEOUT is at
 * most 30 s.
 */
const timeouts = 4;
const maxMs = 50_000;
const limits = { devices: 20, commands: 50 };

export const commandJobs = [
  { name: 'send router commands', everyMs: 2000, patienceMs: 2000, run: sendRouterCommands },
  {
    name: 'delete old router commands',
    everyMs: 24 * 3_600_000,
    erases: true as const,
    run: async (app: App) => void (await app.db.withSystem(queries.deleteOldCommands)),
  },
  {
    name: 'forget unfetched scripts',
    everyMs: 3_600_000,
    run: async (app: App) => void (await app.db.withSystem(deleteOldScripts)),
  },
];

/** Sends due commands. The transaction that claimed them is over, so no lock waits for a router. */
export async function sendRouterCommands(app: App): Promise<void> {
  await app.db.withSystem(queries.failLateLogouts);
  const claimed = await app.db.withSystem(tx => queries.claimDue(tx, limits));
  const routers = Map.groupBy(claimed, it => `${it.tenant_id} ${it.device_id}`);
  await Promise.all([...routers.values()].map(commands => sendTo(app, commands)));
}

/** Sends a router its commands in order. If the connection breaks, the others wait. */
async function sendTo(app: App, commands: readonly queries.ClaimedCommand[]): Promise<void> {
  const { tenant_id, device_id, connection: stored, certificate: pin } = commands[0]!;
  const connection = readConnection(app.secrets, stored);
  const driver = connection ? protocolOf(connection) : 'rest';
  const store = (command: queries.ClaimedCommand, outcome: Omit<queries.Outcome, 'driver'>) =>
    app.db.withTenant(tenant_id, tx => queries.answerCommand(tx, command.id, { ...outcome, driver }));
  let link: RouterLink | undefined;
  let broken: RouterError | undefined;
  try {
    if (!connection) throw new RouterError('login', 'the stored password cannot be read: enter the connection again');
    link = await openRouter(app, connection, {
      brand: commands[0]!.brand,
      pin,
      timeoutMs: Math.min(app.settings.COA_TIMEOUT * 1000 * timeouts, maxMs),
    });
    const { certificate } = link;
    if (certificate && !pin)
      await app.db.withTenant(tenant_id, tx => pinCertificate(tx, device_id, { certificate, connection: stored }));
  } catch (error) {
    broken = asRouterError(error);
  }
  try {
    for (const [i, command] of commands.entries()) {
      const error = broken ?? (await link!.apply(command.command).then(() => undefined, asRouterError));
      if (!error) await store(command, { state: 'done', words: '' });
      else {
        // Only the first command was tried on a broken connection.
        await store(command, outcomeOf(command, error, broken !== undefined && i > 0));
        if (error.kind !== 'refused') broken ??= error;
      }
    }
  } finally {
    link?.close();
  }
}

function outcomeOf(
  command: queries.ClaimedCommand,
  { kind, message: words }: RouterError,
  untouched: boolean,
): Omit<queries.Outcome, 'driver'> {
  const attempts = command.attempts - (untouched ? 1 : 0);
  const pauseSeconds = pauses[Math.min(Math.max(attempts, 1), pauses.length) - 1]!;
  const permanent = kind !== 'unreachable' && !(kind !== 'refused' && command.polls);
  const exhausted = attempts >= maxAttempts && !command.polls;
  return permanent || exhausted ? { state: 'failed', words } : { state: 'queued', words, pauseSeconds, untouched };
}
