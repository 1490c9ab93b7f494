import { afterEach, expect, test, vi } from 'vitest';
import { endAfter } from '#lib/licence-days.ts';
import { dayIn } from '#lib/time-zone.ts';

afterEach(() => void vi.useRealTimers());
const at = (time: string) => vi.useFakeTimers({ now: Date.parse(time) });

test('a running licence is extended from its end', () => {
  at('2026-11-20T12:00:00Z');
  expect(endAfter({ license_end_at: '2027-03-01T12:00:00Z', time_zone: 'UTC' }, 1)).toBe('1 Mar 2028');
});

test('an ended or missing licence starts today', () => {
  at('2026-11-20T12:00:00Z');
  expect(endAfter({ license_end_at: '2026-03-01T12:00:00Z', time_zone: 'UTC' }, 2)).toBe('20 Nov 2028');
  expect(endAfter({ license_end_at: null, time_zone: 'UTC' }, 1)).toBe('20 Nov 2027');
});

test('days follow the time zone of the location', () => {
  at('2026-11-20T22:30:00Z');
  expect(endAfter({ license_end_at: null, time_zone: 'Europe/Istanbul' }, 1)).toBe('21 Nov 2027');
  expect(endAfter({ license_end_at: null, time_zone: 'America/New_York' }, 1)).toBe('20 Nov 2027');
  expect(dayIn('Pacific/Kiritimati', '2026-11-20T10:00:00Z')).toBe('2026-11-21');
  expect(dayIn('Pacific/Pago_Pago', '2026-11-20T10:00:00Z')).toBe('2026-11-19');
});
