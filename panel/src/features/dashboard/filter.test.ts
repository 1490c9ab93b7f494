import { expect, test, vi } from 'vitest';

// These modules read the address and the storage when they load.
vi.stubGlobal('location', { search: '' });
vi.stubGlobal('localStorage', { getItem: () => null });
const { filterOf, periodSearch, shownPeriod } = await import('#features/dashboard/filter.ts');

const now = new Date(2026, 10, 20, 14, 5);

test('the last seven days are the standard period', () => {
  const days = { start_at: '2026-11-14 00:00:00', end_at: '2026-11-20 23:59:59' };
  expect(filterOf({}, now)).toMatchObject(days);
  expect(filterOf({ period: 'nonsense' }, now)).toMatchObject(days);
});

test('a period ends today at the latest, unless it lies in the future', () => {
  expect(filterOf({ period: 'thisMonth' }, now)).toMatchObject({
    start_at: '2026-11-01 00:00:00',
    end_at: '2026-11-20 23:59:59',
  });
  expect(filterOf({ period: '2026-12-01_2026-12-02' }, now)).toMatchObject({ end_at: '2026-12-02 23:59:59' });
});

test('start_at and end_at of the address are the period, to the minute', () => {
  const hours = { start_at: '2026-11-20 10:00:00', end_at: '2026-11-20T11:30:00' };
  expect(filterOf({ ...hours, period: 'thisMonth' }, now)).toMatchObject(hours);
  expect(shownPeriod(hours, now)).toBe('2026-11-20 10:00:00~2026-11-20T11:30:00');
  expect(filterOf({ start_at: '2026-11-01', end_at: '2026-11-02' }, now)).toMatchObject({
    start_at: '2026-11-01',
    end_at: '2026-11-02 23:59:59',
  });
  expect(shownPeriod({ start_at: '2026-11-20', end_at: '2026-11-20' }, now)).toBe('today');
  expect(shownPeriod({ start_at: '2026-01-01', end_at: '2026-01-09' }, now)).toBe('2026-01-01_2026-01-09');
  // A text that is not a time is ignored.
  expect(filterOf({ start_at: 'x', end_at: '2026-11-02' }, now)).toEqual(filterOf({}, now));
  expect({ ...hours, ...periodSearch('today') }).toEqual({ period: 'today' });
});

test('a start alone lasts until today, and an end alone has seven days before it', () => {
  expect(filterOf({ start_at: '2026-11-01' }, now)).toMatchObject({
    start_at: '2026-11-01',
    end_at: '2026-11-20 23:59:59',
  });
  expect(filterOf({ end_at: '2026-11-03 12:00:00' }, now)).toMatchObject({
    start_at: '2026-10-28',
    end_at: '2026-11-03 12:00:00',
  });
  expect(shownPeriod({ start_at: '2026-11-18' }, now)).toBe('2026-11-18_2026-11-20');
});

test.each([
  ['2026-11-20', '2026-11-20', 'today'],
  ['2026-11-20 00:00', '2026-11-20 23:59', 'today'],
  ['2026-11-20T00:00:00', '2026-11-20T23:59:59', 'today'],
  ['2026-11-20 00:01', '2026-11-20 23:59', '2026-11-20 00:01~2026-11-20 23:59'],
  ['2026-11-20 00:00', '2026-11-20 23:58', '2026-11-20 00:00~2026-11-20 23:58'],
  ['2026-11-20 00:00:01', '2026-11-20 23:59', '2026-11-20 00:00:01~2026-11-20 23:59'],
  ['2026-11-20 00:00Z', '2026-11-20 23:59', '2026-11-20 00:00Z~2026-11-20 23:59'],
  ['2026-11-20', '2026-11-20 23:59:59+03:00', '2026-11-20~2026-11-20 23:59:59+03:00'],
])('the period from %s to %s is shown as %s … %s', (start_at, end_at, shown) => {
  expect(shownPeriod({ start_at, end_at }, now)).toBe(shown);
});

test.each([
  'x2026-11-20',
  '2026-11-20x',
  '2026-11-2',
  '2026-1-20',
  '202-11-20',
  '2026-11-20 1:00',
  '2026-11-20 10:0',
  '2026-11-20 10:00:0',
  '2026-11-20_10:00',
  '2026-11-20 10:00+3:00',
  '2026-11-20 10:00+03:0',
  '2026-11-20 10:00:00Zx',
  '2026-13-77',
  '2026-02-30',
  '0000-00-00',
  '2026-11-20 25:00',
])('%s is no time', text => {
  for (const search of [{ start_at: text }, { end_at: text }, { start_at: '2026-11-02', end_at: text }]) {
    expect(filterOf(search, now)).toEqual(filterOf({}, now));
    expect(shownPeriod({ ...search, period: 'lastWeek' }, now)).toBe('lastWeek');
  }
});

test.each(['2026-11-02 10:00Z', '2026-11-02T10:00:00+03:00', '2026-11-02 10:00-05:30', '2026-11-02 10:00'])(
  '%s is a time',
  end_at => expect(filterOf({ start_at: '2026-11-01', end_at }, now)).toMatchObject({ start_at: '2026-11-01', end_at }),
);

test('days have two digits', () => {
  expect(filterOf({ end_at: '2026-03-09' }, now)).toMatchObject({ start_at: '2026-03-03' });
  expect(filterOf({ start_at: '2026-01-01' }, new Date(2026, 2, 5))).toMatchObject({ end_at: '2026-03-05 23:59:59' });
  expect(filterOf({ period: '2026-03-01_2026-03-09' }, new Date(2026, 2, 5))).toMatchObject({
    end_at: '2026-03-05 23:59:59',
  });
});

test('a period that ends before today, today or that begins tomorrow keeps its end', () => {
  for (const period of ['2026-11-01_2026-11-19', '2026-11-01_2026-11-20', '2026-11-21_2026-11-22'])
    expect(filterOf({ period }, now)).toMatchObject({ end_at: `${period.slice(11)} 23:59:59` });
  expect(filterOf({ period: '2026-11-20_2026-11-22' }, now)).toMatchObject({ end_at: '2026-11-20 23:59:59' });
});

test('the period before is compared only if the address asks for it', () => {
  expect(filterOf({ compare: 'before' }, now)).toMatchObject({ compare: true });
  for (const search of [{}, { compare: 'x' }]) expect(filterOf(search, now)).not.toHaveProperty('compare');
});

test('an address without times shows its own period', () => {
  expect(shownPeriod({ period: 'lastWeek' }, now)).toBe('lastWeek');
  expect(shownPeriod({}, now)).toBeUndefined();
  expect(periodSearch('today')).toEqual({ period: 'today', start_at: undefined, end_at: undefined });
});

test('locations and devices come from the address', () => {
  expect(filterOf({ locations: 'a,b', devices: 'c' }, now)).toMatchObject({
    locationIds: ['a', 'b'],
    deviceIds: ['c'],
  });
});

test('a time with an offset is that moment: it is shown on the clocks of the zone', () => {
  const zone = 'Europe/Istanbul';
  const moments = { start_at: '2026-11-20T10:00:00Z', end_at: '2026-11-20T11:30:00+01:00' };
  expect(filterOf(moments, now, zone)).toMatchObject(moments);
  expect(shownPeriod(moments, now, zone)).toBe('2026-11-20T13:00:00~2026-11-20T13:30:00');
  const day = { start_at: '2026-11-17T21:00:00Z', end_at: '2026-11-18T20:59:59Z' };
  expect(shownPeriod(day, now, zone)).toBe('2026-11-18_2026-11-18');
  expect(filterOf({ end_at: '2026-11-18T22:00:00Z' }, now, zone)).toMatchObject({ start_at: '2026-11-13' });
});
