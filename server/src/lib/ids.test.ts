import { expect, test } from 'vitest';
import { isId, newId } from './ids.ts';

test('ids of one millisecond are in the order in which they were made', () => {
  // A run of a few thousand ids touches several milliseconds.
  const ids = Array.from({ length: 5000 }, newId);
  expect(ids.every(isId)).toBe(true);
  expect(ids.every(id => /^.{14}7.{4}[89ab]/.test(id))).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual([...ids].sort());
});
