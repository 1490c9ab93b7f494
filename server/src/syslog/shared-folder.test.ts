import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listSegments } from './segments.ts';

const script = fileURLToPath(new URL('testing/log-process.ts', import.meta.url));
let folder: string;
const running = new Set<ChildProcess>();
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'portico-shared-'));
});
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

interface Started {
  readonly child: ChildProcess;
  readonly port: number;
  readonly owner: boolean;
}

const start = () =>
  new Promise<Started>((resolve, reject) => {
    const child = fork(script, [folder, '1000'], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    running.add(child);
    child.once('exit', code => {
      running.delete(child);
      reject(new Error(`The process exited: ${code}`));
    });
    child.once('message', report => resolve({ child, ...(report as Omit<Started, 'child'>) }));
  });
const end = (child: ChildProcess, how: 'stop' | 'kill') =>
  new Promise<void>(resolve => {
    child.once('exit', () => resolve());
    if (how === 'stop') child.send('stop');
    else child.kill('SIGKILL');
  });

let number = 0;
/** Sends numbered lines over TCP; resolves when the process has read them all. */
const send = (port: number, count: number) =>
  new Promise<void>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', reject);
    socket.on('close', () => resolve());
    socket.resume();
    const lines = Array.from(
      { length: count },
      () => `<134>Oct 21 09:30:00 shared01 line ${number++} ${'x'.repeat(60)}\n`,
    );
    socket.end(lines.join(''));
  });

async function stored(): Promise<number[]> {
  const segments = await listSegments(path.join(folder, 'tenant/device/raw'));
  for (const [i, segment] of segments.entries())
    expect(segment.start, 'segments neither overlap nor leave gaps').toBe(segments[i - 1]?.end ?? 0);
  const text = segments.map(segment => readFileSync(segment.file, 'latin1')).join('');
  return [...text.matchAll(/ line (\d+) x{60}\n/g)].map(match => Number(match[1])).sort((a, b) => a - b);
}
const all = () => Array.from({ length: number }, (_, i) => i);
const arrived = () => expect.poll(async () => (await stored()).length).toBe(number);

test('two processes on one folder lose no line and store none twice', async () => {
  number = 0;
  const first = await start();
  const second = await start();
  expect([first.owner, second.owner]).toEqual([true, false]);
  for (let round = 0; round < 10; round++) await Promise.all([send(first.port, 85), send(second.port, 85)]);
  await arrived();
  expect(await stored()).toEqual(all());
  await Promise.all([end(first.child, 'stop'), end(second.child, 'stop')]);
  // The next start stores the last lines that the second process passed on.
  const third = await start();
  await arrived();
  expect(await stored()).toEqual(all());
  await end(third.child, 'stop');
}, 60_000);

test('an overlapping restart loses no line', async () => {
  number = 0;
  const old = await start();
  await send(old.port, 100);
  const fresh = await start();
  await Promise.all([send(old.port, 500), send(fresh.port, 500)]);
  await end(old.child, 'stop');
  await send(fresh.port, 500);
  await arrived();
  expect(await stored()).toEqual(all());
  await end(fresh.child, 'stop');
}, 60_000);

test('after kill -9 of the owner, the other process takes over', async () => {
  number = 0;
  const owner = await start();
  const other = await start();
  await send(owner.port, 200);
  await arrived();
  await end(owner.child, 'kill');
  await send(other.port, 300);
  await arrived();
  await send(other.port, 300);
  await arrived();
  expect(await stored()).toEqual(all());
  await end(other.child, 'stop');
}, 60_000);
