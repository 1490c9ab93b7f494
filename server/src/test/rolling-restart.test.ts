import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { startApi } from './harness.ts';
import { startNginx } from './nginx.ts';
import { freePort, freePorts, type ServerProcess, startProcess } from './process.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'portico-rolling-'));
chmodSync(folder, 0o755);
const stops: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
  rmSync(folder, { recursive: true, force: true });
});

test('two APIs behind nginx are restarted one after the other, and no request fails', async () => {
  const api = await startApi();
  const { token } = await api.user('tenant-admin');
  const url = api.app.db.pool.options.connectionString!.replace('@/', '@localhost/');
  const settings = {
    DATABASE_URL: url,
    SERVICES: 'api',
    RATE_LIMIT: '1000000',
    DRAIN_SECONDS: '5',
    SECRET_KEY: 'k'.repeat(32),
  };
  const both = await Promise.all([freePorts(), freePorts()]);
  const running: ServerProcess[] = [];
  stops.push(async () => {
    await Promise.all(running.map(it => it.stop()));
  });
  const start = (i: 0 | 1) => startProcess(folder, { ...settings, ...both[i] });
  running.push(await start(0), await start(1));
  const port = await freePort();
  stops.push(
    await startNginx(
      folder,
      port,
      both.map(it => it.PORT),
    ),
  );

  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'x-tenant': 'panel' };
  const failures: string[] = [];
  let answered = 0;
  let over = false;
  const names = new Set<string>();
  async function client(number: number): Promise<void> {
    for (let i = 0; !over; i++) {
      const name = `${number}-${i}`;
      const write = i % 4 === 0;
      const init = write ? { method: 'POST', body: JSON.stringify({ name }) } : {};
      // With a key, as the panel sends it, so that a POST that nginx repeats is done once.
      const keyed = write ? { ...headers, 'idempotency-key': name } : headers;
      await fetch(`http://127.0.0.1:${port}/v1/panel/location`, { ...init, headers: keyed }).then(
        async answer => {
          const text = await answer.text();
          if (!answer.ok) failures.push(`${answer.status} ${text}`);
          else if (write) names.add(name);
        },
        (error: Error) => failures.push(error.message),
      );
      answered++;
      await sleep(40);
    }
  }
  const clients = Array.from({ length: 8 }, (_, i) => client(i));
  /** nginx takes the processes in turn, so each that runs has then answered. */
  async function bothAnswer(): Promise<void> {
    const before = answered;
    await expect.poll(() => answered - before, { interval: 20 }).toBeGreaterThanOrEqual(50);
  }
  for (const i of [0, 1] as const) {
    await bothAnswer();
    const stop = running[i]!.stop();
    // A load balancer with health checks of its own sees the drain first.
    await expect
      .poll(() => fetch(`http://127.0.0.1:${both[i].PORT}/readyz`).then(answer => answer.status), { interval: 20 })
      .toBe(503);
    await stop;
    running[i] = await start(i);
  }
  await bothAnswer();
  over = true;
  await Promise.all(clients);
  expect(failures).toEqual([]);
  const { rows } = await api.app.db.pool.query<{ name: string }>('select name from locations');
  expect(new Set(rows.map(row => row.name))).toEqual(names);
});
