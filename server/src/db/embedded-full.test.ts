import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';

/** Free blocks that the mocked statfs reports; undefined for the real value. */
const disk: { free?: number } = {};
vi.mock('node:fs', async original => {
  const real = await original<typeof import('node:fs')>();
  const statfsSync = (folder: string) => {
    const { bavail, bsize } = real.statfsSync(folder);
    return { bavail: disk.free ?? bavail, bsize };
  };
  return { ...real, statfsSync };
});
const { startEmbedded } = await import('./embedded.ts');
const folder = mkdtempSync(path.join(tmpdir(), 'portico-full-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// PostgreSQL's own line has no room in its log then.
test('a server that cannot start on a full disk names the disk', async () => {
  const start = () => startEmbedded(path.join(folder, 'postgres'), { settings: { work_mem: 'nothing' } });
  await expect(start()).rejects.toThrow(/invalid value for parameter "work_mem"/);
  disk.free = 0;
  await expect(start()).rejects.toThrow(
    `PostgreSQL did not start: No space left on device: ${path.join(folder, 'postgres/data')}`,
  );
});
