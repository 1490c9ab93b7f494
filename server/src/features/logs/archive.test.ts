import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { segmentFile } from '#syslog/segments.ts';
import { fileName, recordsOf } from './archive.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'portico-archive-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function read(start_position: number, end_position: number): Promise<string[]> {
  const records: string[] = [];
  for await (const batch of recordsOf(folder, { start_position, end_position })) records.push(...batch);
  return records;
}

test('a file is named by its day and type, and from the second part on by its number', () => {
  const day = { day: '2026-10-21', type: 'firewall' };
  expect([1, 2].map(part => fileName({ ...day, part }))).toEqual([
    '2026-10-21-firewall.log.gz',
    '2026-10-21-firewall-2.log.gz',
  ]);
});

test('records are read across segments, byte for byte, and a torn one ends with its segment', async () => {
  writeFileSync(segmentFile(folder, 0), 'one\n\xfftorn', 'latin1');
  writeFileSync(segmentFile(folder, 9), 'two\nthree\n');
  expect(await read(0, 19)).toEqual(['one\n', '\xfftorn\n', 'two\n', 'three\n']);
  expect(await read(4, 13)).toEqual(['\xfftorn\n', 'two\n']);
});

test('a range whose lines are not on the disk any more has no records', async () => {
  expect(await read(0, 10)).toEqual([]);
  writeFileSync(segmentFile(folder, 0), 'one\n');
  expect(await read(0, 10)).toEqual(['one\n']);
});
