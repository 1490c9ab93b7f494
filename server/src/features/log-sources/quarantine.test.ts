import { expect, test } from 'vitest';
import { type QuarantineRow, quarantineBounds } from './log-sources.queries.ts';
import { createQuarantine } from './quarantine.ts';

function start(write: (rows: readonly QuarantineRow[]) => Promise<void> = async () => undefined) {
  const rows: QuarantineRow[] = [];
  const failures: unknown[] = [];
  const { add, stop } = createQuarantine({
    write: async it => {
      rows.push(...it);
      await write(it);
    },
    failed: error => failures.push(error),
  });
  const of = (deviceId: string) => ({ tenantId: 't', deviceId });
  return {
    rows,
    failures,
    stop,
    add: (device: string, ...rest: [string, string, number?]) => add(of(device), ...rest),
  };
}

test('lines are counted by device and address, with the first and the last time', async () => {
  const { rows, add, stop } = start();
  add('d', 'one', '192.0.2.1', 1000);
  add('d', 'two', '192.0.2.1', 2000);
  add('d', 'three', '192.0.2.2', 3000);
  add('e', 'four', '192.0.2.1', 4000);
  await stop();
  expect(
    rows.map(({ deviceId, address, lines, firstAt, lastAt, samples }) => [
      deviceId,
      address,
      lines,
      firstAt,
      lastAt,
      samples,
    ]),
  ).toEqual([
    ['d', '192.0.2.1', 2, 1000, 2000, ['one', 'two']],
    ['d', '192.0.2.2', 1, 3000, 3000, ['three']],
    ['e', '192.0.2.1', 1, 4000, 4000, ['four']],
  ]);
  await stop();
  expect(rows, 'each line once').toHaveLength(3);
});

test('the latest lines are kept, each up to its length, as text that the database can store', async () => {
  const { rows, add, stop } = start();
  const count = quarantineBounds.samples + 3;
  for (let n = 0; n < count; n++) add('d', `${n} ${'x'.repeat(400)}`, '192.0.2.1');
  add('e', Buffer.from('Çay \0').toString('latin1'), '192.0.2.1');
  await stop();
  expect(rows[0]!.lines).toBe(count);
  expect(rows[0]!.samples.map(it => Number.parseInt(it))).toEqual(
    Array.from({ length: quarantineBounds.samples }, (_, n) => n + 3),
  );
  expect(new Set(rows[0]!.samples.map(it => it.length))).toEqual(new Set([quarantineBounds.sampleLength]));
  expect(rows[1]!.samples).toEqual(['Çay \ufffd']);
});

test('beyond a hundred addresses of a device the rest is counted together, without lines', async () => {
  const { rows, add, stop } = start();
  for (let n = 0; n < 130; n++) add('d', 'line', `192.0.2.${n}`);
  add('d', 'line', '192.0.2.99');
  add('e', 'line', '192.0.2.1');
  await stop();
  const of = (device: string) => rows.filter(it => it.deviceId === device);
  expect(of('d')).toHaveLength(101);
  expect(of('d').find(it => it.address === '192.0.2.99')?.lines).toBe(2);
  expect(of('d').find(it => it.address === null)).toMatchObject({ lines: 30, samples: [] });
  expect(of('e')).toMatchObject([{ address: '192.0.2.1', lines: 1 }]);
});

test('beyond five thousand addresses in total the rest of each device is counted together', async () => {
  const { rows, add, stop } = start();
  for (let n = 0; n < 5000; n++) add(`d${n % 60}`, 'line', `192.0.${n >> 8}.${n & 255}`);
  add('late', 'line', '198.51.100.1');
  add('later', 'line', '198.51.100.1');
  await stop();
  expect(rows).toHaveLength(5002);
  expect(rows.slice(5000)).toMatchObject([
    { deviceId: 'late', address: null, lines: 1 },
    { deviceId: 'later', address: null, lines: 1 },
  ]);
});

test('a failed write is told and not repeated', async () => {
  const { rows, failures, add, stop } = start(async () => {
    throw new Error('away');
  });
  add('d', 'line', '192.0.2.1');
  await stop();
  await stop();
  expect([rows.length, failures]).toEqual([1, [new Error('away')]]);
});
