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

test('locations and devices come from the address', () => {
  expect(filterOf({ locations: 'a,b', devices: 'c' }, now)).toMatchObject({
    locationIds: ['a', 'b'],
    deviceIds: ['c'],
  });
});
