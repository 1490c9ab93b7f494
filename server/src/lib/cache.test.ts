import { expect, test } from 'vitest';
import { createCache } from './cache.ts';

test('the least recently used entry is evicted first', () => {
  const cache = createCache<string, number>({ maxEntries: 2 });
  cache.set('a', 1);
  cache.set('b', 2);
  cache.get('a');
  cache.set('c', 3);
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3]);
});

test('an entry is gone after its time to live', () => {
  let now = 1000;
  const cache = createCache<string, number>({ maxEntries: 2, ttlMs: 100, now: () => now });
  cache.set('a', 1);
  now += 100;
  expect(cache.get('a')).toBe(1);
  now += 1;
  expect(cache.get('a')).toBeUndefined();
});
