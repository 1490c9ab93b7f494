import { expect, test } from 'vitest';
import { chartLines } from '#ui/chart-lines.ts';

test('grid lines are round numbers and reach the highest value', () => {
  expect(chartLines(1)).toEqual([0, 1]);
  expect(chartLines(3)).toEqual([0, 1, 2, 3]);
  expect(chartLines(77)).toEqual([0, 20, 40, 60, 80]);
  expect(chartLines(2700)).toEqual([0, 1000, 2000, 3000]);
  for (let max = 1; max < 20_000; max += 7) {
    const lines = chartLines(max);
    expect(lines.at(-1)).toBeGreaterThanOrEqual(max);
    expect(lines.length).toBeLessThanOrEqual(6);
    expect(lines.every(Number.isInteger)).toBe(true);
  }
});

test('bytes step by decimal units', () => {
  const gb = 1e9;
  expect(chartLines(11 * gb, true)).toEqual([0, 5 * gb, 10 * gb, 15 * gb]);
  for (let max = 1; max < 1e15; max *= 3.7) {
    const lines = chartLines(max, true);
    expect(lines.at(-1)).toBeGreaterThanOrEqual(max);
    expect(lines.length).toBeLessThanOrEqual(6);
  }
});
