import { expect, test } from 'vitest';
import { chartLines } from '#ui/chart-lines.ts';

test('lines of a chart are round and reach the highest value', () => {
  expect(chartLines(1)).toEqual([0, 1]);
  expect(chartLines(3)).toEqual([0, 1, 2, 3]);
  expect(chartLines(77)).toEqual([0, 20, 40, 60, 80]);
  expect(chartLines(2700)).toEqual([0, 1000, 2000, 3000]);
  for (let most = 1; most < 20_000; most += 7) {
    const lines = chartLines(most);
    expect(lines.at(-1)).toBeGreaterThanOrEqual(most);
    expect(lines.length).toBeLessThanOrEqual(6);
    expect(lines.every(Number.isInteger)).toBe(true);
  }
});

test('bytes step by 1024', () => {
  const gib = 1024 ** 3;
  expect(chartLines(11 * gib, true)).toEqual([0, 5 * gib, 10 * gib, 15 * gib]);
  for (let most = 1; most < 1e15; most *= 3.7) {
    const lines = chartLines(most, true);
    expect(lines.at(-1)).toBeGreaterThanOrEqual(most);
    expect(lines.length).toBeLessThanOrEqual(6);
  }
});
