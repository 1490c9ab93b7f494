import { describe, expect, test } from 'vitest';
import { localDay, localHour, localTime, momentOf } from './local-day.ts';

const at = (text: string) => Date.parse(text);

test.for([
  ['2026-06-30T20:59:59.999Z', 'Europe/Istanbul', '2026-06-30T23:59:59', '2026-06-30', 23],
  ['2026-06-30T21:00:00Z', 'Europe/Istanbul', '2026-07-01T00:00:00', '2026-07-01', 0],
  ['2026-12-31T09:59:59Z', 'Pacific/Kiritimati', '2026-12-31T23:59:59', '2026-12-31', 23],
  ['2026-12-31T10:00:00Z', 'Pacific/Kiritimati', '2027-01-01T00:00:00', '2027-01-01', 0],
  ['2027-01-01T10:59:59Z', 'Pacific/Pago_Pago', '2026-12-31T23:59:59', '2026-12-31', 23],
  ['2027-01-01T11:00:00Z', 'Pacific/Pago_Pago', '2027-01-01T00:00:00', '2027-01-01', 0],
  ['2026-01-01T18:15:00Z', 'Asia/Kathmandu', '2026-01-02T00:00:00', '2026-01-02', 0],
  ['2026-03-29T00:59:59Z', 'Europe/Berlin', '2026-03-29T01:59:59', '2026-03-29', 1],
  ['2026-03-29T01:00:00Z', 'Europe/Berlin', '2026-03-29T03:00:00', '2026-03-29', 3],
  ['2026-10-25T00:30:00Z', 'Europe/Berlin', '2026-10-25T02:30:00', '2026-10-25', 2],
  ['2026-10-25T01:30:00Z', 'Europe/Berlin', '2026-10-25T02:30:00', '2026-10-25', 2],
] as const)('%s in %s is %s', ([utc, zone, local, day, hour]) => {
  expect(localTime(at(utc), zone)).toBe(local);
  expect(localDay(at(utc), zone)).toBe(day);
  expect(localHour(at(utc), zone)).toEqual({ day, hour });
});

describe('a local time is the moment', () => {
  test.for([
    ['2026-07-01T00:00:00', 'Europe/Istanbul', '2026-06-30T21:00:00.000Z'],
    ['2027-01-01T00:00:00', 'Pacific/Kiritimati', '2026-12-31T10:00:00.000Z'],
    ['2026-12-31T23:59:59', 'Pacific/Pago_Pago', '2027-01-01T10:59:59.000Z'],
    ['2026-03-29T03:00:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
    ['2026-03-29T01:59:59', 'Europe/Berlin', '2026-03-29T00:59:59.000Z'],
    ['2026-10-25T04:00:00', 'Europe/Berlin', '2026-10-25T03:00:00.000Z'],
    ['2026-11-01T00:30:00', 'America/New_York', '2026-11-01T04:30:00.000Z'],
  ] as const)('%s in %s: %s', ([local, zone, utc]) => {
    expect(new Date(momentOf(local, zone)).toISOString()).toBe(utc);
  });

  test('that clocks skip: with the offset from before the change', () => {
    expect(new Date(momentOf('2026-03-29T02:30:00', 'Europe/Berlin')).toISOString()).toBe('2026-03-29T01:30:00.000Z');
  });
});
