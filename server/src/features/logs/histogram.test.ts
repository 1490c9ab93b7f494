import { maxHistogramDays } from '@portico/contract/log-intervals.ts';
import { expect, test } from 'vitest';
import { histogram, momentsOf } from './histogram.ts';
import type { CountedDevice, LogStore } from './log-store.ts';

const day = 86_400_000;
const nothing = () => Promise.reject(new Error('not asked'));
const device: CountedDevice = { inTenant: nothing, tenantId: 'tenant', deviceId: 'device' };

/** A store that has one line at each of these times. */
function storeOf(times: readonly string[]) {
  const asked: [kind: string, from: string, to: string][] = [];
  const all = times.map(it => Date.parse(it)).sort((a, b) => a - b);
  const note = (kind: string, from: Date, to: Date) => void asked.push([kind, from.toISOString(), to.toISOString()]);
  const store: LogStore = {
    add: nothing,
    tops: nothing,
    hours: async (_, from, to) => {
      note('hours', from, to);
      return all.map(at => ({ hour: at - (at % 3_600_000), lines: 1 }));
    },
    minutes: async (_, from, to) => {
      note('minutes', from, to);
      return all.map(at => ({ hour: at - (at % 60_000), minutes: [1] }));
    },
  };
  return { store, asked };
}

const counts = async (
  interval: 'minute' | 'hour' | 'day',
  period: { gte: string; lte: string },
  times: readonly string[],
  zone = 'Europe/Berlin',
) => {
  const { store, asked } = storeOf(times);
  const buckets = await histogram(store, device, zone, interval, period);
  return { rows: buckets.map(it => [it.key_as_string, it.doc_count]), asked };
};

test('a day of 25 hours is one day, and the next begins at its own midnight', async () => {
  const { rows, asked } = await counts('day', { gte: '2026-10-24', lte: '2026-10-26' }, [
    ...['2026-10-23T21:59:59Z', '2026-10-23T22:00:00Z', '2026-10-24T21:59:59Z'],
    ...['2026-10-24T22:00:00Z', '2026-10-25T22:59:59Z'],
    ...['2026-10-25T23:00:00Z', '2026-10-26T22:59:59Z', '2026-10-26T23:00:00Z'],
  ]);
  expect(rows).toEqual([
    ['2026-10-24T00:00:00', 2],
    ['2026-10-25T00:00:00', 2],
    ['2026-10-26T00:00:00', 2],
  ]);
  expect(asked).toEqual([['hours', '2026-10-23T22:00:00.000Z', '2026-10-26T23:00:00.000Z']]);
});

test('a day of 23 hours is one day', async () => {
  const { rows } = await counts('day', { gte: '2026-03-28', lte: '2026-03-30' }, [
    ...['2026-03-28T22:59:59Z', '2026-03-28T23:00:00Z', '2026-03-29T21:59:59Z', '2026-03-29T22:00:00Z'],
  ]);
  expect(rows).toEqual([
    ['2026-03-28T00:00:00', 1],
    ['2026-03-29T00:00:00', 2],
    ['2026-03-30T00:00:00', 1],
  ]);
});

test('hours of a zone that is half an hour off are added up from minutes', async () => {
  const period = { gte: '2026-03-10T09:00:00', lte: '2026-03-10T10:59:59' };
  const times = ['2026-03-10T03:29:59Z', '2026-03-10T03:30:00Z', '2026-03-10T04:29:59Z', '2026-03-10T04:30:00Z'];
  const { rows, asked } = await counts('hour', period, times, 'Asia/Kolkata');
  expect(rows).toEqual([
    ['2026-03-10T09:00:00', 2],
    ['2026-03-10T10:00:00', 1],
  ]);
  expect(asked.map(([kind]) => kind)).toEqual(['minutes']);
});

test('minutes have their lines, from the one that the period begins in to the one that it ends in', async () => {
  const period = { gte: '2026-03-10T10:00:30', lte: '2026-03-10T10:02:00' };
  const times = ['2026-03-10T08:59:59Z', '2026-03-10T09:00:00Z', '2026-03-10T09:02:59Z', '2026-03-10T09:03:00Z'];
  expect((await counts('minute', period, times)).rows).toEqual([
    ['2026-03-10T10:00:00', 1],
    ['2026-03-10T10:01:00', 0],
    ['2026-03-10T10:02:00', 1],
  ]);
});

test('a period is one of whole days, of moments, or the latest', () => {
  const now = Date.parse('2026-03-10T12:00:00Z');
  const limits = { defaultDays: 2, maxDays: 10 };
  const told = (period: Parameters<typeof momentsOf>[0]) => {
    const { start, end } = momentsOf(period, 'UTC', limits, now);
    return [new Date(start).toISOString(), new Date(end).toISOString()];
  };
  expect(told({})).toEqual(['2026-03-08T12:00:00.000Z', '2026-03-10T12:00:00.000Z']);
  expect(told({ gte: '2026-03-09' })).toEqual(['2026-03-09T00:00:00.000Z', '2026-03-10T12:00:00.000Z']);
  expect(told({ lte: '2026-03-09' })).toEqual(['2026-03-07T23:59:59.000Z', '2026-03-09T23:59:59.000Z']);
  const moment = '2026-03-09T10:00:00';
  expect(told({ gte: moment, lte: moment })).toEqual([`${moment}.000Z`, `${moment}.000Z`]);
});

test('a period must not end before it starts, nor be longer than its limit and the hour of a change of clocks', () => {
  const now = Date.parse('2026-03-10T12:00:00Z');
  const read = (gte: string, lte: string) =>
    momentsOf({ gte, lte }, 'UTC', { defaultDays: 1, maxDays: maxHistogramDays.minute }, now);
  expect(() => read('2026-03-09T10:00:01', '2026-03-09T10:00:00')).toThrow();
  const longest = maxHistogramDays.minute * day + 3_600_000;
  const end = (ms: number) => new Date(now + ms).toISOString().slice(0, 19);
  expect(read(end(0), end(longest)).end).toBe(now + longest);
  expect(() => read(end(0), end(longest + 1000))).toThrow();
});
