import { expect, test } from 'vitest';
import { countDroppedLines } from './dropped-lines.ts';

const device = { tenantId: 'tenant', deviceId: 'device' };

/** Counts without an interval: only the end stores them. */
function start(overflow: number | undefined = 0, failures = 0) {
  const stored: unknown[] = [];
  const errors: unknown[] = [];
  let left = failures;
  const counter = countDroppedLines({
    everyMs: 3_600_000,
    overflow: async () => overflow,
    failed: error => errors.push(error),
    write: async (rows, unassigned) => {
      if (left-- > 0) throw new Error('away');
      stored.push({ rows: rows.map(it => [it.deviceId, it.reason, it.lines, it.lastAt]), ...unassigned });
    },
  });
  return { counter, stored, errors };
}

test('dropped lines are counted by device and reason, with the time of the last', async () => {
  const { counter, stored } = start();
  counter.add(device, 'flood', 2, 50);
  counter.add(device, 'flood', 1, 40);
  counter.add(device, 'cut', 1, 10);
  counter.add({ ...device, deviceId: 'other' }, 'flood', 1, 10);
  await counter.stop();
  const rows = [
    ['device', 'flood', 3, 50],
    ['device', 'cut', 1, 10],
    ['other', 'flood', 1, 10],
  ];
  expect(stored).toEqual([{ rows, overflow: 0, unknownLines: 0, unknownFlows: 0 }]);
  await counter.stop();
  expect(stored, 'once').toHaveLength(1);
});

test('lines and packets of unknown devices, and those that the kernel dropped, are stored alone too', async () => {
  const none = start();
  await none.counter.stop();
  expect(none.stored).toEqual([]);
  for (const what of ['lines', 'flows'] as const) {
    const { counter, stored } = start();
    counter.addUnknown(what);
    counter.addUnknown(what);
    await counter.stop();
    expect(stored).toMatchObject([{ unknownLines: what === 'lines' ? 2 : 0, unknownFlows: what === 'flows' ? 2 : 0 }]);
  }
  const { counter, stored } = start(7);
  for (let n = 0; n < 2; n++) await counter.stop();
  expect(stored).toEqual([{ rows: [], overflow: 7, unknownLines: 0, unknownFlows: 0 }]);
  const blind = start(undefined);
  await blind.counter.stop();
  expect(blind.stored).toEqual([]);
});

test('counts of a failed write stay for the next one', async () => {
  const { counter, stored, errors } = start(7, 1);
  counter.add(device, 'flood', 2, 50);
  counter.addUnknown('lines');
  counter.addUnknown('flows');
  await counter.stop();
  expect([stored, errors.length]).toEqual([[], 1]);
  counter.add(device, 'flood', 1, 60);
  await counter.stop();
  expect(stored).toEqual([{ rows: [['device', 'flood', 3, 60]], overflow: 7, unknownLines: 1, unknownFlows: 1 }]);
});
