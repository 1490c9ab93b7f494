import { afterEach, expect, test, vi } from 'vitest';
import { registry } from '#lib/metrics.ts';
import { afterFile } from '#test/after-file.ts';
import { startApp } from '#test/harness.ts';
import { clockDifference } from './clock-difference.ts';
import { watchClock } from './clock-watch.ts';

const app = await startApp();
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});
const shown = async () =>
  (await registry.getSingleMetric('portico_clock_difference_seconds')?.get())?.values[0]?.value ?? Number.NaN;
const steps = async (): Promise<Record<string, number>> =>
  Object.fromEntries(
    ((await registry.getSingleMetric('portico_clock_steps_total')?.get())?.values ?? []).map(it => [
      it.labels['direction'],
      it.value,
    ]),
  );
const differences = (error: { mock: { calls: unknown[][] } }) =>
  error.mock.calls.filter(([, text]) => String(text).includes('differ'));

test('a process whose clock is behind says so once, and again when it matches', async () => {
  const said = { error: vi.spyOn(app.log, 'error'), info: vi.spyOn(app.log, 'info') };
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 600_000 });
  const end = watchClock(app, 10);
  afterFile(end);
  await expect.poll(shown).toBeGreaterThan(590);
  vi.useRealTimers();
  await expect.poll(shown).toBeLessThan(5);
  expect(differences(said.error)).toHaveLength(1);
  expect(said.info).toHaveBeenCalledTimes(1);
  end();
});

test('a clock that is set is counted and said once for each step, in both directions', async () => {
  const error = vi.spyOn(app.log, 'error');
  afterFile(watchClock(app, 10));
  const before = await steps();
  expect(before).toEqual({ forwards: expect.any(Number), backwards: expect.any(Number) });
  const { now } = Date;
  const ahead = vi.spyOn(Date, 'now').mockImplementation(() => now() + 7_200_000);
  await expect.poll(steps).toEqual({ ...before, forwards: before['forwards']! + 1 });
  ahead.mockRestore();
  await expect.poll(steps).toEqual({ forwards: before['forwards']! + 1, backwards: before['backwards']! + 1 });
  const said = error.mock.calls.filter(([, text]) => String(text).includes('was set'));
  expect(said).toEqual([
    [{ seconds: 7200 }, 'the clock of this process was set forwards'],
    [{ seconds: 7200 }, 'the clock of this process was set backwards'],
  ]);
});

test('the time of a slow answer is no difference', () => {
  expect(clockDifference(1000, 1000, 9000)).toBe(0);
  expect(clockDifference(1000, 9000, 9000)).toBe(0);
  expect(clockDifference(1000, 9500, 9000)).toBe(500);
  expect(clockDifference(1000, 400, 9000)).toBe(-600);
});
