import { afterAll, beforeAll, expect, test } from 'vitest';
import { registry } from '#lib/metrics.ts';
import { startApi, type TestApi } from '#test/harness.ts';
import { logStore } from './configured-store.ts';
import { logJobs } from './logs.jobs.ts';
import { startClickhouse } from './testing/clickhouse.ts';
import { feed, line, makeDevice } from './testing/fixture.ts';

const clickhouse = await startClickhouse();
afterAll(() => clickhouse.close());
let api: TestApi;
let token: string;
beforeAll(async () => {
  api = await startApi({ LOG_DATABASE_URL: clickhouse.url, LOG_RETENTION_DAYS: '9000' });
  token = (await api.user('tenant-admin')).token;
  // The first request creates the tables.
  await linesOf(await makeDevice(api, { nas: 'click000' }), 'minute');
});

const send = () => logJobs.find(one => one.name === 'send log counts')!.run(api.app);
const waiting = async () => (await api.app.db.pool.query('select from log_outbox')).rowCount;
const outboxSize = async () => (await registry.getSingleMetric('portico_log_outbox')?.get())?.values[0]?.value;
type Device = Awaited<ReturnType<typeof makeDevice>>;
const ask = async (device: Device, what: string, query: Record<string, string>) =>
  await api.get(`panel/device/${device.id}/logs/${what}?${new URLSearchParams(query)}`, { token });
const linesOf = async (device: Device, interval: string) => {
  const { body } = await ask(device, 'histogram', { interval, gte: '2026-03-11T00:00:00', lte: '2026-03-11T23:59:59' });
  return body.data
    .filter((bar: { doc_count: number }) => bar.doc_count > 0)
    .map((bar: { key_as_string: string; doc_count: number }) => [bar.key_as_string.slice(11, 16), bar.doc_count]);
};
const lines = [
  { at: '2026-03-11T06:00:10.000Z', line: line.proxy('www.example.com.tr') },
  { at: '2026-03-11T06:00:20.000Z', line: line.proxy('shop.example.com.tr') },
  { at: '2026-03-11T06:01:00.000Z', line: line.proxy('cdn.example.org') },
  { at: '2026-03-11T07:30:00.000Z', line: line.firewall('1.1.1.1:443', 'UDP') },
];
const times = {
  minute: [
    ['09:00', 2],
    ['09:01', 1],
    ['10:30', 1],
  ],
  hour: [
    ['09:00', 3],
    ['10:00', 1],
  ],
};

test('counts are stored in ClickHouse and read from it, with the same results as PostgreSQL', async () => {
  const device = await makeDevice(api, { nas: 'click001' });
  await feed(api, device, lines);
  await send();
  expect(await waiting()).toBe(0);
  expect(await linesOf(device, 'minute')).toEqual(times.minute);
  expect(await linesOf(device, 'hour')).toEqual(times.hour);
  expect(await linesOf(device, 'day')).toEqual([['00:00', 4]]);
  const sites = async (gte: string, lte: string) => (await ask(device, 'popular_website', { gte, lte })).body.data;
  expect(await sites('2026-03-11', '2026-03-11')).toEqual([
    { domain: 'example.com.tr', recv: 0, sent: 0, total: 0, connections: 2 },
    { domain: 'example.org', recv: 0, sent: 0, total: 0, connections: 1 },
  ]);
  expect(await sites('2026-03-10T12:00:00', '2026-03-11T09:00:00')).toHaveLength(2);
  expect(await sites('2026-03-10T12:00:00', '2026-03-11T08:59:59')).toEqual([]);
  expect(await sites('2026-03-11T10:00:00', '2026-03-12T12:00:00')).toEqual([]);
  const { rows } = await api.app.db.pool.query(
    'select (select count(*) from log_hours)::int + (select count(*) from log_tops)::int as n',
  );
  expect(rows[0].n, 'no counts in PostgreSQL').toBe(0);
});

test('every query filters by tenant and binds its values; credentials are in headers, not in the URL', async () => {
  const device = await makeDevice(api, { nas: 'click002' });
  clickhouse.requests.length = 0;
  await linesOf(device, 'minute');
  await ask(device, 'popular_country', {});
  expect(clickhouse.requests).toHaveLength(2);
  for (const { url, user, key, body } of clickhouse.requests) {
    expect([user, key]).toEqual(['portico', 's@crt']);
    expect(url.href).not.toContain('crt');
    expect(body).toContain('where tenant_id = {tenant:UUID} and device_id = {device:UUID}');
    expect(body).not.toContain(device.id);
    expect(url.searchParams.get('param_tenant')).toBe(device.tenantId);
    expect(url.searchParams.get('param_device')).toBe(device.id);
  }
});

test('times outside the range of ClickHouse return nothing and no error', async () => {
  const device = await makeDevice(api, { nas: 'click007' });
  for (const year of ['1970', '2300']) {
    clickhouse.requests.length = 0;
    const period = { gte: `${year}-03-11T00:00:00`, lte: `${year}-03-11T12:00:00` };
    expect((await ask(device, 'histogram', { interval: 'hour', ...period })).status).toBe(200);
    expect((await ask(device, 'popular_website', period)).body.data).toEqual([]);
    const bound = clickhouse.requests.map(({ url: { searchParams } }) =>
      ['from', 'first'].map(it => searchParams.get(`param_${it}`)),
    );
    const [from, first] = year === '1970' ? ['5954400', '1970-03-11'] : ['4294967295', '2149-06-06'];
    expect(bound).toEqual([
      [from, null],
      [null, first],
    ]);
  }
});

test('a tenant reads no counts of another tenant', async () => {
  const device = await makeDevice(api, { nas: 'click003' });
  await feed(api, device, lines);
  await send();
  const foreign = await api.user('tenant-admin', { tenant: 'other' });
  const asked = clickhouse.requests.length;
  for (const what of ['histogram', 'popular_website']) {
    const { status } = await api.get(`panel/device/${device.id}/logs/${what}`, {
      token: foreign.token,
      tenant: 'other',
    });
    expect(status).toBe(404);
  }
  expect(clickhouse.requests).toHaveLength(asked);
  const tenantId = await api.tenantId('other');
  const of = {
    inTenant: () => Promise.reject(new Error('PostgreSQL must not be queried')),
    tenantId,
    deviceId: device.id,
  };
  const store = logStore(api.app.settings);
  const day = [new Date('2026-03-11T00:00:00Z'), new Date('2026-03-12T00:00:00Z')] as const;
  expect(await store.minutes(of, ...day)).toEqual([]);
  expect(await store.minutes({ ...of, tenantId: device.tenantId }, ...day)).toHaveLength(3);
});

test('an unreachable server and a lost reply neither lose nor duplicate counts', async () => {
  const device = await makeDevice(api, { nas: 'click004' });
  clickhouse.failNext('down');
  await feed(api, device, lines);
  await send();
  expect(await waiting(), 'the batch is in the outbox').toBe(1);
  expect(await outboxSize(), 'the metric shows it').toBe(1);
  expect(await linesOf(device, 'minute')).toEqual([]);
  for (let i = 0; i < 2; i++) {
    clickhouse.failNext('no answer');
    await send();
    expect(await waiting(), 'the batch waits for a reply').toBe(1);
  }
  await send();
  expect(await waiting()).toBe(0);
  expect(await outboxSize()).toBe(0);
  expect(await linesOf(device, 'minute')).toEqual(times.minute);
  clickhouse.failNext('down');
  expect((await ask(device, 'histogram', {})).status).toBe(503);
  expect((await ask(device, 'histogram', {})).status).toBe(200);
});

test('a refused batch stays in the outbox and does not block the others', async () => {
  const [first, second] = [await makeDevice(api, { nas: 'click005' }), await makeDevice(api, { nas: 'click006' })];
  await feed(api, first, lines);
  await feed(api, second, lines);
  clickhouse.failNext('refused');
  await send();
  expect(await waiting()).toBe(1);
  expect(await linesOf(first, 'hour')).toEqual([]);
  expect(await linesOf(second, 'hour')).toEqual(times.hour);
  await send();
  expect(await waiting()).toBe(0);
  expect(await linesOf(first, 'hour')).toEqual(times.hour);
});

test('both stores return the same counts for the same lines in every time zone', async () => {
  const plain = await startApi({ LOG_RETENTION_DAYS: '9000' });
  const plainToken = (await plain.user('tenant-admin')).token;
  // Three days around a clock change, with lines at the borders of minutes.
  const start = Date.parse('2026-03-28T00:00:00.000Z');
  const many = Array.from({ length: 400 }, (_, i) => {
    const at = new Date(start + Math.floor((i * 72 * 3_600_000) / 400 / 60_000) * 60_000 + (i % 3) * 29_999);
    const text = i % 4 ? line.proxy(`h${i}.site${(i * i) % 37}.org`) : line.firewall(`1.1.1.${i % 200}:443`, 'UDP');
    return { at: at.toISOString(), line: text };
  });
  for (const [i, zone] of ['Europe/Berlin', 'Asia/Kathmandu'].entries()) {
    const here = await makeDevice(api, { nas: `click10${i}`, zone });
    const there = await makeDevice(plain, { nas: `click10${i}`, zone });
    await feed(api, here, many);
    await feed(plain, there, many);
    await send();
    const both = async (what: string, query: Record<string, string>) => {
      const asked = new URLSearchParams(query);
      const answer = await plain.get(`panel/device/${there.id}/logs/${what}?${asked}`, { token: plainToken });
      expect(answer.body.data.length, what).toBeGreaterThan(0);
      expect((await ask(here, what, query)).body, `${zone} ${what} ${asked}`).toEqual(answer.body);
    };
    for (const [gte, lte] of [
      ['2026-03-29T00:00:00', '2026-03-30T00:00:00'],
      ['2026-03-29T00:59:59', '2026-03-29T05:01:00'],
    ] as const) {
      for (const interval of ['minute', 'hour', 'day']) await both('histogram', { interval, gte, lte });
      for (const what of ['popular_website', 'popular_application']) await both(what, { gte, lte });
    }
    await both('histogram', { interval: 'day', gte: '2026-03-01', lte: '2026-04-01' });
  }
});
