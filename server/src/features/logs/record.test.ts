import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
} from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi, type TestApi } from '#test/harness.ts';
import { appendLink, readChain } from './chain.ts';
import { searchLines } from './search.ts';
import { startAuthority } from './testing/authority.ts';
import { feed, line, makeDevice } from './testing/fixture.ts';
import { day, legalRecord } from './testing/sealed.ts';

let api: TestApi;
const tsa = await startAuthority();
afterAll(() => tsa.close());
beforeAll(async () => {
  api = await startApi({ TSA_URL: tsa.url, LOG_RETENTION_DAYS: '730' });
});
const record = legalRecord(() => api);
const { folderOf, job, seal, verify } = record;

describe('the legal record', () => {
  test('is checked when asked for, and tells which file was changed', async () => {
    const device = await record.sealedDevice();
    const admin = await api.user('tenant-admin');
    const verifyNow = async (token = admin.token) => api.post(`panel/device/${device.id}/logs/verify`, { token });
    const first = await verifyNow();
    expect(first.status, first.text).toBe(200);
    expect(first.body.data).toMatchObject({ problem: null, sealed_files: 5 });
    expect(first.body.data.checked_at).not.toBeNull();
    appendFileSync(path.join(folderOf(device), 'files/2026-03-11-firewall.log.gz'), 'x');
    expect((await verifyNow()).body.data, 'it was checked just before').toMatchObject({ problem: null });
    await api.app.db.pool.query(`update log_streams set checked_at = now() - interval '1 minute'`);
    // The files are older than a week, so only the part of this day of the month is read. A missing file is noticed at once.
    rmSync(path.join(folderOf(device), 'files/2026-03-10-dhcp.log.gz'));
    expect((await verifyNow()).body.data.problem).toMatchObject({ what: expect.stringMatching(/^file_/) });
    const stranger = await api.user('member', { location: await api.location(admin.token, 'Kafe') });
    expect((await verifyNow(stranger.token)).status).toBe(404);
    rmSync(folderOf(device), { recursive: true, force: true });
    await api.app.db.pool.query(`delete from log_streams where device_id = '${device.id}'`);
  });

  test('has one compressed file per day and type: chained, stamped, in the database and downloadable', async () => {
    const device = await record.sealedDevice();
    const folder = folderOf(device);
    expect(readdirSync(path.join(folder, 'files')).sort()).toEqual([
      '2026-03-10-dhcp.log.gz',
      '2026-03-10-firewall.log.gz',
      '2026-03-10-other.log.gz',
      '2026-03-10-proxy.log.gz',
      '2026-03-11-firewall.log.gz',
    ]);
    const text = gunzipSync(readFileSync(path.join(folder, 'files/2026-03-11-firewall.log.gz'))).toString('latin1');
    expect(text).toBe(
      day(11, [line.firewall(), line.firewall()])
        .map(it => `${it.at} 10.0.0.1,udp,radius ${it.line}\n`)
        .join(''),
    );
    const rows = await api.inTenant(tx =>
      tx.many(
        sql`select day::text, type, lines, path, length(sha256) as hash, chain_number from log_files where device_id = ${device.id} order by chain_number`,
      ),
    );
    expect(rows.at(-1)).toEqual({
      day: '2026-03-11',
      type: 'firewall',
      lines: 2,
      path: 'files/2026-03-11-firewall.log.gz',
      hash: 64,
      chain_number: 5,
    });
    const admin = await api.user('tenant-admin');
    const { body } = await api.get(`panel/device/${device.id}/logs?types=firewall`, { token: admin.token });
    expect(body.data[0]).toMatchObject({ day: '2026-03-11', sealed: true, lines: 2 });
    const saved = Buffer.from(await (await fetch(api.url + body.data[0].download_url)).arrayBuffer());
    expect(gunzipSync(saved).toString('latin1')).toBe(text);
    const chain = readFileSync(path.join(folder, 'chain.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map(row => JSON.parse(row));
    expect(chain.map(link => link.kind)).toEqual(['file', 'file', 'file', 'file', 'file', 'stamp']);
    expect(tsa.verifies(path.join(folder, chain[5].file), chain[4].chain)).toBe(true);
    expect(tsa.verifies(path.join(folder, chain[5].file), chain[3].chain)).toBe(false);
    expect(await verify()).toMatchObject({ code: 0 });
    // A second run changes nothing.
    await seal();
    expect(readFileSync(path.join(folder, 'chain.jsonl'), 'utf8').trim().split('\n')).toHaveLength(6);
  });

  test('continues with later days, and deletes raw lines once they are sealed', async () => {
    const device = await record.sealedDevice();
    await feed(api, device, day(12, [line.dhcp()]));
    await job('seal log files');
    await feed(api, device, [{ at: new Date().toISOString(), line: line.dhcp() }]);
    await job('seal log files');
    expect(readdirSync(path.join(folderOf(device), 'raw')).length).toBeLessThanOrEqual(2);
    const open = await api.inTenant(tx =>
      tx.many(
        sql`select lines, sealed_at is null as open from log_files where device_id = ${device.id} order by day desc limit 2`,
      ),
    );
    expect(open).toEqual([
      { lines: 1, open: true },
      { lines: 1, open: false },
    ]);
    expect(await verify()).toMatchObject({ code: 0 });
  });

  test('keeps all raw lines of a day that is not sealed yet', async () => {
    const device = await makeDevice(api, { nas: 'seal9006' });
    const today = { at: new Date().toISOString(), line: line.dhcp() };
    await feed(api, device, [...day(12, [line.dhcp()]), today]);
    await feed(api, device, [today]);
    const segments = () => readdirSync(path.join(folderOf(device), 'raw')).sort();
    const before = segments();
    expect(before).toHaveLength(2);
    await job('seal log files');
    expect(segments()).toEqual(before);
    expect(await verify()).toMatchObject({ code: 0 });
  });

  test('deletes raw lines that end where the open day begins', async () => {
    const device = await makeDevice(api, { nas: 'seal9007' });
    await feed(api, device, day(12, [line.dhcp()]));
    await feed(api, device, [{ at: new Date().toISOString(), line: line.dhcp() }]);
    const segments = () => readdirSync(path.join(folderOf(device), 'raw')).sort();
    const before = segments();
    expect(before).toHaveLength(2);
    await job('seal log files');
    expect(segments()).toEqual(before.slice(1));
  });

  test('a day that occurs again gets a second part', async () => {
    const device = await makeDevice(api, { nas: 'seal9001' });
    await feed(api, device, [
      ...day(10, [line.dhcp()]),
      ...day(11, [line.dhcp()]),
      ...day(10, [line.dhcp()]),
      ...day(12, [line.dhcp()]),
    ]);
    await job('seal log files');
    expect(readdirSync(path.join(folderOf(device), 'files')).sort()).toEqual([
      '2026-03-10-dhcp-2.log.gz',
      '2026-03-10-dhcp.log.gz',
      '2026-03-11-dhcp.log.gz',
      '2026-03-12-dhcp.log.gz',
    ]);
  });

  test('a crash between file, chain and database is repaired by the next run', async () => {
    const device = await makeDevice(api, { nas: 'seal9002' });
    await feed(api, device, day(10, [line.dhcp(), line.firewall()]));
    await api.app.db.pool.query('alter table log_files rename to log_files_away');
    await job('seal log files');
    await api.app.db.pool.query('alter table log_files_away rename to log_files');
    const chain = path.join(folderOf(device), 'chain.jsonl');
    expect(readFileSync(chain, 'utf8').trim().split('\n')).toHaveLength(2);
    appendFileSync(chain, '{"kind":"file","fi');
    await job('seal log files');
    const links = readFileSync(chain, 'utf8')
      .split('\n')
      .filter(row => row.endsWith('}'));
    expect(links, 'no file gets a second link').toHaveLength(2);
    const files = await api.inTenant(tx =>
      tx.many(sql`select type from log_files where device_id = ${device.id} and sealed_at is not null order by type`),
    );
    expect(files).toEqual([{ type: 'dhcp' }, { type: 'firewall' }]);
    expect((await verify()).lines).toEqual([expect.stringContaining('all files are unchanged')]);
  });
});

describe('a crash beside a time stamp', () => {
  /** Runs the work once, when the next stamp is on its way. The devices of other tests have theirs already. */
  const onNextStamp = (work: () => unknown) => {
    tsa.beforeStamp = () => {
      tsa.beforeStamp = () => undefined;
      return work();
    };
  };

  test('before its link leaves a chain that goes on', async () => {
    await seal();
    const device = await makeDevice(api, { nas: 'seal9101' });
    await feed(api, device, day(10, [line.dhcp()]));
    await job('seal log files');
    const chain = path.join(folderOf(device), 'chain.jsonl');
    onNextStamp(() => {
      // The link cannot be written, as if the process had ended here.
      renameSync(chain, `${chain}.away`);
      mkdirSync(chain);
    });
    await job('stamp log files');
    rmdirSync(chain);
    renameSync(`${chain}.away`, chain);
    // The chain grows before the next stamp.
    await feed(api, device, day(11, [line.dhcp()]));
    await seal();
    const kinds = [...readFileSync(chain, 'utf8').matchAll(/"kind":"(\w+)"/g)].map(([, kind]) => kind);
    expect(kinds).toEqual(['file', 'file', 'stamp']);
    expect((await verify()).lines).toEqual([expect.stringContaining('all files are unchanged')]);
  });

  test('while another process adds a link leaves the chain whole', async () => {
    await seal();
    const device = await makeDevice(api, { nas: 'seal9103' });
    await feed(api, device, day(10, [line.dhcp()]));
    await job('seal log files');
    const folder = folderOf(device);
    const file = 'files/2026-03-10-dhcp.log.gz';
    // The claim of this process has ended, and another one erases a file.
    onNextStamp(async () => {
      const links = await readChain(folder);
      const context = { device: `${device.tenantId}/${device.id}`, sign: api.app.secrets.sign, links };
      await appendLink(folder, { kind: 'erased', file }, context);
      rmSync(path.join(folder, file));
    });
    await job('stamp log files');
    await job('stamp log files');
    expect((await verify()).lines).toEqual([expect.stringContaining('all files are unchanged')]);
  });

  test('after its link is repaired by the next run', async () => {
    const device = await makeDevice(api, { nas: 'seal9102' });
    await feed(api, device, day(10, [line.dhcp()]));
    await seal();
    const stamps = path.join(folderOf(device), 'stamps');
    const [name] = readdirSync(stamps);
    renameSync(path.join(stamps, name!), path.join(stamps, '.stamp.draft'));
    await job('check log files');
    expect(readdirSync(stamps)).toEqual([name]);
    expect((await verify()).lines).toEqual([expect.stringContaining('all files are unchanged')]);
  });
});

test('when the clock jumps ahead and back, every line is in one file and counted once', async () => {
  const device = await makeDevice(api, { nas: 'seal9004' });
  const times = [
    '2026-03-11T09:00:00',
    '2031-01-01T00:00:00',
    '2026-03-11T09:00:01',
    '1970-01-01T00:00:00',
    '2026-03-12T09:00:00',
  ];
  await feed(
    api,
    device,
    times.flatMap(at => [1, 2].map(() => ({ at: `${at}.000Z`, line: line.firewall() }))),
  );
  await job('seal log files');
  const files = readdirSync(path.join(folderOf(device), 'files')).sort();
  const lines = files.map(
    file =>
      gunzipSync(readFileSync(path.join(folderOf(device), 'files', file)))
        .toString('latin1')
        .split('\n').length - 1,
  );
  expect(Object.fromEntries(files.map((file, i) => [file, lines[i]]))).toEqual({
    '1970-01-01-firewall.log.gz': 2,
    '2026-03-11-firewall.log.gz': 2,
    '2026-03-11-firewall-2.log.gz': 2,
    '2026-03-12-firewall.log.gz': 2,
    '2031-01-01-firewall.log.gz': 2,
  });
  expect(await verify()).toMatchObject({ code: 0 });
  const counted = await api.inTenant(tx =>
    tx.one<{ n: number }>(sql`select sum(lines) as n from log_hours where device_id = ${device.id}`),
  );
  expect(counted.n).toBe(10);
});

test('lines that were taken after the clock was set back are found, sealed or not', async () => {
  const device = await makeDevice(api, { nas: 'seal9015' });
  const ahead = Array.from({ length: 3000 }, () => ({ at: '2026-03-11T09:04:00.000Z', line: line.firewall() }));
  await feed(api, device, [...ahead, { at: '2026-03-11T09:00:30.000Z', line: line.firewall() }]);
  const find = () =>
    searchLines(
      api.app,
      {
        ...{ tenantId: device.tenantId, device: { id: device.id, time_zone: 'UTC' }, type: 'firewall', contains: '' },
        ...{ from: Date.parse('2026-03-11T09:00:20Z'), to: Date.parse('2026-03-11T09:00:40Z'), limit: 10 },
        matches: () => true,
      },
      { bytes: 1e9, until: Number.POSITIVE_INFINITY, reached: false },
    );
  expect(await find()).toHaveLength(1);
  await job('seal log files');
  expect(await find()).toHaveLength(1);
});

test('files older than the retention are erased, and the chain records it', async () => {
  const device = await makeDevice(api, { nas: 'seal9003' });
  await feed(api, device, [
    { at: '2020-03-10T09:00:00.000Z', line: line.proxy('old.example.org') },
    { at: '2026-03-10T09:00:00.000Z', line: line.proxy('new.example.org') },
  ]);
  await job('seal log files');
  await job('erase old log files');
  await job('trim log counts');
  expect(readdirSync(path.join(folderOf(device), 'files'))).toEqual(['2026-03-10-proxy.log.gz']);
  const left = await api.inTenant(async tx => ({
    files: await tx.many(sql`select day::text from log_files where device_id = ${device.id} and erased_at is null`),
    hours: await tx.many(sql`select lines from log_hours where device_id = ${device.id}`),
    tops: await tx.many(sql`select day::text from log_tops where device_id = ${device.id} and kind = 'website'`),
  }));
  expect(left).toEqual({ files: [{ day: '2026-03-10' }], hours: [{ lines: 1 }], tops: [{ day: '2026-03-10' }] });
  expect(await verify()).toMatchObject({ code: 0 });
  const admin = await api.user('tenant-admin');
  const { body } = await api.get(`panel/device/${device.id}/logs`, { token: admin.token });
  expect(body.data).toHaveLength(1);
});

test('the file of the first day that is kept stays', async () => {
  const { LOG_RETENTION_DAYS } = api.app.settings;
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
  const device = await makeDevice(api, { nas: 'seal9005' });
  const days = [LOG_RETENTION_DAYS + 1, LOG_RETENTION_DAYS, LOG_RETENTION_DAYS - 1].map(daysAgo);
  await feed(
    api,
    device,
    days.map(at => ({ at: `${at}T09:00:00.000Z`, line: line.proxy('example.org') })),
  );
  await job('seal log files');
  await job('erase old log files');
  await job('trim log counts');
  const left = await api.inTenant(async tx => ({
    files: await tx.many(
      sql`select day::text from log_files where device_id = ${device.id} and erased_at is null order by day`,
    ),
    tops: await tx.many(
      sql`select day::text from log_tops where device_id = ${device.id} and kind = 'website' order by day`,
    ),
  }));
  const kept = days.slice(1).map(at => ({ day: at }));
  expect(left).toEqual({ files: kept, tops: kept });
});

test('sealing continues when the time-stamp authority is unreachable, refuses or stamps another hash', async () => {
  for (const mode of ['away', 'refuse', 'other'] as const) {
    tsa.mode = mode;
    const device = await record.sealedDevice();
    expect(existsSync(path.join(folderOf(device), 'stamps'))).toBe(false);
    expect(readdirSync(path.join(folderOf(device), 'files'))).toHaveLength(5);
  }
  tsa.mode = 'grant';
  await job('stamp log files');
  expect(await verify()).toMatchObject({ code: 0 });
  const { rows } = await api.app.db.pool.query(
    'select count(*) as n from log_streams where stamped_length < chain_length',
  );
  expect(rows[0].n).toBe(0);
});
