import { expect, test } from 'vitest';
import { createTurns } from './turns.ts';

/** Work that counts its runs, each of which ends when it is told to. */
function startWork() {
  const inTurn = createTurns();
  const runs: PromiseWithResolvers<void>[] = [];
  const call = (key = 'a') =>
    inTurn(key, () => {
      const run = Promise.withResolvers<void>();
      runs.push(run);
      return run.promise;
    });
  return { runs, call };
}

test('a hundred calls during a run share one that begins after it', async () => {
  const { runs, call } = startWork();
  const first = call();
  const others = Array.from({ length: 100 }, () => call());
  expect(runs).toHaveLength(1);
  runs[0]!.resolve();
  await first;
  await expect.poll(() => runs.length).toBe(2);
  runs[1]!.resolve();
  await Promise.all(others);
  const later = call();
  expect(runs).toHaveLength(3);
  runs[2]!.resolve();
  await later;
});

test('a call during the second run gets a third one', async () => {
  const { runs, call } = startWork();
  void call();
  const second = call();
  runs[0]!.resolve();
  await expect.poll(() => runs.length).toBe(2);
  const third = call();
  runs[1]!.resolve();
  await second;
  await expect.poll(() => runs.length).toBe(3);
  runs[2]!.resolve();
  await third;
});

test('a run that fails is told to those who share it, and the next one runs', async () => {
  const { runs, call } = startWork();
  const first = call();
  const second = call();
  runs[0]!.reject(new Error('away'));
  await expect(first).rejects.toThrow('away');
  await expect.poll(() => runs.length).toBe(2);
  runs[1]!.resolve();
  await second;
});

test('other keys do not wait', () => {
  const { runs, call } = startWork();
  void call('a');
  void call('b');
  expect(runs).toHaveLength(2);
});
