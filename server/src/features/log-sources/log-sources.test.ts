import { beforeEach, expect, test } from 'vitest';
import { type Body, startApi } from '#test/harness.ts';
import { makeDevice } from '../logs/testing/fixture.ts';
import { addQuarantined, type QuarantineRow, quarantineBounds } from './log-sources.queries.ts';

const api = await startApi();
const { token } = await api.user('tenant-admin');
let device: Awaited<ReturnType<typeof makeDevice>>;
let devices = 0;
beforeEach(async () => {
  device = await makeDevice(api, { nas: `kaynak${String(++devices).padStart(3, '0')}`, proven: false });
});

/** An address from which lines are accepted: the minutes since its proof and, if it expires, until then. */
const prove = (network: string, proof: string, ago: number, left: number | null = null) =>
  api.app.db.pool.query(
    `insert into log_sources (tenant_id, device_id, network, proof, proven_at, expires_at)
      values ($1, $2, $3, $4, now() - make_interval(mins => $5), now() + make_interval(mins => $6))`,
    [device.tenantId, device.id, network, proof, ago, left],
  );
const first = Date.parse('2026-03-10T06:30:00Z');
/** Lines from an unproven address, the last of them so many seconds after the first. */
const lines = (address: string | null, count: number, last: number, samples: string[] = []): QuarantineRow => ({
  ...{ tenantId: device.tenantId, deviceId: device.id, address, lines: count, samples },
  ...{ firstAt: first, lastAt: first + last * 1000 },
});
const quarantine = (rows: readonly QuarantineRow[]) => api.app.db.withSystem(tx => addQuarantined(tx, rows));
const listed = async () => (await api.get(`panel/device/${device.id}/log-sources`, { token })).body.data;
const addresses = (rows: Body[]) => rows.map(it => it['address']);

test('the latest proof is first, and an address that an operator trusts is after all proven ones', async () => {
  await prove('192.0.2.3', 'radius', 180, 60);
  await prove('192.0.2.1', 'radius', 60, 60);
  await prove('192.0.2.2', 'poll', 120, 60);
  await prove('198.51.100.0/24', 'operator', 0);
  await prove('2001:db8::1', 'operator', 30);
  await prove('192.0.2.9', 'radius', 5, -1);
  expect(addresses((await listed()).trusted)).toEqual([
    ...['192.0.2.1', '192.0.2.2', '192.0.2.3'],
    ...['198.51.100.0/24', '2001:db8::1'],
  ]);
});

test('the unproven address with most lines is first, and of equal ones the one that sent last', async () => {
  await quarantine([
    ...[lines('203.0.113.1', 3, 90), lines('203.0.113.2', 5, 10), lines('203.0.113.3', 5, 20)],
    ...[lines('203.0.113.4', 9, 1), lines('203.0.113.5', 1, 1), lines('192.0.2.77', 7, 1)],
  ]);
  await prove('203.0.113.4', 'radius', 5, -1);
  await prove('203.0.113.5', 'radius', 5, 60);
  await prove('192.0.2.0/24', 'operator', 5);
  const { quarantined, other_lines } = await listed();
  expect(addresses(quarantined)).toEqual(['203.0.113.4', '203.0.113.3', '203.0.113.2', '203.0.113.1']);
  expect(other_lines).toBe(0);
});

test('lines of an address add up, and its latest lines are kept', async () => {
  const texts = (from: number, count: number) => Array.from({ length: count }, (_, n) => `line ${from + n}`);
  await quarantine([lines('203.0.113.1', 15, 50, texts(1, 15))]);
  await quarantine([{ ...lines('203.0.113.1', 7, 20, texts(16, 7)), firstAt: first + 1000 }]);
  expect((await listed()).quarantined).toEqual([
    {
      ...{ address: '203.0.113.1', lines: 22, samples: texts(3, quarantineBounds.samples) },
      ...{ first_at: '2026-03-10T06:30:00Z', last_at: '2026-03-10T06:30:50Z' },
    },
  ]);
});

test('beyond twenty addresses those with the fewest lines count together, of equal ones those that sent earlier', async () => {
  const kept = Array.from({ length: quarantineBounds.addresses - 1 }, (_, n) => `203.0.113.${n + 100}`);
  await quarantine([
    ...kept.map(address => lines(address, 4, 0)),
    ...[lines('203.0.113.1', 2, 10), lines('203.0.113.2', 2, 30), lines('203.0.113.3', 2, 20)],
    lines('203.0.113.4', 1, 99),
  ]);
  const shown = await listed();
  expect(new Set(addresses(shown.quarantined))).toEqual(new Set([...kept, '203.0.113.2']));
  expect(shown.other_lines).toBe(5);
  await quarantine([lines(null, 3, 0), lines('203.0.113.1', 1, 0)]);
  expect((await listed()).other_lines, 'they add up too').toBe(9);
});
