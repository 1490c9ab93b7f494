import { expect, test } from 'vitest';
import type { LogSender } from '#syslog/senders.ts';
import { countFlows, type FlowTally } from './flows.ts';

const sender: LogSender = {
  ...{ tenantId: 'tenant', deviceId: 'device', locationId: 'location', nasIdentifier: 'nas', timeZone: 'UTC' },
  ...{ brand: 'mikrotik', loggingEnabled: true, serial: null, sources: [] },
};
const at = Date.parse('2026-03-10T09:30:00Z');
const upload = (bytes: number) => ({ from: '10.5.50.9', to: '203.0.113.5', bytes });

/** Counts flows without an interval: only the end stores them. */
function start(failures: number) {
  const stored: string[] = [];
  const errors: unknown[] = [];
  let left = failures;
  const flows = countFlows({
    ...{
      names: () => new Map([['203.0.113.5', 'example.org']]),
      failed: error => errors.push(error),
      everyMs: 3_600_000,
    },
    write: async (tallies: readonly FlowTally[]) => {
      left -= 1;
      if (left >= 0) throw new Error('away');
      for (const { tops } of tallies) for (const it of tops.values()) stored.push(`${it.kind} ${it.name} ${it.sent}`);
    },
  });
  return { flows, stored, errors };
}

test('flows of a failed write are stored by the next one, once', async () => {
  const { flows, stored, errors } = start(1);
  flows.add(sender, [upload(100), upload(20)], at);
  await flows.stop();
  expect(stored).toContain('website example.org 120');
  expect(stored).toEqual([...new Set(stored)]);
  expect(errors).toHaveLength(1);
});

test('flows without a guest are not stored', async () => {
  const { flows, stored, errors } = start(0);
  flows.add(sender, [{ from: '198.51.100.1', to: '203.0.113.5', bytes: 7 }], at);
  await flows.stop();
  expect([stored, errors]).toEqual([[], []]);
});
