import { expect, test, vi } from 'vitest';

// The modules read the address and the storage when they are loaded.
vi.stubGlobal('location', { search: '' });
vi.stubGlobal('localStorage', { getItem: () => null });
const { periodOf, searchOf } = await import('#features/logs/period/log-period.ts');

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
});
