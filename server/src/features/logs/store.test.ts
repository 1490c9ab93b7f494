import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startBucket } from '#lib/testing/s3-stand-in.ts';
import { startApi, type TestApi } from '#test/harness.ts';
import { registeredHeads, verifyLogs } from './logs.cli.ts';
import { logJobs } from './logs.jobs.ts';
import { fileStore } from './store.ts';
import { feed, line, makeDevice } from './testing/fixture.ts';

const key = { region: 'eu-test-1', keyId: 'portico', secret: 'a secret key of tests' };
const bucket = await startBucket('legal', key);
afterAll(() => bucket.close());
let api: TestApi;
beforeAll(async () => {
  api = await startApi({
    LOG_STORE_URL: `${bucket.url}/legal/records`,
    LOG_STORE_KEY: key.keyId,
    LOG_STORE_SECRET: key.secret,
    LOG_STORE_REGION: key.region,
  });
});

const job = (name: string) => logJobs.find(one => one.name === name)!.run(api.app);
const lines = [line.firewall(), line.dhcp(), line.proxy('example.org')];
let names = 0;
async function sealedDevice() {
  const device = await makeDevice(api, { nas: `store${String(++names).padStart(3, '0')}` });
  await feed(
    api,
    device,
    lines.map(text => ({ at: '2026-03-11T09:00:00.000Z', line: text })),
  );
  await job('seal log files');
  const folder = path.join(api.app.settings.DATA_DIR, 'logs', device.tenantId, device.id);
  const keyOf = (type: string) => `records/${device.tenantId}/${device.id}/files/2026-03-11-${type}.log.gz`;
  return { ...device, folder, keyOf };
}
async function verify(): Promise<string[]> {
  const printed: string[] = [];
  const { DATA_DIR: dataDir } = api.app.settings;
  const heads = await registeredHeads(api.app);
  await verifyLogs({
    dataDir,
    sign: api.app.secrets.sign,
    heads,
    store: fileStore(api.app.settings),
    print: text => printed.push(text),
  });
  return printed;
}

test('sealed files move into the store, are downloaded and checked from there, and erased there', async () => {
  const device = await sealedDevice();
  expect(readdirSync(path.join(device.folder, 'files'))).toHaveLength(3);
  await job('store log files');
  expect(readdirSync(path.join(device.folder, 'files'))).toEqual([]);
  expect(existsSync(path.join(device.folder, 'chain.jsonl'))).toBe(true);
  const proxy = bucket.files.get(device.keyOf('proxy'))!;
  expect(gunzipSync(proxy).toString()).toContain('http://example.org/');

  const admin = await api.user('tenant-admin');
  const list = async () =>
    (await api.get(`panel/device/${device.id}/logs?types=proxy`, { token: admin.token })).body.data;
  const [row] = await list();
  expect(row).toMatchObject({ sealed: true, sha256: createHash('sha256').update(proxy).digest('hex') });
  const response = await fetch(api.url + row.download_url);
  expect(response.status).toBe(200);
  expect(Buffer.from(await response.arrayBuffer())).toEqual(proxy);
  const audit = await api.get('panel/audit?subject_type=log-file', { token: admin.token });
  expect(audit.body.data[0]).toMatchObject({ verb: 'export', user: { id: admin.id } });

  expect((await verify()).at(-1)).toMatch(/all files are unchanged$/);
  bucket.files.set(device.keyOf('proxy'), Buffer.from('something else'));
  expect((await verify())[0]).toContain('proxy.log.gz: the file was changed');
  bucket.files.delete(device.keyOf('proxy'));
  expect((await verify())[0]).toContain('proxy.log.gz: the file is missing');
  await job('check log files');
  expect((await list())[0].problem).toBe('missing');
  expect((await fetch(api.url + row.download_url)).status).toBe(503);
  bucket.files.set(device.keyOf('proxy'), proxy);
  bucket.files.set(`${device.keyOf('proxy')}x`, Buffer.from('added'));
  expect((await verify())[0]).toContain('proxy.log.gzx: the file is not in the chain');
  bucket.files.delete(`${device.keyOf('proxy')}x`);
  expect(await verify()).toHaveLength(1);
});

test('a move that takes long keeps the device claimed', async () => {
  const device = await sealedDevice();
  const secondsLeft = async () => {
    const { rows } = await api.app.db.pool.query(
      'select extract(epoch from sealing_until - now())::int as seconds from log_streams where device_id = $1',
      [device.id],
    );
    return rows[0].seconds as number;
  };
  const end = bucket.hold();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const moving = job('store log files');
    await expect.poll(bucket.held).toBeGreaterThan(0);
    // Almost ten minutes pass.
    await api.app.db.pool.query(
      `update log_streams set sealing_until = now() + interval '30 seconds' where device_id = $1`,
      [device.id],
    );
    vi.advanceTimersByTime(9.5 * 60_000);
    await expect.poll(secondsLeft).toBeGreaterThan(500);
    end();
    await moving;
  } finally {
    end();
    vi.useRealTimers();
  }
  expect(readdirSync(path.join(device.folder, 'files'))).toEqual([]);
});

test('files stay on the disk while the store is unreachable or refuses them, and are moved later', async () => {
  const device = await sealedDevice();
  const files = () => readdirSync(path.join(device.folder, 'files')).length;
  bucket.refuse(503);
  await job('store log files');
  expect(files()).toBe(3);
  bucket.refuse(undefined);
  // A changed file is not moved, even to a store that does not compare hashes.
  bucket.trusting(true);
  const changed = path.join(device.folder, 'files/2026-03-11-dhcp.log.gz');
  const right = readFileSync(changed);
  writeFileSync(changed, 'something else');
  await job('store log files');
  expect(files()).toBe(1);
  expect(bucket.files.has(device.keyOf('dhcp'))).toBe(false);
  expect((await verify())[0]).toContain('dhcp.log.gz: the file was changed');
  writeFileSync(changed, right);
  bucket.trusting(false);
  await job('store log files');
  expect(files()).toBe(0);
  expect(await verify()).toHaveLength(1);
});

test('files older than the retention are erased in the store too', async () => {
  const device = await makeDevice(api, { nas: 'store900' });
  await feed(api, device, [{ at: '2020-03-11T09:00:00.000Z', line: line.dhcp() }]);
  await job('seal log files');
  await job('store log files');
  const stored = () => [...bucket.files.keys()].filter(name => name.includes(device.id));
  expect(stored()).toHaveLength(1);
  await job('erase old log files');
  expect(stored()).toEqual([]);
  expect(await verify()).toHaveLength(1);
});

test('a wrong secret key is refused', async () => {
  const store = fileStore({ ...api.app.settings, LOG_STORE_SECRET: 'not this one' });
  await expect(store?.list('')).rejects.toThrow('The log store refused GET: 403 SignatureDoesNotMatch');
});
