import { beforeEach, expect, test } from 'vitest';
import { type Body, startApi } from '#test/harness.ts';
import { makeDevice } from '../logs/testing/fixture.ts';
import { logSourceJobs, notifyQuarantined } from './log-sources.jobs.ts';

const api = await startApi();
const { token } = await api.user('tenant-admin');
let device: Awaited<ReturnType<typeof makeDevice>>;
let devices = 0;

const run = (text: string, ...values: unknown[]) => api.app.db.pool.query(text, values);
beforeEach(async () => {
  await run('delete from devices');
  device = await makeDevice(api, { nas: `sessiz${String(++devices).padStart(3, '0')}`, address: '192.0.2.1' });
});

/** Lines from an address that the device has not proven: how many, and the minutes since the first and the last. */
const quarantine = (address: string, lines: number, first = 30, last = 1) =>
  run(
    `insert into log_quarantine (tenant_id, device_id, address, lines, first_at, last_at)
      values ($1, $2, $3, $4, now() - make_interval(mins => $5), now() - make_interval(mins => $6))`,
    ...[device.tenantId, device.id, address, lines, first, last],
  );
/** What the administrator is told of this device. */
const told = async () => {
  await notifyQuarantined(api.app);
  const { body } = await api.get('panel/notification', { token });
  return body.data
    .filter((it: Body) => it['kind'] === 'log_lines_quarantined' && it['data'].device === device.nas)
    .map((it: Body) => [it['data'].address, it['data'].lines]);
};

test('the address with most lines is named, and all lines are counted, once', async () => {
  await quarantine('198.51.100.1', 3);
  await quarantine('198.51.100.2', 5);
  await quarantine('198.51.100.3', 4);
  expect(await told()).toEqual([['198.51.100.2', 12]]);
  expect(await told()).toHaveLength(1);
});

test.for([
  ['for more than ten minutes', 12, 1, true],
  ['for eight minutes', 8, 1, false],
  ['last within a day', 3000, 1400, true],
  ['last before a day', 3000, 1480, false],
] as const)('lines that came %s', async ([, first, last, expected]) => {
  await quarantine('198.51.100.1', 3, first, last);
  expect(await told()).toHaveLength(expected ? 1 : 0);
});

test('lines of no single address, and of a device that keeps no logs, are not told', async () => {
  await quarantine('0.0.0.0', 3);
  expect(await told()).toEqual([]);
  await quarantine('198.51.100.1', 3);
  await run('update devices set logging_enabled = false where id = $1', device.id);
  expect(await told()).toEqual([]);
  await run('update devices set logging_enabled = true where id = $1', device.id);
  expect(await told()).toEqual([['198.51.100.1', 3]]);
});

test('lines of an address that was proven meanwhile are not told, unless that has expired', async () => {
  await quarantine('198.51.100.1', 3);
  await run(
    `insert into log_sources (tenant_id, device_id, network, proof) values ($1, $2, '198.51.100.0/24', 'operator')`,
    ...[device.tenantId, device.id],
  );
  expect(await told()).toEqual([]);
  const expire = (minutes: number) =>
    run(
      `update log_sources set expires_at = now() + make_interval(mins => $2) where device_id = $1 and proof = 'operator'`,
      ...[device.id, minutes],
    );
  await expire(5);
  expect(await told()).toEqual([]);
  await expire(-5);
  expect(await told()).toEqual([['198.51.100.1', 3]]);
});

test('old lines and proofs are deleted, each after its own time', async () => {
  const deleteOld = () => logSourceJobs.find(it => it.name === 'delete old log sources')!.run(api.app);
  const left = async () => {
    await deleteOld();
    const { rows } = await run(
      `select (select count(*)::int from log_quarantine) as lines, (select count(*)::int from log_sources) as proofs`,
    );
    return [rows[0].lines, rows[0].proofs];
  };
  await quarantine('198.51.100.1', 3);
  expect(await left()).toEqual([1, 1]);
  await run(`update log_quarantine set last_at = now() - interval '400 days'`);
  expect(await left()).toEqual([0, 1]);
  const days = api.app.settings.LOG_RETENTION_DAYS;
  await run('update log_sources set expires_at = now() - make_interval(days => $1)', days - 1);
  expect(await left()).toEqual([0, 1]);
  await run('update log_sources set expires_at = now() - make_interval(days => $1)', days + 1);
  expect(await left()).toEqual([0, 0]);
});
