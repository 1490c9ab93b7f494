import { afterEach, expect, test, vi } from 'vitest';
import { registry } from '#lib/metrics.ts';
import { afterFile } from '#test/after-file.ts';
import { startApp } from '#test/harness.ts';
import { clockDifference } from './clock-difference.ts';
import { watchClock } from './clock-watch.ts';

const app = await startApp();
afterEach(() => vi.useRealTimers());
const shown = async () =>
  (await registry.getSingleMetric('portico_clock_difference_seconds')?.get())?.values[0]?.value ?? Number.NaN;

test('a process whose clock is behind says so once, and again when it matches', async () => {
  const said = { error: vi.spyOn(app.log, 'error'), info: vi.spyOn(app.log, 'info') };
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 600_000 });
  afterFile(watchClock(app, 10));
  await expect.poll(shown).toBeGreaterThan(590);
  vi.useRealTimers();
  await expect.poll(shown).toBeLessThan(5);
  expect(said.error).toHaveBeenCalledTimes(1);
  expect(said.info).toHaveBeenCalledTimes(1);
});

test('the time of a slow answer is no difference', () => {
  expect(clockDifference(1000, 1000, 9000)).toBe(0);
  expect(clockDifference(1000, 9000, 9000)).toBe(0);
  expect(clockDifference(1000, 9500, 9000)).toBe(500);
  expect(clockDifference(1000, 400, 9000)).toBe(-600);
});
