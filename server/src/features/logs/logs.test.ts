import { gunzipSync } from 'node:zlib';
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startApi, type TestApi } from '#test/harness.ts';
import { signLink } from './links.ts';
import { feed, line, makeDevice } from './testing/fixture.ts';

let api: TestApi;
let admin: { id: string; token: string };
let device: Awaited<ReturnType<typeof makeDevice>>;

// Istanbul is three hours ahead of UTC, without summer time.
const lines = [
  { at: '2026-03-10T20:59:59.000Z', line: line.firewall() },
  { at: '2026-03-10T21:00:00.000Z', line: line.firewall() },
  { at: '2026-03-11T06:00:10.000Z', line: line.proxy('www.example.com.tr') },
  { at: '2026-03-11T06:00:20.000Z', line: line.proxy('shop.example.com.tr') },
  { at: '2026-03-11T06:01:00.000Z', line: line.proxy('cdn.example.org') },
  { at: '2026-03-11T06:01:30.000Z', line: line.dhcp() },
  { at: '2026-03-11T07:30:00.000Z', line: line.firewall('1.1.1.1:443', 'UDP') },
];

beforeAll(async () => {
  api = await startApi();
  admin = await api.user('tenant-admin');
  device = await makeDevice(api, { nas: 'logs0001' });
  await feed(api, device, lines);
});

const ask = (
  what: string,
  query: Record<string, string> = {},
  token: string | undefined = admin.token,
  id = device.id,
) => api.get(`panel/device/${id}/logs${what}?${new URLSearchParams(query)}`, { token });

describe('log files', () => {
  test('are listed by day and type, the newest first', async () => {
    const { status, body } = await ask('');
    expect(status).toBe(200);
    expect(
      body.data.map((row: { day: string; type: string; lines: number }) => [row.day, row.type, row.lines]),
    ).toEqual([
      ['2026-03-11', 'dhcp', 1],
      ['2026-03-11', 'firewall', 2],
      ['2026-03-11', 'proxy', 3],
      ['2026-03-10', 'firewall', 1],
    ]);
    expect(body.data[0]).toMatchObject({ log_time: '2026-03-10T21:00:00.000Z', sealed: false });
    expect(body.meta).toMatchObject({ total: 4, per_page: 15 });
    const types = await ask('', { types: 'dhcp,proxy' });
    expect(types.body.data.map((row: { type: string }) => row.type)).toEqual(['dhcp', 'proxy']);
    const days = await ask('', { start_at: '2026-03-10 00:00:00', end_at: '2026-03-10 23:59:59' });
    expect(days.body.data.map((row: { day: string }) => row.day)).toEqual(['2026-03-10']);
    expect((await ask('', { page: '2', per_page: '3' })).body.data).toHaveLength(1);
  });

  test('accept every notation of a list of types, and report an invalid field once', async () => {
    const types = async (query: string) => {
      const { body } = await api.get(`panel/device/${device.id}/logs?${query}`, { token: admin.token });
      return body.data.map((row: { type: string }) => row.type);
    };
    for (const query of [
      'types=dhcp&types=proxy',
      'types[]=dhcp&types[]=proxy',
      'types=dhcp,proxy',
      'types%5B%5D=dhcp,proxy',
    ])
      expect(await types(query), query).toEqual(['dhcp', 'proxy']);
    for (const query of ['', 'types=', 'types[]=']) expect(await types(query), query).toHaveLength(4);
    for (const at of ['2026-03-11T10:00:00.000Z', '2026-02-30', '11.03.2026', "2026-03-11'--"]) {
      const { status, body } = await api.get(`panel/device/${device.id}/logs/histogram?gte=${encodeURIComponent(at)}`, {
        token: admin.token,
        language: 'tr',
      });
      expect([status, body.errors], at).toEqual([422, { gte: ['Geçerli bir tarih değil.'] }]);
    }
  });

  test('are downloaded by a signed link without a token, which is in the audit log', async () => {
    const { body } = await ask('', { types: 'proxy' });
    const response = await fetch(api.url + body.data[0].download_url);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/gzip');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="logs0001-2026-03-11-proxy.log.gz"');
    const text = gunzipSync(Buffer.from(await response.arrayBuffer()))
      .toString('latin1')
      .trim()
      .split('\n');
    expect(text).toHaveLength(3);
    expect(text[0]).toBe(`2026-03-11T06:00:10.000Z 10.0.0.1,udp,radius ${line.proxy('www.example.com.tr')}`);
    const { data: entries } = (await api.get('panel/audit?subject_type=log-file', { token: admin.token })).body;
    const data = entries.filter((it: { subject: { name: string } }) => it.subject.name === 'logs0001 2026-03-11 proxy');
    expect(data).toHaveLength(1);
    expect(data[0]).toMatchObject({
      verb: 'export',
      user: { id: admin.id },
      subject: { name: 'logs0001 2026-03-11 proxy' },
    });
  });

  test('have a short name of letters that every system takes', async () => {
    const rename = (name: string) =>
      api.inTenant(tx => tx.run(sql`update devices set name = ${name} where id = ${device.id}`));
    await rename(`2. kat / "Havuz" ${'x'.repeat(80)}`);
    onTestFinished(async () => void (await rename('logs0001')));
    const { body } = await ask('', { types: 'proxy' });
    const { headers } = await fetch(api.url + body.data[0].download_url);
    const name = `2.-kat-Havuz-${'x'.repeat(80)}`.slice(0, 60);
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${name}-2026-03-11-proxy.log.gz"`);
  });

  test('links that were changed, have expired or were signed with another key are refused', async () => {
    const { body } = await ask('');
    const [first, second] = body.data as { id: string; download_url: string }[];
    const [head, signature] = first!.download_url.split('.') as [string, string];
    const [, other] = second!.download_url.split('.') as [string, string];
    const claims = { tenantId: device.tenantId, fileId: first!.id, userId: admin.id };
    const late = signLink(api.app.secrets, claims, Date.now() - 601_000);
    const otherKey = { ...api.app.secrets, signBriefly: (text: string) => text.length.toString(16).padStart(64, '0') };
    const foreign = signLink(otherKey, claims);
    for (const link of [
      `${head}.${other}`,
      `${head}.`,
      head,
      `${head}x.${signature}`,
      late,
      foreign,
      '/v1/logs/download/x',
      '/v1/logs/download/..',
    ])
      expect((await fetch(api.url + link)).status, link).toBe(404);
    // In a browser, the error is a page for people.
    const headers = { accept: 'text/html,*/*;q=0.8', 'accept-language': 'tr' };
    const shown = await fetch(api.url + late, { headers });
    expect([shown.status, shown.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(await shown.text()).toContain('on dakika geçerlidir');
    // A link cannot be made to open another tenant's file.
    const elsewhere = signLink(api.app.secrets, { ...claims, tenantId: await api.tenantId('other') });
    expect((await fetch(api.url + elsewhere)).status).toBe(404);
  });
});

describe('histogram', () => {
  const counts = (body: { data: { key_as_string: string; doc_count: number }[] }) =>
    body.data.filter(b => b.doc_count > 0);

  test('counts lines per minute, hour and day of the location', async () => {
    const minutes = await ask('/histogram', { gte: '2026-03-11T09:00:00', lte: '2026-03-11T09:59:59' });
    expect(minutes.status).toBe(200);
    expect(minutes.body.data).toHaveLength(60);
    expect(minutes.body.data.slice(0, 3)).toEqual([
      { key_as_string: '2026-03-11T09:00:00', doc_count: 2 },
      { key_as_string: '2026-03-11T09:01:00', doc_count: 2 },
      { key_as_string: '2026-03-11T09:02:00', doc_count: 0 },
    ]);
    const hours = await ask('/histogram', { interval: 'hour', gte: '2026-03-10T12:00:00', lte: '2026-03-11T12:00:00' });
    expect(hours.body.data).toHaveLength(25);
    expect(counts(hours.body)).toEqual([
      { key_as_string: '2026-03-10T23:00:00', doc_count: 1 },
      { key_as_string: '2026-03-11T00:00:00', doc_count: 1 },
      { key_as_string: '2026-03-11T09:00:00', doc_count: 4 },
      { key_as_string: '2026-03-11T10:00:00', doc_count: 1 },
    ]);
    const days = await ask('/histogram', { interval: 'day', gte: '2026-03-01T00:00:00', lte: '2026-03-31T23:59:59' });
    expect(days.body.data).toHaveLength(31);
    expect(counts(days.body)).toEqual([
      { key_as_string: '2026-03-10T00:00:00', doc_count: 1 },
      { key_as_string: '2026-03-11T00:00:00', doc_count: 6 },
    ]);
  });

  test('adds lines that are counted later to their minute', async () => {
    const late = await makeDevice(api, { nas: 'logs0009', zone: 'UTC' });
    await feed(api, late, [{ at: '2026-03-10T09:00:10.000Z', line: line.dhcp() }]);
    await feed(api, late, [
      { at: '2026-03-10T09:00:20.000Z', line: line.dhcp() },
      { at: '2026-03-10T09:01:00.000Z', line: line.dhcp() },
    ]);
    const range = { gte: '2026-03-10T09:00:00', lte: '2026-03-10T09:01:59' };
    expect((await ask('/histogram', range, admin.token, late.id)).body.data).toEqual([
      { key_as_string: '2026-03-10T09:00:00', doc_count: 2 },
      { key_as_string: '2026-03-10T09:01:00', doc_count: 1 },
    ]);
  });

  test('is correct for zones with half-hour offsets and days of 23 hours', async () => {
    const kathmandu = await makeDevice(api, { nas: 'logs0002', zone: 'Asia/Kathmandu' });
    await feed(api, kathmandu, [
      { at: '2026-03-10T18:14:59.000Z', line: line.dhcp() },
      { at: '2026-03-10T18:15:00.000Z', line: line.dhcp() },
    ]);
    const range = { gte: '2026-03-10T00:00:00', lte: '2026-03-11T23:59:59' };
    expect(counts((await ask('/histogram', { interval: 'hour', ...range }, admin.token, kathmandu.id)).body)).toEqual([
      { key_as_string: '2026-03-10T23:00:00', doc_count: 1 },
      { key_as_string: '2026-03-11T00:00:00', doc_count: 1 },
    ]);
    const berlin = await makeDevice(api, { nas: 'logs0003', zone: 'Europe/Berlin' });
    await feed(api, berlin, [
      { at: '2026-03-29T21:59:59.000Z', line: line.dhcp() },
      { at: '2026-03-29T22:00:00.000Z', line: line.dhcp() },
    ]);
    const days = await ask(
      '/histogram',
      { interval: 'day', gte: '2026-03-28', lte: '2026-03-31' },
      admin.token,
      berlin.id,
    );
    expect(days.body.data).toEqual([
      { key_as_string: '2026-03-28T00:00:00', doc_count: 0 },
      { key_as_string: '2026-03-29T00:00:00', doc_count: 1 },
      { key_as_string: '2026-03-30T00:00:00', doc_count: 1 },
      { key_as_string: '2026-03-31T00:00:00', doc_count: 0 },
    ]);
  });

  test('has a default period and refuses invalid ones', async () => {
    expect((await ask('/histogram')).body.data.length).toBeGreaterThan(59);
    expect((await ask('/histogram', { interval: 'day' })).body.data).toHaveLength(31);
    const refused: [Record<string, string>, string][] = [
      [{ gte: '2026-03-11T10:00:00', lte: '2026-03-11T09:00:00' }, 'lte'],
      [{ gte: '2026-03-01T00:00:00', lte: '2026-03-11T00:00:00' }, 'lte'],
      [{ interval: 'day', gte: '1999-01-01', lte: '2026-03-11' }, 'lte'],
      [{ gte: '2026-02-30T00:00:00' }, 'gte'],
      [{ gte: '2026-03-11T25:00:00' }, 'gte'],
      [{ gte: 'yesterday' }, 'gte'],
      [{ interval: 'week' }, 'interval'],
    ];
    for (const [query, field] of refused) {
      const answer = await ask('/histogram', query);
      expect(answer.status, JSON.stringify(query)).toBe(422);
      expect(Object.keys(answer.body.errors)).toEqual([field]);
    }
    const malformed: Record<string, string>[] = [
      { start_at: '2026-03-11', end_at: '2026-03-10' },
      { types: 'dns' },
      { start_at: '2026-13-01' },
    ];
    for (const query of malformed) expect((await ask('', query)).status, JSON.stringify(query)).toBe(422);
  });
});

describe('popular sites, applications and countries', () => {
  const march = { gte: '2026-03-10T00:00:00', lte: '2026-03-11T23:59:59' };

  test('are listed with the most used first', async () => {
    expect((await ask('/popular_website', march)).body.data).toEqual([
      { domain: 'example.com.tr', recv: 0, sent: 0, total: 0, connections: 2 },
      { domain: 'example.org', recv: 0, sent: 0, total: 0, connections: 1 },
    ]);
    const names = (await ask('/popular_application', march)).body.data.map((row: { domain: string }) => row.domain);
    expect(names).toEqual(['HTTPS', 'QUIC']);
    expect((await ask('/popular_country', march)).body.data).toEqual([]);
    expect((await ask('/popular_website', { ...march, lte: '2026-03-10T23:59:59' })).body.data).toEqual([]);
    expect((await ask('/popular_website', { gte: '2026-03-11', lte: '2026-03-10' })).status).toBe(422);
  });

  test('count the hours of a partial day, or all of a day without hourly counts', async () => {
    const names = async (gte: string, lte: string) =>
      (await ask('/popular_website', { gte, lte })).body.data.map((row: { domain: string }) => row.domain);
    const both = ['example.com.tr', 'example.org'];
    expect(await names('2026-03-11T09:00:00', '2026-03-11T09:59:59')).toEqual(both);
    expect(await names('2026-03-10T12:00:00', '2026-03-11T09:00:00')).toEqual(both);
    expect(await names('2026-03-11T09:00:00', '2026-03-12T12:00:00')).toEqual(both);
    expect(await names('2026-03-10T12:00:00', '2026-03-11T08:59:59')).toEqual([]);
    expect(await names('2026-03-11T10:00:00', '2026-03-12T12:00:00')).toEqual([]);
    const old = await makeDevice(api, { nas: 'logs0007' });
    await api.app.db.pool.query(
      `insert into log_tops (tenant_id, device_id, day, kind, name, recv, sent, connections)
      values ($1, $2, '2026-03-11', 'website', 'example.net', 1, 2, 3)`,
      [old.tenantId, old.id],
    );
    const period = { gte: '2026-03-11T10:00:00', lte: '2026-03-11T11:00:00' };
    expect((await ask('/popular_website', period, admin.token, old.id)).body.data).toEqual([
      { domain: 'example.net', recv: 1, sent: 2, total: 3, connections: 3 },
    ]);
  });

  test('contain bytes of routers that report them', async () => {
    const sophos = await makeDevice(api, { nas: 'logs0004', brand: 'sophos' });
    const head = '<30>device_name="SFW" log_type="Content Filtering" log_component="HTTP" log_subtype="Allowed"';
    await feed(api, sophos, [
      {
        at: '2026-03-11T06:00:00.000Z',
        line: `${head} url="https://a.youtube.com" bytes_sent=10 bytes_received=5000 domain="a.youtube.com" dst_country="USA"`,
      },
      {
        at: '2026-03-11T06:00:00.000Z',
        line: `${head} url="https://b.youtube.com" bytes_sent=5 bytes_received=100 domain="b.youtube.com" dst_country="IRL"`,
      },
    ]);
    const popular = async (kind: string) => (await ask(`/popular_${kind}`, march, admin.token, sophos.id)).body.data;
    expect(await popular('website')).toEqual([
      { domain: 'youtube.com', recv: 5100, sent: 15, total: 5115, connections: 2 },
    ]);
    expect(await popular('application')).toEqual([
      { domain: 'YouTube', recv: 5100, sent: 15, total: 5115, connections: 2 },
    ]);
    expect((await popular('country')).map((row: { domain: string }) => row.domain)).toEqual(['US', 'IE']);
  });
});

test('of a device are its own, also beside another one at its location', async () => {
  const beside = await makeDevice(api, { nas: 'logs0010', location: device.location });
  const busy = { line: line.proxy('www.example.info') };
  await feed(api, beside, [
    { at: '2026-03-11T06:00:10.000Z', ...busy },
    { at: '2026-03-11T06:00:20.000Z', ...busy },
    { at: '2026-03-11T06:00:30.000Z', ...busy },
  ]);
  const period = { gte: '2026-03-11T09:00:00', lte: '2026-03-11T09:00:59' };
  const shown = async (id: string) => {
    const counts = await Promise.all(
      ['minute', 'hour', 'day'].map(
        async interval => (await ask('/histogram', { interval, ...period }, undefined, id)).body,
      ),
    );
    const sites = await ask('/popular_website', period, undefined, id);
    const applications = await ask('/popular_application', { ...period, lte: '2026-03-11T10:59:59' }, undefined, id);
    const files = await ask('', { start_at: '2026-03-11', end_at: '2026-03-11' }, undefined, id);
    const names = (body: { data: { domain: string; connections: number }[] }) =>
      body.data.map(it => [it.domain, it.connections]);
    return {
      lines: counts.map(body => body.data.map((it: { doc_count: number }) => it.doc_count)),
      sites: names(sites.body),
      applications: names(applications.body),
      files: files.body.data.map((row: { type: string; lines: number }) => [row.type, row.lines]),
    };
  };
  expect(await shown(beside.id)).toEqual({
    lines: [[3], [3], [3]],
    sites: [['example.info', 3]],
    applications: [],
    files: [['proxy', 3]],
  });
  expect(await shown(device.id)).toEqual({
    lines: [[2], [4], [6]],
    sites: [
      ['example.com.tr', 2],
      ['example.org', 1],
    ],
    applications: [['QUIC', 1]],
    files: [
      ['dhcp', 1],
      ['firewall', 2],
      ['proxy', 3],
    ],
  });
});

test('are visible only to users who may see the device', async () => {
  const second = await makeDevice(api, { nas: 'logs0005', location: device.location });
  const elsewhere = await makeDevice(api, { nas: 'logs0006' });
  const foreign = await api.user('tenant-admin', { tenant: 'other' });
  const reseller = await api.user('reseller');
  const limited = await api.user('member', { location: device.location, deviceIds: [second.id] });
  const neighbour = await api.user('member', { location: elsewhere.location });
  const without = await api.user('member', { location: device.location, permissions: ['view-clients'] });
  const viewer = await api.user('member', { location: device.location, permissions: ['view-devices'] });
  for (const what of ['', '/histogram', '/popular_website', '/popular_application', '/popular_country']) {
    expect((await api.get(`panel/device/${device.id}/logs${what}`)).status).toBe(401);
    expect((await ask(what, {}, foreign.token)).status).toBe(401);
    expect(
      (await api.get(`panel/device/${device.id}/logs${what}`, { token: foreign.token, tenant: 'other' })).status,
    ).toBe(404);
    for (const user of [reseller, limited, neighbour]) expect((await ask(what, {}, user.token)).status).toBe(404);
    expect((await ask(what, {}, without.token)).status).toBe(403);
    expect((await ask(what, {}, viewer.token)).status).toBe(200);
    expect((await ask(what, {}, admin.token, 'not-an-id')).status).toBe(404);
  }
  expect((await ask('', {}, limited.token, second.id)).status).toBe(200);
});
