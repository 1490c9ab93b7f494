import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';

/** Bytes that the pretended disk has room for; what goes beyond is refused as a full disk does, after a part of it. */
const disk = { room: Number.POSITIVE_INFINITY, refused: 0 };

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
      return handle;
    },
  };
});
const { createRawStore } = await import('./raw-store.ts');
const { createFloodLimit } = await import('./flood-limit.ts');

const folder = mkdtempSync(path.join(tmpdir(), 'portico-raw-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  disk.room = Number.POSITIVE_INFINITY;
  disk.refused = 0;
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
    if (i > 1000) throw new Error('It did not come to be in time');
    await new Promise(resolve => setTimeout(resolve, 10));
  }
};

test('a full disk loses nothing that was taken, says what it could not take, and goes on when there is room', async () => {
  const complaints: string[] = [];
  const store = createRawStore({
    folder,
    leastPosition: () => 0,
    failed: (where, error) => complaints.push(`${where} ${(error as { code?: string }).code}`),
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
  expect(complaints).toContain('write ENOSPC');
  expect(new Set(lost), 'what does not fit is refused, not held without end').toEqual(new Set(['device_full']));
  // Another device is not kept waiting by the first one's lines, only by the disk.
  expect(store.take({ tenantId: 'tenant', deviceId: 'other' }, 'of another\n')).toBe('kept');
  disk.room = Number.POSITIVE_INFINITY;
  await until(() => store.waitingBytes() === 0);
  send();
  await store.close();
  expect(contentOf('full')).toBe(kept.join(''));
  expect(contentOf('other')).toBe('of another\n');
  expect(kept.length + lost.length).toBe(number);
});

test('a disk that is nearly full takes no lines: the database may need the rest', async () => {
  const store = createRawStore({
    folder,
    leastPosition: () => 0,
    failed: () => undefined,
    reserveBytes: Number.MAX_SAFE_INTEGER,
  });
  await until(() => store.freeBytes() !== undefined);
  expect(store.take({ tenantId: 'tenant', deviceId: 'nearly' }, 'x\n')).toBe('disk_full');
  await store.close();
});

test('all devices together hold no more in memory than they may, and TCP senders are asked to wait before', async () => {
  disk.room = 0;
  const store = createRawStore({
    folder,
    leastPosition: () => 0,
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

test('a clock that jumps neither opens nor closes the flood limit', () => {
  const limit = createFloodLimit(10);
  const admitted = (at: number, times = 100) =>
    Array.from({ length: times }, () => limit.admits('device', at)).filter(Boolean).length;
  expect(admitted(1_000_000)).toBe(20);
  expect(admitted(500_000), 'set back by minutes').toBe(0);
  expect(admitted(501_000), 'and on from there').toBe(10);
  expect(admitted(9_000_000_000_000), 'set ahead by centuries').toBe(20);
});
