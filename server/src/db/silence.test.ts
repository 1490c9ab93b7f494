import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sql from 'sql-template-tag';
import { expect, test, vi } from 'vitest';
import { afterFile } from '#test/after-file.ts';
import { startFragileDatabase } from '#test/fragile-database.ts';
import { isUnavailable } from './errors.ts';
import { listenToChanges } from './listen.ts';
import { createPool, giveUpConnections } from './pool.ts';
import { createDatabase } from './tenant.ts';

const database = await startFragileDatabase();
// Long enough for a busy machine, which must not look silent.
const pool = createPool(database.url, { max: 4, onError: () => undefined, connectMs: 2000 });
const db = createDatabase(pool);
const errors: string[] = [];
const changes = listenToChanges(database.url, error => errors.push(error.message), {
  askEveryMs: 100,
  silentTurns: 20,
});
changes.onSilence(() => giveUpConnections(pool));
afterFile(async () => {
  await changes.close();
  await pool.end();
});

test('what waits for a server that has fallen silent fails, and the next one works when it is back', async () => {
  const heard = vi.fn();
  const begun = vi.fn();
  changes.subscribe(heard);
  changes.onListening(begun);
  await expect.poll(() => begun.mock.calls.length).toBe(1);
  await db.withSystem(tx => tx.one(sql`select 1 as n`));
  database.fallSilent();
  for (const way of ['withSystem', 'systemTrip'] as const) {
    const error = await db[way](tx => tx.one(sql`select 1 as n`)).catch((it: unknown) => it);
    expect(isUnavailable(error), String(error)).toBe(true);
  }
  expect(errors).toContain('The database does not answer');
  database.mend();
  // Its listener hears again, and is told that it may have missed something.
  await expect.poll(() => begun.mock.calls.length).toBe(2);
  const change = { tenant: 't', location: null, topic: 'devices' };
  await db.withSystem(tx => tx.run(sql`select pg_notify('portico', ${JSON.stringify(change)})`));
  await expect.poll(() => heard.mock.calls).toContainEqual([change]);
});

test('a unix socket whose queue is full, because the server hangs, is away', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'portico-socket-'));
  const socket = path.join(folder, 's');
  const listens = `require('net').createServer().listen({ path: ${JSON.stringify(socket)}, backlog: 1 }, () => {
    console.log('listens'); setTimeout(() => process.kill(process.pid, 'SIGSTOP'), 10); });`;
  const server = spawn(process.execPath, ['-e', listens], { stdio: ['ignore', 'pipe', 'inherit'] });
  const waiting: ReturnType<typeof connect>[] = [];
  try {
    await once(server.stdout, 'data');
    const refused = () =>
      new Promise<unknown>(resolve => {
        const it = connect(socket, () => resolve(undefined)).on('error', resolve);
        waiting.push(it);
      });
    let error: unknown;
    // Connections before the process stops are taken.
    await expect.poll(async () => (error = await refused()), { interval: 20 }).toBeDefined();
    expect(error).toMatchObject({ code: 'EAGAIN', syscall: 'connect' });
    expect(isUnavailable(error)).toBe(true);
  } finally {
    for (const it of waiting) it.destroy();
    server.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  }
});
