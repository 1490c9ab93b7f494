import { expect, test, vi } from 'vitest';

// These modules read the address and the storage when they load.
vi.stubGlobal('location', { search: '' });
vi.stubGlobal('localStorage', { getItem: () => null });
const { clockOf } = await import('#lib/local-now.ts');

test.for([
  ['Asia/Tokyo', 2026, 10, 21, 6],
  ['Europe/Istanbul', 2026, 10, 21, 0],
  ['UTC', 2026, 10, 20, 21],
  ['America/Los_Angeles', 2026, 10, 20, 13],
] as const)('the day in %s is that of its own clocks', ([zone, year, month, day, hour]) => {
  const now = clockOf(zone, new Date('2026-11-20T21:30:15Z'));
  expect(now).toEqual(new Date(year, month, day, hour, 30, 15));
});
