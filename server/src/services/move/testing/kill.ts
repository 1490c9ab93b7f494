import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { ofChildren } from '#test/process.ts';
import type { Place } from './places.ts';

const script = fileURLToPath(new URL('../../../cli.ts', import.meta.url));
const start = (args: readonly string[], place: Place) =>
  spawn(process.execPath, [script, ...args], { env: { ...ofChildren, ...place.environment } });

/** Kills a move as soon as it says this. */
export async function killAt(said: RegExp, args: readonly string[], source: Place): Promise<void> {
  const child = start(args, source);
  let out = '';
  const exit = new Promise<string | null>(resolve => child.once('close', (_, signal) => resolve(signal)));
  child.stdout.on('data', chunk => {
    out += chunk;
    if (said.test(out)) child.kill('SIGKILL');
  });
  expect([await exit, out]).toEqual(['SIGKILL', expect.stringMatching(said)]);
}

/** Counts imports that wait for a lock. */
export const waitsToLoad = `select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and application_name = 'portico import' and datname = current_database()`;

/** Kills a move in the transaction that adds the rows, while it waits for a table. */
export async function killWhileLoading(args: readonly string[], source: Place, target: Place): Promise<void> {
  const client = await target.pool.connect();
  await client.query('begin; lock table visitors in access exclusive mode');
  const child = start(args, source);
  const exit = new Promise(resolve => child.once('close', resolve));
  await expect.poll(async () => (await target.pool.query(waitsToLoad)).rows).toEqual([{ n: 1 }]);
  child.kill('SIGKILL');
  await exit;
  await client.query('rollback');
  client.release();
  await expect
    .poll(
      async () =>
        (
          await target.pool.query(
            `select from pg_stat_activity where application_name = 'portico import' and datname = current_database()`,
          )
        ).rowCount,
      { timeout: 30_000 },
    )
    .toBe(0);
}
