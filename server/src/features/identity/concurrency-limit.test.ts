import { expect, onTestFinished, test, vi } from 'vitest';
import { createConcurrencyLimit } from './concurrency-limit.ts';

const limit = (more: object = {}) =>
  createConcurrencyLimit({
    maxRunning: 2,
    maxWaiting: 3,
    maxWaitMs: 60_000,
    refusal: () => new Error('busy'),
    ...more,
  });
const settle = () => new Promise(resolve => setImmediate(resolve));

test('a key with much work does not delay other keys', async () => {
  const { take } = limit();
  const order: string[] = [];
  const ask = async (key: string, name: string) => {
    const end = await take(key);
    order.push(name);
    return end;
  };
  const endFirst = await ask('a', 'a1');
  const [second, third] = [ask('a', 'a2'), ask('a', 'a3')];
  const endOther = await ask('b', 'b1');
  const late = ask('c', 'c1');
  await settle();
  expect(order).toEqual(['a1', 'b1']);
  endOther();
  const endLate = await late;
  expect(order).toEqual(['a1', 'b1', 'c1']);
  endFirst();
  (await second)();
  (await third)();
  endLate();
  expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'a3']);
});

test('too many waiting callers of a key are refused, as are those that wait too long; the next ones run', async () => {
  const { take } = limit({ maxWaiting: 1, maxWaitMs: 20 });
  const end = await take('a');
  const waits = take('a');
  await expect(take('a')).rejects.toThrow('busy');
  await expect(waits).rejects.toThrow('busy');
  end();
  (await take('a'))();
  (await take('b'))();
});

test('callers of other keys that wait take no place in the queue of a key', async () => {
  const { take } = limit({ maxRunning: 1, maxWaiting: 1 });
  const end = await take('a');
  const waits = [take('b'), take('c'), take('a')];
  for (const key of ['a', 'b', 'c']) await expect(take(key)).rejects.toThrow('busy');
  end();
  for (const one of waits) (await one)();
});

test('a caller leaves the queue once, when it starts or is refused, and those behind it stay', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { take } = limit({ maxWaitMs: 1000 });
  const endFirst = await take('a');
  const second = take('a');
  vi.advanceTimersByTime(500);
  const third = take('a');
  endFirst();
  const endSecond = await second;
  // The second caller would have been refused by now.
  vi.advanceTimersByTime(600);
  endSecond();
  vi.advanceTimersByTime(1000);
  const endThird = await third;
  const refused = take('a').catch((error: Error) => error.message);
  vi.advanceTimersByTime(500);
  const last = take('a');
  vi.advanceTimersByTime(500);
  expect(await refused).toBe('busy');
  endThird();
  (await last)();
});
