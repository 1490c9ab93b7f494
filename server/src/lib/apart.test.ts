import { expect, test } from 'vitest';
import { apart } from './apart.ts';

const program = (code: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`import { parentPort, workerData } from 'node:worker_threads';${code}`)}`,
  );

test('a thread answers', async () => {
  expect(await apart(program('parentPort.postMessage(workerData + 1)'), 1)).toBe(2);
});

test.each([
  ['time', 'for (;;);', { maxMs: 10 }],
  ['memory', 'const all = []; for (;;) all.push([1, 2, 3]);', { maxMb: 8 }],
  ['fault', 'throw new Error("a defect")', {}],
  ['fault', 'process.exit(3)', {}],
] as const)('a thread that gives no answer tells why: %s', async (reason, code, limits) => {
  await expect(apart(program(code), null, limits)).rejects.toMatchObject({ name: 'ApartFailed', reason });
});

test('a thread that sends several messages goes on when one is taken', async () => {
  const counting = program(`
    let n = 0;
    parentPort.on('message', () => parentPort.postMessage(++n));
    parentPort.postMessage(0);`);
  const taken: unknown[] = [];
  expect(await apart(counting, null, { take: async n => taken.push(n) < 3 })).toBe(2);
  expect(taken).toEqual([0, 1, 2]);
  const ending = program('parentPort.postMessage(7); process.exit(0);');
  const slowly = () => new Promise<boolean>(resolve => setTimeout(resolve, 300, false));
  expect(await apart(ending, null, { take: slowly }), 'the thread ends before its last message is taken').toBe(7);
  const failing = apart(counting, null, { take: () => Promise.reject(new Error('the database is away')) });
  await expect(failing).rejects.toThrow('the database is away');
});

test('at most two threads run at a time', async () => {
  // How many run, the most that ran, and a cell that nothing wakes.
  const counts = new Int32Array(new SharedArrayBuffer(12));
  const counting = program(`
    const running = Atomics.add(workerData, 0, 1) + 1;
    for (let most = Atomics.load(workerData, 1); running > most; most = Atomics.load(workerData, 1))
      Atomics.compareExchange(workerData, 1, most, running);
    Atomics.wait(workerData, 2, 0, 200);
    Atomics.sub(workerData, 0, 1);
    parentPort.postMessage('done');`);
  expect(await Promise.all(Array.from({ length: 6 }, () => apart(counting, counts)))).toEqual(Array(6).fill('done'));
  expect(counts[1]).toBeLessThanOrEqual(2);
});
