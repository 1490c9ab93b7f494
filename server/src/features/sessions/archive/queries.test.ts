import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#lib/ids.ts';
import type { ArchiveFilter } from './archive-store.ts';
import { clickhouseArchive } from './clickhouse-archive.ts';

/** The requests to the archive, without an engine: archive.test.ts needs one. */

const asked: { url: URL; body: string }[] = [];
let foreign: string | undefined;
const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += chunk;
  asked.push({ url: new URL(request.url!, 'http://clickhouse'), body });
  if (body.includes('system.parts')) return void response.end('{"batch":"7","rows":3}');
  if (body.includes('as total')) return void response.end('{"total":3}');
  response.end(foreign && body.includes('as tenant_id') ? JSON.stringify({ tenant_id: foreign }) : '');
});
beforeAll(() => new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => server.close());
const open = () => clickhouseArchive(`http://127.0.0.1:${(server.address() as AddressInfo).port}/archive`, 30);

const tenant = newId();
const everyFilter: ArchiveFilter = {
  began: { since: 1, until: 2 },
  zones: [{ since: 1, until: 3, locations: [newId()] }],
  endedFrom: 4,
  locations: [newId()],
  devices: [[newId()], [newId()]],
  mac: "a' or 1 = 1",
  macPart: "b' or 1 = 1",
  ip: "c' or 1 = 1",
  ipPart: "d' or 1 = 1",
  ids: [newId()],
  orIds: [newId()],
  visitors: [newId()],
  found: {
    visitors: [newId()],
    macs: ["f' or 1 = 1", "g' or 1 = 1"],
    ids: ["h' or 1 = 1"],
    begun: [["i' or 1 = 1", "j' or 1 = 1"]],
  },
  before: { at: 5, id: "e' or 1 = 1" },
};

test('every look-up names its tenant, its batches and the retention, and binds what callers typed', async () => {
  const archive = open().of(tenant, [{ batch: 7, rows: 3 }]);
  for (const filter of [{}, everyFilter]) {
    asked.length = 0;
    await archive.find(filter, { limit: 10 });
    await archive.find(filter, { limit: 10, coveringFirst: 6 });
    await archive.count(filter, 10);
    await archive.devices(filter);
    const looked = asked.filter(({ body }) => body.includes('from session_archive'));
    expect(looked).toHaveLength(4);
    for (const { url, body } of looked) {
      // One place to read from, and nothing between it and its tenant.
      expect(body.match(/session_archive/g)).toHaveLength(1);
      expect(body).toContain('from session_archive where tenant_id = {tenant:UUID} and batch in (7)');
      expect(body).toContain('and ended_at >= fromUnixTimestamp64Micro({kept:Int64})');
      expect(url.searchParams.get('param_tenant')).toBe(tenant);
      expect(body).not.toContain('1 = 1');
      // Conditions stand in brackets, so that none opens the others.
      expect(body).not.toMatch(/\{kept:Int64\}\)\s+or /);
    }
  }
});

test('malformed ids are refused before ClickHouse is asked', async () => {
  const archive = open().of(tenant, [{ batch: 7, rows: 3 }]);
  for (const filter of [
    { ids: ["') or 1=1"] },
    { locations: ['x'] },
    { visitors: [`${newId()}'`] },
    { devices: [['']] },
  ])
    await expect(archive.find(filter, { limit: 1 })).rejects.toThrow('UUID');
});

test('a row of another tenant is no answer', async () => {
  foreign = newId();
  await expect(
    open()
      .of(tenant, [{ batch: 7, rows: 3 }])
      .find({}, { limit: 1 }),
  ).rejects.toThrow('another tenant');
  foreign = undefined;
});

test('fewer rows than were moved are no answer', async () => {
  const archive = open();
  expect(await archive.of(tenant, [{ batch: 7, rows: 3 }]).count({}, 10)).toBe(3);
  await expect(archive.of(tenant, [{ batch: 7, rows: 4 }]).count({}, 10)).rejects.toMatchObject({
    code: 'archive_away',
  });
  await expect(archive.of(tenant, [{ batch: 8, rows: 1 }]).count({}, 10)).rejects.toMatchObject({
    code: 'archive_away',
  });
});
