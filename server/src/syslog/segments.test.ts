import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listSegments, readChunk, segmentFile } from './segments.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'portico-segments-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (start: number, text: string): void => writeFileSync(segmentFile(folder, start), text);
async function read(position: number, until: number, maxBytes?: number) {
  const chunk = await readChunk(await listSegments(folder), position, until, maxBytes);
  return chunk && [chunk.start, chunk.bytes.toString(), chunk.end];
}

test('segments are listed by their position, and other files are left out', async () => {
  expect(await listSegments(path.join(folder, 'none'))).toEqual([]);
  write(10, 'two\n');
  write(0, 'the first\n');
  appendFileSync(path.join(folder, '20.log'), 'x');
  appendFileSync(`${segmentFile(folder, 14)}.tmp`, 'x');
  expect((await listSegments(folder)).map(({ start, end }) => [start, end])).toEqual([
    [0, 10],
    [10, 14],
  ]);
});

test('a folder that cannot be listed is not taken for an empty one', async () => {
  const file = path.join(folder, 'file');
  appendFileSync(file, 'x');
  await expect(listSegments(file)).rejects.toThrow('ENOTDIR');
});

test('complete lines are read, from a position and up to another', async () => {
  write(0, 'a\nbb\nccc');
  expect(await read(0, 100)).toEqual([0, 'a\nbb\n', 5]);
  expect(await read(2, 100)).toEqual([2, 'bb\n', 5]);
  expect(await read(0, 4)).toEqual([0, 'a\n', 2]);
  expect(await read(0, 100, 3)).toEqual([0, 'a\n', 2]);
  expect(await read(5, 100), 'the line may go on').toBeUndefined();
  expect(await read(8, 100)).toBeUndefined();
  expect(await read(0, 0)).toBeUndefined();
});

test('a line that a crash left without its newline ends with its segment', async () => {
  write(0, 'a\ntorn');
  write(6, 'next\n');
  expect(await read(0, 100)).toEqual([0, 'a\n', 2]);
  expect(await read(2, 100)).toEqual([2, 'torn', 6]);
  expect(await read(6, 100)).toEqual([6, 'next\n', 11]);
  expect(await read(2, 5), 'its end is not on the disk yet').toBeUndefined();
});

test('lines whose segment was deleted are passed over', async () => {
  mkdirSync(path.join(folder, 'raw'));
  write(6, 'next\n');
  expect(await read(0, 100)).toEqual([6, 'next\n', 11]);
});
