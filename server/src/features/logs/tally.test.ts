import { expect, test } from 'vitest';
import type { LogFacts } from '#routers/log-line.ts';
import { advance, createStreams, partOf, rememberName, type Stream } from './streams.ts';
import { addFacts, addHour, addType, newTally } from './tally.ts';

const of = { tenantId: 'tenant', deviceId: 'device', locationId: 'location' };
const at = { day: '2026-03-10', hour: 9 };
const streamAt = (more: Partial<Stream> = {}): Stream => ({
  ...{ position: 100, day: undefined, dayStart: 0, names: new Map(), lastAt: 0, ...more },
});

test('lines are counted in their minute, from its first to its last millisecond', () => {
  const tally = newTally(of, 100);
  const hour = Date.parse('2026-03-10T09:00:00Z');
  for (const more of [0, 59_999, 60_000, 3_599_999, 3_600_000]) addHour(tally, hour + more);
  const minutes = (start: number) => [...tally.hours.get(start)!].flatMap((lines, n) => (lines ? [[n, lines]] : []));
  expect([...tally.hours.keys()]).toEqual([hour, hour + 3_600_000]);
  expect(minutes(hour)).toEqual([
    [0, 2],
    [1, 1],
    [59, 1],
  ]);
  expect(minutes(hour + 3_600_000)).toEqual([[0, 1]]);
});

test('a part of a day counts lines and bytes by type', () => {
  const part = partOf(newTally(of, 0), streamAt(), '2026-03-10', 0);
  addType(part, 'dhcp', 10);
  addType(part, 'dhcp', 20);
  addType(part, 'firewall', 5);
  expect(Object.fromEntries(part.types)).toEqual({ dhcp: { lines: 2, bytes: 30 }, firewall: { lines: 1, bytes: 5 } });
});

test('a day goes on in the same part, in that of the tally before, or begins a new one', () => {
  const tally = newTally(of, 100);
  const stream = streamAt({ day: '2026-03-10', dayStart: 40 });
  const first = partOf(tally, stream, '2026-03-10', 100);
  expect(first).toMatchObject({ start: 40, end: 100, startsDay: false });
  expect(partOf(tally, stream, '2026-03-10', 150)).toBe(first);
  const second = partOf(tally, stream, '2026-03-11', 160);
  expect(first.end).toBe(160);
  expect(second).toMatchObject({ start: 160, end: 160, startsDay: true });
  // Lines of the day before begin a part of their own, which is not the one that was open at first.
  expect(partOf(tally, stream, '2026-03-10', 170)).toMatchObject({ start: 170, startsDay: true });
  expect(partOf(newTally(of, 0), streamAt({ day: '2026-03-09' }), '2026-03-10', 0).startsDay).toBe(true);
  tally.to = 200;
  advance(stream, tally);
  expect(stream).toMatchObject({ position: 200, day: '2026-03-10', dayStart: 170 });
  advance(stream, { ...newTally(of, 200), closed: true });
  expect(stream).toMatchObject({ position: 200, day: undefined });
});

test('streams go back to what the database says, with their names; an arrived one begins without', async () => {
  const row = { tenant_id: 't', device_id: 'a', position: 5, day: null, day_position: null };
  const rows = [row, { ...row, device_id: 'b', position: 7, day: '2026-03-10', day_position: 6 }];
  const streams = createStreams(async () => rows);
  expect(streams.known('a')).toBeUndefined();
  expect(await streams.reload()).toEqual(['a', 'b']);
  expect(streams.of('b')).toMatchObject({ position: 7, day: '2026-03-10', dayStart: 6 });
  for (const id of ['a', 'b']) {
    streams.of(id).names.set('192.0.2.1', 'example.org');
    streams.of(id).position = 99;
  }
  await streams.reload();
  expect([streams.of('a').position, streams.of('a').day, streams.of('a').names.size]).toEqual([5, undefined, 1]);
  streams.of('a').position = 99;
  await streams.begin(new Set(['b', 'c']));
  expect([streams.of('b').position, streams.of('b').names.size]).toEqual([7, 0]);
  expect(streams.of('a').position, 'another device').toBe(99);
  expect(streams.known('c')).toBeUndefined();
  expect(streams.of('c')).toMatchObject({ position: 0, day: undefined });
  expect(streams.known('c')).toBe(streams.of('c'));
});

test('at the limit of names the oldest goes, and one that is told again is new', () => {
  const names = new Map<string, string>();
  for (let n = 0; n < 10_000; n++) rememberName(names, { name: 'x', address: `a${n}` });
  rememberName(names, { name: 'y', address: 'a0' });
  expect([names.size, names.get('a0')]).toEqual([10_000, 'y']);
  rememberName(names, { name: 'z', address: 'b' });
  expect([names.size, names.has('a0'), names.has('a1'), names.has('a2'), names.get('b')]).toEqual([
    ...[10_000, true, false, true, 'z'],
  ]);
});

test('traffic is counted by site, application and country, by name or by the address of an answer', () => {
  const count = (facts: Partial<LogFacts>, names = new Map([['192.0.2.1', 'www.youtube.com']])) => {
    const { tops } = newTally(of, 0);
    for (let n = 0; n < 2; n++) addFacts({ tops }, at, { type: 'firewall', connections: 1, ...facts }, names);
    return [...tops.values()].map(it => [it.kind, it.name, it.recv, it.sent, it.connections]);
  };
  expect(count({ destination: '192.0.2.1', recv: 5, sent: 3, country: 'DE' })).toEqual([
    ['website', 'youtube.com', 10, 6, 2],
    ['application', 'YouTube', 10, 6, 2],
    ['country', 'DE', 10, 6, 2],
  ]);
  expect(count({ domain: 'a.example.org', destination: '192.0.2.1' })).toEqual([['website', 'example.org', 0, 0, 2]]);
  expect(count({ destination: '192.0.2.9' })).toEqual([]);
  expect(count({ domain: 'example.org', connections: 0 }), 'nothing went through').toEqual([]);
  for (const bytes of [{ recv: 1 }, { sent: 1 }])
    expect(count({ domain: 'example.org', connections: 0, ...bytes })).toHaveLength(1);
});

test('forged names fill no more than 20,000 places, and known ones go on', () => {
  const tally = newTally(of, 0);
  const visit = (domain: string) => addFacts(tally, at, { type: 'proxy', connections: 1, domain }, new Map());
  for (let n = 0; n < 20_001; n++) visit(`site${n}.org`);
  expect(tally.tops.size).toBe(20_000);
  visit('site0.org');
  expect([...tally.tops.values()][0]).toMatchObject({ name: 'site0.org', connections: 2 });
});
