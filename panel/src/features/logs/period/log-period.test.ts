import { expect, test, vi } from 'vitest';

// The modules read the address and the storage when they are loaded.
vi.stubGlobal('location', { search: '' });
vi.stubGlobal('localStorage', { getItem: () => null });
const { nameOf, periodOf, searchOf } = await import('#features/logs/period/log-period.ts');

const now = new Date(2026, 10, 20, 14, 5);

test('a chosen period is stored in the address as two times and read back', () => {
  expect(searchOf('today', now)).toEqual({ start_at: '2026-11-20 00:00:00', end_at: '2026-11-20 23:59:59' });
  for (const value of ['today', 'lastMonth', '2026-11-02_2026-11-05', undefined])
    expect(periodOf(searchOf(value, now), now)).toBe(value);
});

test('other times in the address are used as they are', () => {
  expect(periodOf({ start_at: '2026-11-20T14:00:00', end_at: '2026-11-20T15:30:00' }, now)).toBe(
    '2026-11-20T14:00:00~2026-11-20T15:30:00',
  );
  expect(periodOf({ start_at: '2026-11-20' }, now)).toBe('2026-11-20~');
  expect(periodOf({ end_at: '2026-11-20' }, now)).toBe('~2026-11-20');
  for (const start of ['2026-11-20 00:01', '2026-11-20 00:00:01', 'x2026-11-20', '2026-11-20x', '2026-11-20 00:00:00x'])
    expect(periodOf({ start_at: start, end_at: '2026-11-20' }, now)).toBe(`${start}~2026-11-20`);
  for (const end of ['2026-11-20 23:58', '2026-11-20 23:59:58', 'x2026-11-20', '2026-11-20x', '2026-11-20 23:59:59x'])
    expect(periodOf({ start_at: '2026-11-20', end_at: end }, now)).toBe(`2026-11-20~${end}`);
});

test.each([
  ['2026-11-20', '2026-11-20'],
  ['2026-11-20 00:00', '2026-11-20 23:59'],
  ['2026-11-20T00:00:00', '2026-11-20T23:59:59'],
])('%s to %s is a whole day', (start_at, end_at) => {
  expect(periodOf({ start_at, end_at }, now)).toBe('today');
  expect(periodOf({ start_at, end_at: end_at.replace('-20', '-21') }, now)).toBe('2026-11-20_2026-11-21');
  expect(periodOf({ start_at: start_at.replace('-20', '-19'), end_at }, now)).toBe('2026-11-19_2026-11-20');
});

test('no period leaves the address without one', () => {
  expect(searchOf(undefined, now)).toEqual({ start_at: undefined, end_at: undefined });
  expect(searchOf('', now)).toEqual({ start_at: undefined, end_at: undefined });
  expect(periodOf({}, now)).toBeUndefined();
});

test('a named period has a name, and two days have none', () => {
  expect(nameOf('lastMonth')).toBe('lastMonth');
  expect(nameOf('2026-11-02_2026-11-05')).toBeUndefined();
});
