import { appendFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { startApi, type TestApi } from '#test/harness.ts';
import { verifyFile, verifyLogs } from './logs.cli.ts';
import { startAuthority } from './testing/authority.ts';
import { feed, line, makeDevice } from './testing/fixture.ts';
import { legalRecord } from './testing/sealed.ts';

let api: TestApi;
const tsa = await startAuthority();
afterAll(() => tsa.close());
beforeAll(async () => {
  api = await startApi({ TSA_URL: tsa.url, LOG_RETENTION_DAYS: '730' });
});
const record = legalRecord(() => api);
const { folderOf, job, verify } = record;

describe('portico logs verify finds', () => {
  /** Changes a newly sealed record, returns the findings and deletes the record. */
  async function tamper(
    change: (folder: string, ids: { id: string; tenantId: string }) => void | Promise<void>,
    options = {},
  ): Promise<string[]> {
    const device = await record.sealedDevice();
    expect((await verify()).code).toBe(0);
    await change(folderOf(device), device);
    const { code, lines } = await verify(options);
    expect(code).toBe(1);
    rmSync(folderOf(device), { recursive: true, force: true });
    await api.app.db.pool.query(`delete from log_streams where device_id = '${device.id}'`);
    return lines.slice(0, -1).map(text => text.split(' ').slice(1).join(' '));
  }
  const file = 'files/2026-03-11-firewall.log.gz';
  const edit = (at: string, change: (text: string) => string) => writeFileSync(at, change(readFileSync(at, 'utf8')));

  test('a line that was changed, removed or added', async () => {
    for (const change of [
      (text: string) => text.replace('10.5.50.9', '10.5.50.8'),
      (text: string) => text.split('\n').slice(1).join('\n'),
      (text: string) => `${text}2026-03-11T10:00:00.000Z 10.0.0.1 made up\n`,
    ])
      expect(
        await tamper(folder => {
          const at = path.join(folder, file);
          writeFileSync(at, gzipSync(change(gunzipSync(readFileSync(at)).toString('latin1'))));
        }),
      ).toEqual([`${file}: the file was changed`]);
  });

  test('a byte that was changed', async () => {
    const found = await tamper(folder => {
      const at = path.join(folder, file);
      const bytes = readFileSync(at);
      bytes.writeUInt8(bytes.readUInt8(bytes.length - 9) ^ 1, bytes.length - 9);
      writeFileSync(at, bytes);
    });
    expect(found).toEqual([`${file}: the file was changed`]);
  });

  test('a file that is missing, was added or was replaced by another', async () => {
    expect(await tamper(folder => rmSync(path.join(folder, file)))).toEqual([`${file}: the file is missing`]);
    expect(
      await tamper(folder => writeFileSync(path.join(folder, 'files/2026-03-12-dhcp.log.gz'), gzipSync('x'))),
    ).toEqual(['files/2026-03-12-dhcp.log.gz: the file is not in the chain']);
    expect(
      await tamper(folder => renameSync(path.join(folder, 'files/2026-03-10-dhcp.log.gz'), path.join(folder, file))),
    ).toHaveLength(2);
  });

  test('no file of a running product that has its name already, but not its link yet', async () => {
    const device = await record.sealedDevice();
    const chain = path.join(folderOf(device), 'chain.jsonl');
    const whole = readFileSync(chain, 'utf8');
    const rows = whole.trim().split('\n');
    const last = rows.findLastIndex(row => row.includes('"kind":"file"'));
    writeFileSync(
      chain,
      rows
        .slice(0, last)
        .map(row => `${row}\n`)
        .join(''),
    );
    const lines: string[] = [];
    const print = (text: string) => lines.push(text);
    // The link comes when the chain has been read for the first time.
    const sign = (text: string) => {
      writeFileSync(chain, whole);
      return api.app.secrets.sign(text);
    };
    expect(await verifyLogs({ dataDir: api.app.settings.DATA_DIR, sign, print }), lines.join('\n')).toBe(0);
    rmSync(folderOf(device), { recursive: true, force: true });
    await api.app.db.pool.query(`delete from log_streams where device_id = '${device.id}'`);
  });

  test('a chain that was edited, truncated or forged', async () => {
    const chain = (folder: string) => path.join(folder, 'chain.jsonl');
    expect((await tamper(folder => edit(chain(folder), text => text.replace('"lines":2', '"lines":3'))))[0]).toBe(
      'link 5: the chain is broken here',
    );
    expect(
      (
        await tamper(folder =>
          edit(chain(folder), text =>
            text
              .split('\n')
              .filter((_, i) => i !== 2)
              .join('\n'),
          ),
        )
      )[0],
    ).toBe('link 3: the chain is broken here');
    // Its own hash is right again, but the next link still names the old one.
    const rewritten = await tamper(async folder => {
      const { hashOf } = await import('./chain.ts');
      edit(chain(folder), text => {
        const rows = text.split('\n');
        const { chain: _, signature, ...link } = JSON.parse(rows[2]!);
        link.at = '2026-01-01T00:00:00.000Z';
        rows[2] = JSON.stringify({ ...link, chain: hashOf(link), signature });
        return rows.join('\n');
      });
    });
    expect(rewritten).toContain('link 4: the chain is broken here');
    expect(
      (await tamper(folder => edit(chain(folder), text => `${text.split('\n').slice(0, 3).join('\n')}\n`))).at(-1),
    ).toBe('link 4: the chain ends here, but the database has more links');
    expect(await tamper(folder => writeFileSync(chain(folder), 'x\n'))).toEqual([
      'chain.jsonl: the chain cannot be read',
    ]);
    expect((await tamper(folder => rmSync(folder, { recursive: true }))).at(-1)).toContain(
      'the database has more links',
    );
    const forged = await tamper(
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
    expect(forged[0]).toBe('link 1: this link was not signed with the key of this installation');
    // Made again with the key, the chain is right by itself, but not the one whose head the database has.
    const remade = await tamper(async (folder, { tenantId, id }) => {
      const { appendLink } = await import('./chain.ts');
      const rows = readFileSync(chain(folder), 'utf8').trim().split('\n');
      rmSync(chain(folder));
      const links: never[] = [];
      for (const row of rows) {
        const { number: _, at: __, previous: ___, chain: ____, signature: _____, ...entry } = JSON.parse(row);
        await appendLink(folder, entry, { device: `${tenantId}/${id}`, sign: api.app.secrets.sign, links });
      }
    });
    expect(remade).toEqual(['link 6: the chain differs from the one in the database']);
  });

  test('and the daily check tells the administrators and webhooks once', async () => {
    const { token } = await api.user('tenant-admin');
    const connection = { type: 'webhook', url: 'https://example.com/', events: ['log_record.broken'] };
    const hook = { name: 'CRM', location_id: null, integration_id: 'webhook', params: { connection } };
    expect((await api.post('panel/integration', { token, body: hook })).status).toBe(201);
    const findings = () =>
      api.inTenant(tx =>
        tx.many<{ data: unknown }>(sql`select distinct data from notifications where kind = 'log_chain_broken'`),
      );
    // Records that other tests damaged are told now.
    await job('check log files');
    const known = (await findings()).map(it => JSON.stringify(it));
    await tamper(async folder => {
      rmSync(path.join(folder, file));
      await job('check log files');
      await job('check log files');
    });
    expect((await findings()).filter(it => !known.includes(JSON.stringify(it)))).toEqual([
      { data: { device: expect.stringMatching(/^seal/), day: '2026-03-11', type: 'firewall' } },
    ]);
    const events = await api.inTenant(tx => tx.many<{ body: string }>(sql`select body from webhook_deliveries`));
    expect(events.map(it => JSON.parse(it.body).data)).toEqual([
      expect.objectContaining({
        name: expect.stringMatching(/^seal/),
        where: `files/${path.basename(file)}`,
        problem: 'file_missing',
      }),
    ]);
  });

  test('and shows its findings at the files until they are correct again', async () => {
    const admin = await api.user('tenant-admin');
    const state = async (id: string) => {
      const [record, files] = await Promise.all([
        api.get(`panel/device/${id}/logs/record`, { token: admin.token }),
        api.get(`panel/device/${id}/logs?types=firewall`, { token: admin.token }),
      ]);
      return [record.body.data, files.body.data] as const;
    };
    const device = await record.sealedDevice();
    expect((await state(device.id))[0]).toMatchObject({
      sealed_files: 5,
      stamped_files: 5,
      checked_at: null,
      last_line_at: '2026-03-11T09:00:00Z',
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

  test('an older file is read once in thirty days, and its finding stays until then', async () => {
    const dayMs = 86_400_000;
    const start = Math.ceil(Date.now() / dayMs / 30) * 30;
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const at = (n: number) => vi.setSystemTime((start + n) * dayMs + 1000);
    at(-20);
    const device = await record.sealedDevice();
    const [one, two] = readFileSync(path.join(folderOf(device), 'chain.jsonl'), 'utf8')
      .split('\n', 2)
      .map(row => JSON.parse(row).file as string) as [string, string];
    const contents = (file: string) => path.join(folderOf(device), file);
    const genuine = readFileSync(contents(one));
    for (const file of [one, two]) writeFileSync(contents(file), gzipSync('x'));
    const problems = async (n: number) => {
      at(n);
      await job('check log files');
      const rows = await api.inTenant(tx =>
        tx.many<{ path: string; problem: string | null }>(
          sql`select path, problem from log_files where device_id = ${device.id} and path = any(${[one, two]})`,
        ),
      );
      return [one, two].map(file => rows.find(it => it.path === file)!.problem);
    };
    // The number of its link tells the day.
    expect(await problems(1)).toEqual(['changed', null]);
    expect(await problems(2)).toEqual(['changed', 'changed']);
    writeFileSync(contents(one), genuine);
    expect(await problems(3)).toEqual(['changed', 'changed']);
    expect(await problems(31)).toEqual([null, 'changed']);
    rmSync(folderOf(device), { recursive: true, force: true });
    await api.app.db.pool.query(`delete from log_streams where device_id = '${device.id}'`);
  });

  test('nothing of a device without sealed files, which has not been checked', async () => {
    const device = await makeDevice(api, { nas: 'unsealed' });
    await feed(api, device, [{ at: new Date().toISOString(), line: line.dhcp() }]);
    await job('check log files');
    const { token } = await api.user('tenant-admin');
    const { body } = await api.get(`panel/device/${device.id}/logs/record`, { token });
    expect(body.data).toMatchObject({ sealed_files: 0, checked_at: null, problem: null });
  });

  test('a sealed file by its content', async () => {
    // Unique content among the devices of these tests.
    const folder = folderOf(await record.sealedDevice('only-here.example'));
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
    expect(lines[0]).toContain('files/2026-03-10-proxy.log.gz, unchanged since it was sealed at ');
    // The file is unchanged, but another one of its record is not.
    const dhcp = path.join(folder, 'files/2026-03-10-dhcp.log.gz');
    const right = readFileSync(dhcp);
    appendFileSync(dhcp, 'x');
    expect(await check(copy)).toBe(1);
    expect(lines[1]).toContain('files/2026-03-10-dhcp.log.gz: the file was changed');
    writeFileSync(dhcp, right);
    appendFileSync(copy, 'x');
    expect(await check(copy)).toBe(1);
    expect(lines).toEqual([
      `${copy}: not a sealed file of this installation; it was changed, or downloaded before its day was sealed`,
    ]);
    rmSync(copy);
  });

  test('changes without the database too, except a truncated chain', async () => {
    expect(await tamper(folder => rmSync(path.join(folder, file)), { offline: true, unsigned: true })).toEqual([
      `${file}: the file is missing`,
    ]);
  });
});
