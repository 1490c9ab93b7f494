import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { LoadError } from '#db/load.ts';
import { afterFile } from '#test/after-file.ts';
import { roomFor } from './backup-room.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'portico-room-'));
afterFile(() => rmSync(folder, { recursive: true }));
/** Tests may have their temporary files in memory. */
const elsewhere = ['/dev/shm', '/proc'].find(it => statSync(it).dev !== statSync(folder).dev);
const size = 50 * 2 ** 20;
const content = () => Readable.from(Array.from({ length: 50 }, () => Buffer.alloc(2 ** 20)));
async function bytesThrough(through: Awaited<ReturnType<typeof roomFor>>): Promise<number> {
  let bytes = 0;
  for await (const chunk of through(content())) bytes += chunk.length;
  return bytes;
}

test('a backup beside the data ends while the product still has room, and says where to put it', async () => {
  expect(await bytesThrough(await roomFor(folder, folder, 0))).toBe(size);
  const refused = bytesThrough(await roomFor(folder, folder, Number.MAX_SAFE_INTEGER));
  await expect(refused).rejects.toThrow(LoadError);
  await expect(refused).rejects.toThrow(`${folder} is on the disk of DATA_DIR`);
});

test.each([
  ['in a bucket', folder, undefined],
  ['on another disk', folder, elsewhere],
  ['of an installation without a folder', path.join(folder, 'none'), folder],
])('a backup %s may take all of it', async (_, dataDir, to) => {
  expect(await bytesThrough(await roomFor(dataDir, to, Number.MAX_SAFE_INTEGER))).toBe(size);
});
