import { expect, test } from 'vitest';
import { fairQueue, plainQueue, type Share } from './fair-queue.ts';

interface Item extends Share {
  readonly n: number;
}

const queue = () => fairQueue<Item>({ of: it => it, perSubject: 2, perSender: 100, capacity: 1000 });
const fill = (items: readonly (readonly [sender: string, subjects: string, barrier?: 'barrier'])[]) => {
  const made = queue();
  for (const [n, [sender, subjects, barrier]] of items.entries())
    made.add({ n, tenant: 't', sender, subjects: subjects.split(' '), ...(barrier && { barrier: true }) });
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
  const made = fairQueue<Item>({ of: it => it, perSubject: 8, perSender: 2, capacity: 1000 });
  const add = (sender: string) => made.add({ n: 0, tenant: 't', sender, subjects: [sender] });
  expect(['a', 'a', 'a', 'b'].map(add)).toEqual([true, true, false, true]);
  made.take(1);
  expect([add('a'), add('a')]).toEqual([true, false]);
});

/** A queue of tenants whose items have nothing in common. */
function ofTenants(capacity: number) {
  const made = fairQueue<Item>({ of: it => it, perSubject: 8, perSender: capacity, capacity });
  let n = 0;
  return {
    ...made,
    add: (tenant: string, times = 1) =>
      Array.from({ length: times }, () =>
        made.add({ n, tenant, sender: tenant, subjects: [`${tenant} ${n++}`] }),
      ).filter(it => it).length,
    tenants: (size: number) => {
      const counts: Record<string, number> = {};
      for (const { tenant } of made.take(size)) counts[tenant] = (counts[tenant] ?? 0) + 1;
      return counts;
    },
  };
}

test('there is room for another tenant, however many items others have waiting', () => {
  const made = ofTenants(1000);
  expect(made.add('a', 1000)).toBe(750);
  expect(made.add('b', 1000)).toBe(188);
  expect(made.add('c', 10)).toBe(10);
});

test('a batch is shared among the tenants that wait', () => {
  const made = ofTenants(1000);
  made.add('a', 700);
  made.add('b', 3);
  made.add('c', 50);
  expect(made.tenants(100)).toEqual({ b: 3, c: 49, a: 48 });
  expect(made.tenants(100)).toEqual({ c: 1, a: 99 });
  expect(made.tenants(1000)).toEqual({ a: 553 });
  expect(made.length()).toBe(0);
});

test('with more tenants than a batch has room for, each has its turn', () => {
  const made = ofTenants(1000);
  for (const tenant of ['a', 'b', 'c', 'd', 'e']) made.add(tenant, 2);
  expect([made.tenants(2), made.tenants(2), made.tenants(2)]).toEqual([
    { a: 1, b: 1 },
    { c: 1, d: 1 },
    { a: 1, e: 1 },
  ]);
});

test('a tenant without waiting items takes no turn of another, and an empty queue gives nothing', () => {
  const made = ofTenants(1000);
  expect(made.take(5)).toEqual([]);
  made.add('a');
  expect(made.tenants(1)).toEqual({ a: 1 });
  made.add('b');
  expect(made.tenants(1)).toEqual({ b: 1 });
  expect([made.take(5), made.length()]).toEqual([[], 0]);
});

test('without shares, items leave in the order in which they came', () => {
  const made = plainQueue<number>();
  expect([1, 2, 3].map(it => made.add(it))).toEqual([true, true, true]);
  expect([made.take(2), made.length(), made.take(2), made.length(), made.take(2)]).toEqual([[1, 2], 1, [3], 0, []]);
});
