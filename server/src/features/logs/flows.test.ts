import { expect, test } from 'vitest';
import type { Flow } from '#syslog/netflow.ts';
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
      for (const { tops } of tallies)
        for (const it of tops.values()) stored.push(`${it.kind} ${it.name} ${it.sent} ${it.recv}`);
    },
  });
  return { flows, stored, errors };
}

test('flows of a failed write are stored by the next one, once', async () => {
  const { flows, stored, errors } = start(1);
  flows.add(sender, [upload(100), upload(20)], at);
  await flows.stop();
  expect(stored).toContain('website example.org 120 0');
  expect(stored).toEqual([...new Set(stored)]);
  expect(errors).toHaveLength(1);
});

test('flows without a guest are not stored', async () => {
  const { flows, stored, errors } = start(0);
  flows.add(sender, [{ from: '198.51.100.1', to: '203.0.113.5', bytes: 7 }], at);
  await flows.stop();
  expect([stored, errors]).toEqual([[], []]);
});

test.for([
  ['10.5.50.9', '203.0.113.5', 'sent'],
  ['203.0.113.5', '10.5.50.9', 'received'],
  ['172.16.0.1', '203.0.113.5', 'sent'],
  ['172.31.255.1', '203.0.113.5', 'sent'],
  ['172.32.0.1', '203.0.113.5', 'not counted'],
  ['192.168.1.1', '203.0.113.5', 'sent'],
  ['100.64.0.1', '203.0.113.5', 'sent'],
  ['100.127.0.1', '203.0.113.5', 'sent'],
  ['100.128.0.1', '203.0.113.5', 'not counted'],
  ['10.5.50.9', '10.5.50.10', 'not counted'],
  ['fd00::9', '2001:db8::5', 'sent'],
  ['2001:db8::5', 'FC00::9', 'received'],
  ['fd00::9', 'fd00::8', 'not counted'],
] as const)('bytes from %s to %s are %s', async ([from, to, what]) => {
  expect(await counted({ from, to, bytes: 7 })).toBe(what);
});

test.for([
  [50_000, 443, 'sent'],
  [443, 50_000, 'received'],
  [1024, 1023, 'sent'],
  [1023, 1024, 'received'],
  [50_000, 1024, 'not counted'],
  [443, 53, 'not counted'],
] as const)('bytes from port %s to %s of public IPv6 addresses are %s', async ([fromPort, toPort, what]) => {
  expect(await counted({ from: '2001:db8::9', to: '2001:db8:1::5', bytes: 7, fromPort, toPort })).toBe(what);
});

/** Whether a guest sent or received the bytes of a flow. */
async function counted(flow: Flow): Promise<string> {
  const writes: string[] = [];
  const { add, stop } = countFlows({
    ...{ names: () => new Map([flow.from, flow.to].map(it => [it, 'example.org'])), everyMs: 3_600_000 },
    failed: error => writes.push(String(error)),
    write: async tallies => {
      for (const { tops } of tallies)
        for (const { sent, recv } of tops.values()) writes.push(sent === 7 && recv === 0 ? 'sent' : 'received');
    },
  });
  add(sender, [flow], at);
  await stop();
  return writes[0] ?? 'not counted';
}

test('a sum of impossible counts stays one that a column holds', async () => {
  const { flows, stored, errors } = start(0);
  flows.add(
    sender,
    Array.from({ length: 2000 }, () => upload(2 ** 44)),
    at,
  );
  await flows.stop();
  expect(errors).toEqual([]);
  expect(stored).toContain(`website example.org ${Number.MAX_SAFE_INTEGER} 0`);
});
