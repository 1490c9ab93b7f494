import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';

/** The free bytes of the simulated disk. A larger write is written in part and then fails, as on a full disk. */
const disk = { room: Number.POSITIVE_INFINITY, refused: 0, syncs: 0 };

vi.mock('node:fs/promises', async original => {
  const real = await original<typeof import('node:fs/promises')>();
  const full = () => {
    disk.refused += 1;
    return Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  };
  return {
    ...real,
    async open(file: string, flags?: string, mode?: number) {
      const handle: FileHandle = await real.open(file, flags, mode);
      const write = handle.write.bind(handle) as (
        bytes: Buffer,
        at: number,
        length?: number,
      ) => Promise<{ bytesWritten: number }>;
      handle.write = (async (bytes: Buffer, at = 0) => {
        const length = Math.min(bytes.length - at, disk.room);
        if (length === 0) throw full();
        disk.room -= length;
        return write(bytes, at, length);
      }) as unknown as FileHandle['write'];
      const datasync = handle.datasync.bind(handle);
      handle.datasync = async () => {
        disk.syncs += 1;
        await datasync();
      };
      return handle;
    },
  };
});
const { createRawStore } = await import('./raw-store.ts');
const { createRawLog } = await import('./raw-log.ts');
const { createFloodLimit } = await import('./flood-limit.ts');
const { segmentFile } = await import('./segments.ts');

const folder = mkdtempSync(path.join(tmpdir(), 'portico-raw-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  disk.room = Number.POSITIVE_INFINITY;
  disk.refused = 0;
  disk.syncs = 0;
});

const contentOf = (device: string): string => {
  const raw = path.join(folder, 'tenant', device, 'raw');
  return readdirSync(raw)
    .sort()
    .map(file => readFileSync(path.join(raw, file), 'latin1'))
    .join('');
};
const until = async (isSo: () => boolean): Promise<void> => {
  for (let i = 0; !isSo(); i++) {
    if (i > 1000) throw new Error('Timed out');
    await new Promise(resolve => setTimeout(resolve, 10));
  }
};

test('a full disk loses no accepted record, refuses new ones, and continues when there is space', async () => {
  const errors: string[] = [];
  const store = createRawStore({
    folder,
    minPosition: () => 0,
    failed: (where, error) => errors.push(`${where} ${(error as { code?: string }).code}`),
    deviceBytes: 4000,
    reserveBytes: 0,
  });
  const device = { tenantId: 'tenant', deviceId: 'full' };
  const kept: string[] = [];
  const lost: string[] = [];
  let number = 0;
  const send = (to = device) => {
    const record = `record ${String(number++).padStart(6, '0')}\n`;
    const taken = store.take(to, record);
    if (taken === 'kept') kept.push(record);
    else lost.push(taken);
  };
  for (let i = 0; i < 50; i++) send();
  await store.flush();
  // In the middle of a record.
  disk.room = 77;
  for (let i = 0; i < 400; i++) send();
  await until(() => disk.refused > 1);
  expect(errors).toContain('write ENOSPC');
  expect(new Set(lost), 'records are refused at the limit').toEqual(new Set(['device_full']));
  // The limit of one device does not affect another.
  expect(store.take({ tenantId: 'tenant', deviceId: 'other' }, 'of another\n')).toBe('kept');
  disk.room = Number.POSITIVE_INFINITY;
  await until(() => store.waitingBytes() === 0);
  send();
  await store.close();
  expect(contentOf('full')).toBe(kept.join(''));
  expect(contentOf('other')).toBe('of another\n');
  expect(kept.length + lost.length).toBe(number);
});

test('written records count as safe only after the disk has them, and nothing is synced twice', async () => {
  const log = createRawLog(path.join(folder, 'synced'), 7, { segmentBytes: 10, segmentMs: 60_000 });
  await log.sync();
  const write = async (record: string) => {
    log.add(record);
    await log.write();
    return [log.written(), log.synced(), disk.syncs];
  };
  expect(await write('1234\n')).toEqual([12, 7, 0]);
  await log.sync();
  await log.sync();
  expect([log.synced(), disk.syncs]).toEqual([12, 1]);
  expect(await write('56789\n')).toEqual([18, 12, 1]);
  // The segment is full, so the next record closes it.
  expect(await write('next\n')).toEqual([23, 18, 2]);
  await log.closeFile();
  expect([log.synced(), disk.syncs]).toEqual([23, 3]);
  await log.closeFile();
  await log.sync();
  expect(disk.syncs).toBe(3);
  expect(readdirSync(path.join(folder, 'synced'))).toHaveLength(2);
});

test('a nearly full disk accepts no lines, because the database may need the space', async () => {
  const store = createRawStore({
    folder,
    minPosition: () => 0,
    failed: () => undefined,
    reserveBytes: Number.MAX_SAFE_INTEGER,
  });
  await until(() => store.freeBytes() !== undefined);
  expect(store.take({ tenantId: 'tenant', deviceId: 'nearly' }, 'x\n')).toBe('disk_full');
  await store.close();
});

test('memory is limited for all devices together, and TCP senders are paused before that', async () => {
  disk.room = 0;
  const store = createRawStore({
    folder,
    minPosition: () => 0,
    failed: () => undefined,
    totalBytes: 1000,
    reserveBytes: 0,
  });
  const take = (n: number) => store.take({ tenantId: 'tenant', deviceId: `many${n}` }, `${'x'.repeat(99)}\n`);
  expect(Array.from({ length: 5 }, (_, i) => take(i))).toEqual(Array(5).fill('kept'));
  expect(store.overloaded()).toBe(true);
  expect(Array.from({ length: 6 }, (_, i) => take(i))).toEqual([...Array(5).fill('kept'), 'memory_full']);
  disk.room = Number.POSITIVE_INFINITY;
  await store.close();
});

test('a device whose files were replaced goes on from them, and keeps the lines that wait for the disk', async () => {
  let mayWrite = true;
  const store = createRawStore({
    ...{ folder, minPosition: () => 7, mayWrite: () => mayWrite, reserveBytes: 0 },
    failed: (where, error) => {
      throw new Error(where, { cause: error });
    },
  });
  const device = (deviceId: string) => ({ tenantId: 'tenant', deviceId });
  const raw = (deviceId: string) => path.join(folder, 'tenant', deviceId, 'raw');
  const replace = (deviceId: string, start: number) => {
    rmSync(raw(deviceId), { recursive: true, force: true });
    mkdirSync(raw(deviceId), { recursive: true });
    writeFileSync(segmentFile(raw(deviceId), start), 'elsewhere\n');
  };
  store.take(device('back'), 'here\n');
  await store.flush();
  mayWrite = false;
  for (const id of ['back', 'no-files']) store.take(device(id), 'waits\n');
  for (const id of ['back', 'only-files']) replace(id, 100);
  for (const id of ['back', 'no-files', 'only-files', 'unknown']) await store.reopen(device(id));
  const ends = () => Object.fromEntries([...store.logs()].map(({ deviceId, log }) => [deviceId, log.written()]));
  expect(ends(), 'a device without lines and files has no log').toEqual({
    ...{ back: 110, 'no-files': 7, 'only-files': 110 },
  });
  mayWrite = true;
  await store.close();
  expect(ends()).toEqual({ back: 116, 'no-files': 13, 'only-files': 110 });
  expect([contentOf('back'), contentOf('no-files')]).toEqual(['elsewhere\nwaits\n', 'waits\n']);
});

test('a clock that jumps neither disables nor exhausts the flood limit', () => {
  const limit = createFloodLimit(10);
  const admitted = (at: number, times = 100) =>
    Array.from({ length: times }, () => limit.admits('device', at)).filter(Boolean).length;
  expect(admitted(1_000_000)).toBe(20);
  expect(admitted(500_000), 'set back by minutes').toBe(0);
  expect(admitted(501_000), 'a second later').toBe(10);
  expect(admitted(9_000_000_000_000), 'set ahead by centuries').toBe(20);
});
