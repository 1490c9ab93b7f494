import { expect, test } from 'vitest';
import { createFloodLimit } from './flood-limit.ts';

/** How many of a thousand lines at one moment are within the limit. */
const admitted = (limit: ReturnType<typeof createFloodLimit>, now: number, key = 'a') =>
  Array.from({ length: 1000 }, () => limit.admits(key, now)).filter(Boolean).length;

test('a source may send twice its rate at once, then its rate', () => {
  const limit = createFloodLimit(10);
  expect(admitted(limit, 1000)).toBe(20);
  expect(admitted(limit, 1099)).toBe(0);
  expect(admitted(limit, 1100)).toBe(1);
  expect(admitted(limit, 1600)).toBe(5);
  expect(admitted(limit, 99_000), 'no more than the burst').toBe(20);
});

test('each source has a limit of its own', () => {
  const limit = createFloodLimit(10);
  expect([admitted(limit, 0, 'a'), admitted(limit, 0, 'b')]).toEqual([20, 20]);
});

test('a clock that was set back adds nothing', () => {
  const limit = createFloodLimit(10);
  expect(admitted(limit, 10_000)).toBe(20);
  expect(admitted(limit, 5000)).toBe(0);
  expect(admitted(limit, 5100)).toBe(1);
});
