import { expect, test } from 'vitest';
import { createTurns } from './turns.ts';

const turns = (more: object = {}) =>
  createTurns({ atOnce: 2, waiting: 3, waitMs: 60_000, refusal: () => new Error('busy'), ...more });
const settle = () => new Promise(resolve => setImmediate(resolve));

test('who asks much waits behind itself, and others do not', async () => {
  const { take } = turns();
  const order: string[] = [];
  const ask = async (who: string, name: string) => {
    const end = await take(who);
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

test('too many of one are refused, and so is who waits too long; the line goes on', async () => {
  const { take } = turns({ waiting: 1, waitMs: 20 });
  const end = await take('a');
  const waits = take('a');
  await expect(take('a')).rejects.toThrow('busy');
  await expect(waits).rejects.toThrow('busy');
  end();
  (await take('a'))();
  (await take('b'))();
});
