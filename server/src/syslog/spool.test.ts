import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TakeResult } from './raw-store.ts';
import { createSpool, readSpool } from './spool.ts';

let logs: string;
beforeEach(() => {
  logs = mkdtempSync(path.join(tmpdir(), 'portico-spool-'));
});
afterEach(() => rmSync(logs, { recursive: true, force: true }));

const spoolFolder = () => path.join(logs, '.spool');
const files = () => readdirSync(spoolFolder());

/** The records that the owner of the folder stores. `answers` come first; then every record is kept. */
async function readAll(answers: TakeResult[] = [], mayContinue = () => true) {
  const stored: string[] = [];
  let flushes = 0;
  await readSpool(logs, {
    take: ({ tenantId, deviceId }, record) => {
      const answer = answers.shift() ?? 'kept';
      if (answer === 'kept') stored.push(`${tenantId}/${deviceId}: ${record}`);
      return answer;
    },
    flush: async () => void flushes++,
    mayContinue,
  });
  return { stored, flushes };
}

/** A file of another process, so many seconds old. */
function leave(name: string, text: string, seconds: number): void {
  mkdirSync(spoolFolder(), { recursive: true });
  const file = path.join(spoolFolder(), name);
  writeFileSync(file, text);
  const at = Date.now() / 1000 - seconds;
  utimesSync(file, at, at);
}

test('lines go from one process to the owner of the folder, once and in their order', async () => {
  const spool = createSpool(logs, (_, error) => {
    throw error;
  });
  spool.take({ tenantId: 't', deviceId: 'd' }, 'one with spaces\n');
  spool.take({ tenantId: 't', deviceId: 'e' }, 'two\n');
  expect(spool.waitingBytes()).toBe(20);
  await spool.close();
  expect(spool.waitingBytes()).toBe(0);
  expect((await readAll()).stored).toEqual(['t/d: one with spaces\n', 't/e: two\n']);
  expect(files()).toEqual([]);
  expect((await readAll()).stored).toEqual([]);
});

test('more than 32 MiB in memory is refused', async () => {
  const spool = createSpool(logs, () => undefined);
  const mib = 'x'.repeat(1 << 20);
  const answers = Array.from({ length: 33 }, () => spool.take({ tenantId: 't', deviceId: 'd' }, mib));
  expect(answers).toEqual([...Array<string>(32).fill('kept'), 'memory_full']);
  await spool.close();
});

test('a file that its process did not finish for ten seconds is read; one that is being written is not', async () => {
  leave('1.part', 't d of a dead process\n', 15);
  leave('2.part', 't d of a living process\n', 1);
  await readAll();
  expect((await readAll()).stored).toEqual(['t/d: of a dead process\n']);
  expect(files()).toEqual(['2.part']);
});

test('a line without a tenant or a device is passed over', async () => {
  leave('1.log', 'nothing\n\n d x\nt d right\n', 0);
  expect((await readAll()).stored).toEqual(['t/d: right\n']);
});

test('lines wait while there is no room for them', async () => {
  leave('1.log', 't d one\nt d two\n', 0);
  const { stored, flushes } = await readAll(['kept', 'disk_full', 'memory_full']);
  expect([stored, flushes]).toEqual([['t/d: one\n', 't/d: two\n'], 3]);
});

test('a file stays while its lines are not all stored', async () => {
  leave('1.log', 't d one\n', 0);
  leave('2.log', 't d two\n', 0);
  let asked = 0;
  await readAll(['kept', 'disk_full'], () => ++asked < 3);
  expect(files()).toEqual(['2.log']);
});
