import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { steadyNow } from '#lib/steady-clock.ts';
import { startApi, type TestApi } from '#test/harness.ts';
import { type FoundLine, type Limits, searchLines } from './search.ts';
import { feed, line, makeDevice, readRaw } from './testing/fixture.ts';
import { legalRecord } from './testing/sealed.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
const { folderOf, job } = legalRecord(() => api);
const seal = () => job('seal log files');

type Device = Awaited<ReturnType<typeof makeDevice>>;
const start = Date.parse('2026-03-11T09:00:00.000Z');
const moment = (ms: number) => new Date(start + ms).toISOString();
const plenty = (): Limits => ({ bytes: 1e9, until: Number.POSITIVE_INFINITY, reached: false });

interface Asked {
  readonly from: number;
  readonly to: number;
  readonly type?: 'firewall' | 'dhcp';
  readonly contains?: string;
  readonly limit?: number;
  readonly zone?: string;
  readonly matches?: (line: FoundLine) => boolean;
}
/** Searches from one time to another, in milliseconds since the start. Returns when the lines came. */
async function find(device: Device, it: Asked, limits = plenty()): Promise<number[]> {
  const { type = 'firewall', contains = '', limit = 10, matches = () => true } = it;
  const { id, tenantId } = device;
  const search = { tenantId, device: { id, time_zone: it.zone ?? 'UTC' }, type, contains, limit, matches };
  const found = await searchLines(api.app, { ...search, from: start + it.from, to: start + it.to }, limits);
  return found.map(({ at }) => at - start);
}
const all = { from: 0, to: 3_600_000 };

describe.each([
  ['of a day before it is sealed', false],
  ['of a sealed day', true],
])('a search in the lines %s', (_, sealed) => {
  async function deviceWith(nas: string, times: readonly number[], text = line.firewall()): Promise<Device> {
    const device = await makeDevice(api, { nas: `arama${nas}${sealed ? 1 : 0}`, zone: 'UTC' });
    await feed(
      api,
      device,
      times.map(at => ({ at: moment(at), line: text })),
    );
    if (sealed) await seal();
    return device;
  }
  /** The bytes that a search of all lines reads. */
  function sizeOf(device: Device): number {
    if (!sealed) return readRaw(api, device).length;
    const files = path.join(folderOf(device), 'files');
    const text = readdirSync(files).map(name => gunzipSync(readFileSync(path.join(files, name))).toString('latin1'));
    return text.join('').replaceAll('\n', '').length;
  }

  test('finds them from the first to the last millisecond, and of many the last', async () => {
    const device = await deviceWith('zaman', [0, 1000, 2000, 3000]);
    expect(await find(device, { from: 1000, to: 2000 })).toEqual([1000, 2000]);
    expect(await find(device, { from: 1001, to: 1999 })).toEqual([]);
    expect(await find(device, { ...all, limit: 2 })).toEqual([2000, 3000]);
    expect(await find(device, { ...all, limit: 4 })).toEqual([0, 1000, 2000, 3000]);
  });

  test('finds only those of the type that have the text and match', async () => {
    const device = await deviceWith('text', [0]);
    await feed(api, device, [
      { at: moment(1000), line: line.dhcp() },
      { at: moment(2000), line: line.firewall('9.9.9.9:53') },
    ]);
    if (sealed) await seal();
    const times = [await find(device, all), await find(device, { ...all, type: 'dhcp' })];
    expect(times).toEqual([[0, 2000], [1000]]);
    expect(await find(device, { ...all, contains: '9.9.9.9' })).toEqual([2000]);
    const seen: FoundLine[] = [];
    expect(await find(device, { ...all, matches: it => seen.push(it) === 2 })).toEqual([2000]);
    expect(seen[1]).toMatchObject({ type: 'firewall', proof: 'radius', brand: 'mikrotik', at: start + 2000 });
    expect(seen[1]!.message).toMatch(/^forward: /);
    expect(seen[1]!.text).toMatch(/^2026-03-11T09:00:02\.000Z 10\.0\.0\.1,udp,radius <134>.* len 60$/);
  });

  test('ends when it has read as much as it may, over all searches of a request', async () => {
    const device = await deviceWith('size', [0, 1000, 2000]);
    const size = sizeOf(device);
    const limits = { ...plenty(), bytes: 2 * size + 1 };
    for (const left of [size + 1, 1]) {
      expect(await find(device, all, limits)).toHaveLength(3);
      expect(limits).toMatchObject({ bytes: left, reached: false });
    }
    expect(await find(device, all, limits)).toEqual([]);
    expect(limits.reached).toBe(true);
    const exact = { ...plenty(), bytes: size };
    await find(device, all, exact);
    expect(exact.reached).toBe(true);
  });

  test('ends at its time, and says when a file is missing', async () => {
    const device = await deviceWith('time', [0]);
    const late = { ...plenty(), until: steadyNow() - 1 };
    expect([await find(device, all, late), late.reached]).toEqual([[], true]);
    rmSync(path.join(folderOf(device), sealed ? 'files' : 'raw'), { recursive: true });
    const missing = plenty();
    expect([await find(device, all, missing), missing.reached]).toEqual([[], true]);
  });
});

test('a search looks into the files of the days at the venue', async () => {
  const device = await makeDevice(api, { nas: 'gece0001', zone: 'Asia/Tokyo' });
  // Half past midnight of the twelfth.
  const at = Date.parse('2026-03-11T15:30:00.000Z') - start;
  await feed(api, device, [{ at: moment(at), line: line.firewall() }]);
  await seal();
  const around = { from: at - 60_000, to: at + 60_000 };
  expect(await find(device, { ...around, zone: 'Asia/Tokyo' })).toEqual([at]);
  expect(await find(device, { ...around, zone: 'UTC' })).toEqual([]);
});

test('of a long stream only the lines around the time are read', async () => {
  const device = await makeDevice(api, { nas: 'uzun0001', zone: 'UTC' });
  const [count, step] = [18_000, 2000];
  await feed(
    api,
    device,
    Array.from({ length: count }, (_, n) => ({ at: moment(n * step), line: line.firewall() })),
  );
  const size = readRaw(api, device).length;
  const mebibyte = 1 << 20;
  expect(size).toBeGreaterThan(3 * mebibyte);
  for (const n of [0, 1, count / 2, count - 2, count - 1]) {
    const limits = plenty();
    const [from, to] = [n * step - step, n * step];
    expect(await find(device, { from, to }, limits), String(n)).toEqual(n === 0 ? [0] : [from, to]);
    // At most a mebibyte before the time, five minutes after it, and the rest of a chunk.
    expect(1e9 - limits.bytes, String(n)).toBeLessThan(1.75 * mebibyte);
  }
});
