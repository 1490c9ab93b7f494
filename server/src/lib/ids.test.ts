import { expect, onTestFinished, test, vi } from 'vitest';
import { isId, newId } from './ids.ts';

function expectOrder(ids: readonly string[]): void {
  expect(ids.every(isId)).toBe(true);
  expect(ids.every(id => /^.{14}7.{4}[89ab]/.test(id))).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual([...ids].sort());
}

test('ids of one millisecond are in the order in which they were made', () => {
  // A run of a few thousand ids touches several milliseconds.
  expectOrder(Array.from({ length: 5000 }, newId));
});

test('more ids than the counter has room for, and those after a small step back of the clock, are in order too', () => {
  const clock = vi.spyOn(Date, 'now');
  onTestFinished(() => clock.mockRestore());
  const now = Date.now() + 10_000;
  clock.mockReturnValue(now);
  const ids = Array.from({ length: 10_000 }, newId);
  clock.mockReturnValue(now - 500);
  ids.push(newId());
  clock.mockReturnValue(now + 500);
  ids.push(newId());
  expectOrder(ids);
  // A large step begins a new order: ids would else have a wrong time until the process ends.
  clock.mockReturnValue(now - 10_000);
  expect(newId() < ids[0]!).toBe(true);
});
