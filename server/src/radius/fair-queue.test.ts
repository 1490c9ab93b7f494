import { expect, test } from 'vitest';
import { fairQueue, type Share } from './fair-queue.ts';

interface Item extends Share {
  readonly n: number;
}

const queue = () => fairQueue<Item>({ of: it => it, perSubject: 2, perSender: 100 });
const fill = (items: readonly (readonly [sender: string, subjects: string, barrier?: 'barrier'])[]) => {
  const made = queue();
  for (const [n, [sender, subjects, barrier]] of items.entries())
    made.add({ n, sender, subjects: subjects.split(' '), ...(barrier && { barrier: true }) });
  return made;
};
const batches = (made: ReturnType<typeof queue>, size = 100) => {
  const taken: number[][] = [];
  while (made.length() > 0) taken.push(made.take(size).map(it => it.n));
  return taken;
};

test('a batch has so many items about a subject, and all others at once', () => {
  const made = fill([
    ['a', 'x'],
    ['a', 'x'],
    ['a', 'x'],
    ['a', 'y'],
    ['b', 'x'],
    ['b', 'z'],
  ]);
  expect(batches(made)).toEqual([
    [0, 1, 3, 5],
    [2, 4],
  ]);
});

test('a later item about two subjects waits for each of them, and those after it for it', () => {
  const made = fill([
    ['a', 'x'],
    ['a', 'x'],
    ['a', 'x y'],
    ['b', 'y'],
    ['b', 'z'],
  ]);
  expect(batches(made)).toEqual([
    [0, 1, 4],
    [2, 3],
  ]);
});

test('a barrier keeps its place among the items of its sender only', () => {
  const made = fill([
    ['a', 'x'],
    ['a', 'x'],
    ['a', 'x'],
    ['a', 'restart', 'barrier'],
    ['a', 'y'],
    ['b', 'y2'],
    ['b', 'restart-b', 'barrier'],
  ]);
  expect(batches(made)).toEqual([
    [0, 1, 5, 6],
    [2, 3, 4],
  ]);
});

test('a subject that an item names twice counts no less', () => {
  const made = fill([
    ['a', 'x'],
    ['a', 'x x'],
    ['a', 'x x'],
  ]);
  expect(batches(made)).toEqual([[0, 1], [2]]);
});

test('a small batch leaves the others in their order', () => {
  const made = fill([
    ['a', 'x'],
    ['a', 'x'],
    ['a', 'x'],
    ['a', 'y'],
    ['b', 'z'],
  ]);
  expect(batches(made, 3)).toEqual([
    [0, 1, 3],
    [2, 4],
  ]);
});

test('a sender has so many waiting items, and room again when they are taken', () => {
  const made = fairQueue<Item>({ of: it => it, perSubject: 8, perSender: 2 });
  const add = (sender: string) => made.add({ n: 0, sender, subjects: [sender] });
  expect(['a', 'a', 'a', 'b'].map(add)).toEqual([true, true, false, true]);
  made.take(1);
  expect([add('a'), add('a')]).toEqual([true, false]);
});
