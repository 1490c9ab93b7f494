import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi, type TestApi } from '#test/harness.ts';
import { registeredHeads, verifyFile, verifyLogs } from './logs.cli.ts';
import { logJobs } from './logs.jobs.ts';
import { feed, line, makeDevice } from './testing/fixture.ts';

let api: TestApi;
const tsa = await startAuthority();
afterAll(() => tsa.close());
beforeAll(async () => {
  api = await startApi({ TSA_URL: tsa.url, LOG_RETENTION_DAYS: '730' });
});

const job = (name: string) => logJobs.find(one => one.name === name)!.run(api.app);
const folderOf = (device: { id: string; tenantId: string }) =>
  path.join(api.app.settings.DATA_DIR, 'logs', device.tenantId, device.id);

async function verify(
  options: { offline?: boolean; unsigned?: boolean } = {},
): Promise<{ code: number; lines: string[] }> {
  const lines: string[] = [];
  const code = await verifyLogs({
    dataDir: api.app.settings.DATA_DIR,
    sign: options.unsigned ? undefined : api.app.secrets.sign,
    heads: options.offline ? undefined : await registeredHeads(api.app),
    print: text => lines.push(text),
  });
  return { code, lines };
}

const day = (n: number, more: readonly string[]) =>
  more.map((text, i) => ({ at: `2026-03-${String(n).padStart(2, '0')}T09:00:0${i}.000Z`, line: text }));
let names = 0;
async function seal(): Promise<void> {
  await job('seal log files');
  await job('stamp log files');
}
async function sealedDevice(site = 'example.org') {
  const device = await makeDevice(api, { nas: `seal${String(++names).padStart(4, '0')}` });
  await feed(api, device, [
    ...day(10, [line.firewall(), line.dhcp(), line.proxy(site), 'what is this']),
    ...day(11, [line.firewall(), line.firewall()]),
  ]);
  await seal();
  return device;
}

describe('the legal record', () => {
  test('is a compressed file per day and type, chained, stamped, in the register, and downloadable', async () => {
    const device = await sealedDevice();
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
        .map(it => `${it.at} 10.0.0.1 ${it.line}\n`)
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
    // Doing it again changes nothing.
    await seal();
    expect(readFileSync(path.join(folder, 'chain.jsonl'), 'utf8').trim().split('\n')).toHaveLength(6);
  });

  test('goes on with later days, and the raw lines go once they are sealed', async () => {
    const device = await sealedDevice();
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

  test('a day that comes again is a part of its own', async () => {
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

  test('a crash between file, chain and register is made good', async () => {
    const device = await makeDevice(api, { nas: 'seal9002' });
    await feed(api, device, day(10, [line.dhcp(), line.firewall()]));
    await api.app.db.pool.query('alter table log_files rename to log_files_away');
    await job('seal log files');
    await api.app.db.pool.query('alter table log_files_away rename to log_files');
    const chain = path.join(folderOf(device), 'chain.jsonl');
    expect(readFileSync(chain, 'utf8').trim().split('\n')).toHaveLength(2);
    appendFileSync(chain, '{"kind":"file","fi');
    await job('seal log files');
    const files = await api.inTenant(tx =>
      tx.many(sql`select type from log_files where device_id = ${device.id} and sealed_at is not null order by type`),
    );
    expect(files).toEqual([{ type: 'dhcp' }, { type: 'firewall' }]);
    expect((await verify()).lines).toEqual([expect.stringContaining('as they were sealed')]);
  });
});

describe('portico logs verify finds', () => {
  /** Spoils a freshly sealed record, and tells what is found, before it is thrown away. */
  async function spoil(
    how: (folder: string, ids: { id: string; tenantId: string }) => void | Promise<void>,
    options = {},
  ): Promise<string[]> {
    const device = await sealedDevice();
    expect((await verify()).code).toBe(0);
    await how(folderOf(device), device);
    const { code, lines } = await verify(options);
    expect(code).toBe(1);
    rmSync(folderOf(device), { recursive: true, force: true });
    await api.app.db.pool.query(`delete from log_streams where device_id = '${device.id}'`);
    return lines.slice(0, -1).map(text => text.split(' ').slice(1).join(' '));
  }
  const file = 'files/2026-03-11-firewall.log.gz';
  const edit = (at: string, change: (text: string) => string) => writeFileSync(at, change(readFileSync(at, 'utf8')));

  test('a line that was changed, taken out or added', async () => {
    for (const change of [
      (text: string) => text.replace('10.5.50.9', '10.5.50.8'),
      (text: string) => text.split('\n').slice(1).join('\n'),
      (text: string) => `${text}2026-03-11T10:00:00.000Z 10.0.0.1 made up\n`,
    ])
      expect(
        await spoil(folder => {
          const at = path.join(folder, file);
          writeFileSync(at, gzipSync(change(gunzipSync(readFileSync(at)).toString('latin1'))));
        }),
      ).toEqual([`${file}: the file was changed`]);
  });

  test('a file that is missing, added, or was exchanged for another', async () => {
    expect(await spoil(folder => rmSync(path.join(folder, file)))).toEqual([`${file}: the file is missing`]);
    expect(
      await spoil(folder => writeFileSync(path.join(folder, 'files/2026-03-12-dhcp.log.gz'), gzipSync('x'))),
    ).toEqual(['files/2026-03-12-dhcp.log.gz: the file is not in the chain']);
    expect(
      await spoil(folder => renameSync(path.join(folder, 'files/2026-03-10-dhcp.log.gz'), path.join(folder, file))),
    ).toHaveLength(2);
  });

  test('a chain that was edited, cut, or made anew', async () => {
    const chain = (folder: string) => path.join(folder, 'chain.jsonl');
    expect((await spoil(folder => edit(chain(folder), text => text.replace('"lines":2', '"lines":3'))))[0]).toBe(
      'link 5: the chain is broken here',
    );
    expect(
      (
        await spoil(folder =>
          edit(chain(folder), text =>
            text
              .split('\n')
              .filter((_, i) => i !== 2)
              .join('\n'),
          ),
        )
      )[0],
    ).toBe('link 3: the chain is broken here');
    expect(
      (await spoil(folder => edit(chain(folder), text => `${text.split('\n').slice(0, 3).join('\n')}\n`))).at(-1),
    ).toBe('link 4: the chain ends here, and the database knows of more');
    expect(await spoil(folder => writeFileSync(chain(folder), 'x\n'))).toEqual([
      'chain.jsonl: the chain cannot be read',
    ]);
    expect((await spoil(folder => rmSync(folder, { recursive: true }))).at(-1)).toContain('the database knows of more');
    const forged = await spoil(
      async folder => {
        const { appendLink } = await import('./chain.ts');
        const links = readFileSync(chain(folder), 'utf8')
          .trim()
          .split('\n')
          .map(row => JSON.parse(row));
        rmSync(chain(folder));
        const made: never[] = [];
        for (const { number: _, at: __, previous: ___, chain: ____, signature: _____, ...entry } of links)
          await appendLink(
            folder,
            { ...entry, ...(entry.lines ? { lines: 9 } : {}) },
            { device: 'x/y', sign: () => 'f'.repeat(64), links: made },
          );
      },
      { offline: true },
    );
    expect(forged).toHaveLength(6);
    expect(forged[0]).toBe('link 1: this link was not made with our key');
  });

  test('and the daily check tells the administrators once', async () => {
    await api.user('tenant-admin');
    const told = () =>
      api.inTenant(tx =>
        tx.many<{ data: unknown }>(sql`select distinct data from notifications where kind = 'log_chain_broken'`),
      );
    await job('check log files');
    expect(await told()).toEqual([]);
    await spoil(async folder => {
      rmSync(path.join(folder, file));
      await job('check log files');
      await job('check log files');
    });
    expect(await told()).toEqual([
      { data: { device: expect.stringMatching(/^seal/), day: '2026-03-11', type: 'firewall' } },
    ]);
  });

  test('and its findings stand at the files until they are right again', async () => {
    const admin = await api.user('tenant-admin');
    const state = async (id: string) => {
      const [record, files] = await Promise.all([
        api.get(`panel/device/${id}/logs/record`, { token: admin.token }),
        api.get(`panel/device/${id}/logs?types=firewall`, { token: admin.token }),
      ]);
      return [record.body.data, files.body.data] as const;
    };
    const device = await sealedDevice();
    expect((await state(device.id))[0]).toMatchObject({
      sealed_files: 5,
      stamped_files: 5,
      checked_at: null,
      retention_days: 730,
    });
    const sealed = path.join(folderOf(device), file);
    const right = readFileSync(sealed);
    await job('check log files');
    const [checked] = await state(device.id);
    expect(checked).toMatchObject({ problem: null, checked_at: expect.any(String) });
    writeFileSync(sealed, gzipSync('something else'));
    await job('check log files');
    const [changed, files] = await state(device.id);
    expect(changed.problem).toEqual({ what: 'file_changed', where: file });
    expect(
      files.map((row: { day: string; problem: string; stamped: boolean }) => [row.day, row.problem, row.stamped]),
    ).toEqual([
      ['2026-03-11', 'changed', true],
      ['2026-03-10', null, true],
    ]);
    rmSync(sealed);
    await job('check log files');
    expect((await state(device.id))[1][0].problem).toBe('missing');
    writeFileSync(sealed, right);
    await job('check log files');
    const [again, whole] = await state(device.id);
    expect(again.problem).toBeNull();
    expect(whole[0].problem).toBeNull();
  });

  test('a file that somebody has, by what is in it', async () => {
    // No other device of these tests has such a file.
    const folder = folderOf(await sealedDevice('only-here.example'));
    const lines: string[] = [];
    const check = async (file: string) => {
      lines.length = 0;
      const { DATA_DIR: dataDir } = api.app.settings;
      return verifyFile(file, { dataDir, sign: api.app.secrets.sign, print: text => lines.push(text) });
    };
    const sealed = path.join(folder, 'files/2026-03-10-proxy.log.gz');
    const copy = path.join(folder, '..', 'renamed.gz');
    writeFileSync(copy, readFileSync(sealed));
    expect(await check(copy)).toBe(0);
    expect(lines[0]).toContain('files/2026-03-10-proxy.log.gz, as it was sealed at ');
    // The file is the one, and yet something else in its record is not.
    const dhcp = path.join(folder, 'files/2026-03-10-dhcp.log.gz');
    const right = readFileSync(dhcp);
    appendFileSync(dhcp, 'x');
    expect(await check(copy)).toBe(1);
    expect(lines[1]).toContain('files/2026-03-10-dhcp.log.gz: the file was changed');
    writeFileSync(dhcp, right);
    appendFileSync(copy, 'x');
    expect(await check(copy)).toBe(1);
    expect(lines).toEqual([`${copy}: no sealed file of this record; it was changed, or its day was still open`]);
    rmSync(copy);
  });

  test('all of that without the database, but for a chain that lost its end', async () => {
    expect(await spoil(folder => rmSync(path.join(folder, file)), { offline: true, unsigned: true })).toEqual([
      `${file}: the file is missing`,
    ]);
  });
});

test('a clock that jumps, ahead and back, puts every line into one file and one count', async () => {
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

test('what is older than the retention is erased, and the chain says so', async () => {
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

test('a time-stamp authority that is away, refuses or stamps something else holds nothing up', async () => {
  for (const mode of ['away', 'refuse', 'other'] as const) {
    tsa.mode = mode;
    const device = await sealedDevice();
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

/** A time-stamp authority of one's own, made of openssl. */
async function startAuthority() {
  const at = mkdtempSync(path.join(tmpdir(), 'portico-tsa-'));
  const file = (name: string) => path.join(at, name);
  writeFileSync(
    file('tsa.cnf'),
    `[tsa]\ndefault_tsa = it\n[it]\nserial = ${file('serial')}\nsigner_digest = sha256\ndefault_policy = 1.2.3.4\ndigests = sha256\nsigner_cert = ${file('cert.pem')}\nsigner_key = ${file('key.pem')}\ness_cert_id_alg = sha256\n[ext]\nextendedKeyUsage = critical,timeStamping\nbasicConstraints = CA:TRUE\n[req]\ndistinguished_name = dn\n[dn]\n`,
  );
  writeFileSync(file('serial'), '01\n');
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: ['ignore', 'pipe', 'pipe'] });
  openssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    file('key.pem'),
    '-out',
    file('cert.pem'),
    '-days',
    '2',
    '-subj',
    '/CN=Test TSA',
    '-config',
    file('tsa.cnf'),
    '-extensions',
    'ext',
  );
  const authority = {
    url: '',
    mode: 'grant' as 'grant' | 'refuse' | 'other' | 'away',
    verifies(stamp: string, hash: string): boolean {
      try {
        openssl('ts', '-verify', '-digest', hash, '-in', stamp, '-CAfile', file('cert.pem'));
        return true;
      } catch {
        return false;
      }
    },
    close: () => server.close(),
  };
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    if (authority.mode === 'away') return response.writeHead(503).end();
    if (authority.mode === 'refuse') return response.end(Buffer.from('30053003020102', 'hex'));
    writeFileSync(file('query.tsq'), Buffer.concat(parts));
    if (authority.mode === 'other')
      writeFileSync(file('query.tsq'), openssl('ts', '-query', '-digest', '00'.repeat(32), '-sha256', '-cert'));
    openssl('ts', '-reply', '-queryfile', file('query.tsq'), '-config', file('tsa.cnf'), '-out', file('reply.tsr'));
    return response.end(readFileSync(file('reply.tsr')));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  authority.url = `http://127.0.0.1:${(server.address() as { port: number }).port}/`;
  return authority;
}
