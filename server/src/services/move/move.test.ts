import { createHash } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { dumpDatabase } from '#db/dump.ts';
import { registeredHeads, verifyLogs } from '#features/logs/public.ts';
import { beginArriving, createPortalFinder, findLeavingTenant } from '#features/moves/public.ts';
import { afterFile } from '#test/after-file.ts';
import { portico } from '#test/portico.ts';
import { tablesOf } from '#test/row-hash.ts';
import { encryptedColumns } from '../key-rotation.queries.ts';
import { exportTenant, importTenant, undoImport } from './move.ts';
import { readPackage, writeManifest } from './package.ts';
import { killAt, killWhileLoading, waitsToLoad } from './testing/kill.ts';
import {
  addTenant,
  copyPlace,
  encryptAll,
  everything,
  first,
  inClear,
  installation,
  keyOf,
  makePlace,
  type Place,
  type Rows,
  removeRows,
  rowsOf,
  sealFile,
  second,
  tenantTablesOf,
  third,
} from './testing/places.ts';

/** Two installations. The first has two tenants with a row in every table, the second has one of its own. */

const base = mkdtempSync(path.join(tmpdir(), 'portico-move-'));
afterFile(() => rmSync(base, { recursive: true, force: true }));

let originals: { from: Place; to: Place; before: Rows };
beforeAll(async () => {
  const [from, to] = [await makePlace(base, 'old'), await makePlace(base, 'new')];
  await from.pool.query(`update tenants set slug = 'acme'; update tenant_domains set host = 'wifi.acme.example'`);
  await addTenant(from.pool, second, 'other', 'ijklmnop');
  await addTenant(to.pool, third, 'settled', 'qrstuvwx');
  await removeRows(to.pool, first);
  for (const id of [first, second]) await encryptAll(from, id);
  await encryptAll(to, third);
  await sealFile(from);
  const before = await rowsOf(from.pool, first);
  expect([...before].filter(([, rows]) => rows.length === 0).map(([table]) => table)).toEqual([]);
  await Promise.all([from.pool.end(), to.pool.end()]);
  originals = { from, to, before };
});

const passphrase = 'a passphrase for the tests';

/** Both installations before the move, for one test. */
async function stage() {
  const root = mkdtempSync(path.join(base, 'stage-'));
  const from = await copyPlace(originals.from, root);
  const to = await copyPlace(originals.to, root);
  const cli = (args: string[], place = from) => portico(args, place.environment);
  const moveArgs = ['tenant', 'move', '--tenant', 'acme', '--to', path.join(root, 'new.env')];
  const backArgs = ['tenant', 'move', '--tenant', 'acme', '--to', path.join(root, 'old.env')];
  return { root, from, to, before: originals.before, cli, moveArgs, backArgs };
}

/** The first tenant is exported, and frozen from then on. */
async function exported() {
  const it = await stage();
  const lines: string[] = [];
  const folder = path.join(it.root, 'export');
  const to = { slug: 'acme', folder, passphrase };
  const manifest = await exportTenant(await installation(it.from), to, line => lines.push(line));
  return { ...it, manifest, lines };
}

/** The first tenant has moved. */
async function moved() {
  const it = await stage();
  expect(await it.cli(it.moveArgs)).toMatchObject({ code: 0, error: '' });
  return it;
}

const confirmArgs = ['tenant', 'move', '--tenant', 'acme', '--confirm'];
/** The first tenant has moved, and is removed where it was. */
async function confirmed() {
  const it = await moved();
  expect(await it.cli(confirmArgs)).toMatchObject({ code: 0, error: '' });
  return it;
}

describe('a tenant with rows in every table', () => {
  test('is refused where its slug, host name or router is known, or old sessions would stay behind, before anything is written or frozen', async () => {
    const { from, to, cli, moveArgs } = await stage();
    const [source, target] = [await everything(from.pool), await everything(to.pool)];
    for (const [taken, back, words] of [
      [`update tenants set slug = 'acme'`, `update tenants set slug = 'settled'`, 'a tenant named acme'],
      [
        `update tenant_domains set host = 'wifi.acme.example'`,
        `update tenant_domains set host = 'settled.example'`,
        'the host name wifi.acme.example',
      ],
      [
        `update devices set nas_identifier = 'abcdefgh'`,
        `update devices set nas_identifier = 'qrstuvwx'`,
        'the NAS identifier abcdefgh',
      ],
    ] as const) {
      await to.pool.query(`begin; set local session_replication_role = replica; ${taken}; commit`);
      const ran = await cli(moveArgs);
      await to.pool.query(`begin; set local session_replication_role = replica; ${back}; commit`);
      expect([ran.code, ran.out]).toEqual([1, '']);
      expect(ran.error).toMatch(new RegExp(`^The other installation already has [^\n]*${words}\n$`));
    }
    await from.pool.query(`insert into session_archives (batch, month, kept_after) values (1, '2026-01-01', now())`);
    const archived = await cli(moveArgs);
    await from.pool.query('delete from session_archives');
    expect([archived.code, archived.out]).toEqual([1, '']);
    expect(archived.error).toMatch(/^Sessions until 2026-01 are in ClickHouse and do not move: [^\n]+\n$/);
    expect(await everything(to.pool)).toBe(target);
    expect(await everything(from.pool)).toBe(source);
  });

  test('is not changed any more while it is exported, by nothing, and others are', async () => {
    const { root, from, before, manifest, lines } = await exported();
    const folder = path.join(root, 'export');
    expect(lines.join('\n')).toMatch(/^Frozen {4}acme[^\n]+\nExported {2}\d+ rows, \d+ files, \d+ secrets$/);
    expect(manifest.tenant).toMatchObject({ slug: 'acme', hosts: ['wifi.acme.example'], routers: ['abcdefgh'] });
    for (const table of await tenantTablesOf(from.pool)) {
      const key = keyOf(table);
      for (const change of [
        `update ${table} set ${key} = ${key} where ${key} = '${first}'`,
        `delete from ${table} where ${key} = '${first}'`,
      ])
        await expect(from.pool.query(change), change).rejects.toMatchObject({
          // The audit log is never changed.
          code: table === 'audit_log' ? expect.any(String) : 'PTMOV',
        });
    }
    await from.pool.query(`update visitors set name = name where tenant_id = '${second}'`);
    expect(await rowsOf(from.pool, first)).toEqual(before);
    // No file has a secret, of either tenant, in clear or under the key of the installation.
    const files = manifest.files.map(file => readFileSync(path.join(folder, file.path)));
    const texts = files.map((bytes, i) =>
      (manifest.files[i]!.path.endsWith('.copy.gz') ? gunzipSync(bytes) : bytes).toString(),
    );
    for (const { table, column } of encryptedColumns)
      expect(texts.filter(it => it.includes(`${table}.${column} of`))).toEqual([]);
    expect(texts.filter(it => it.includes(second))).toEqual([]);
    const words = texts.flatMap(it => it.match(/[\w+/=]{38,}/g) ?? []);
    expect(words.length).toBeGreaterThan(20);
    expect(words.filter(word => from.secrets.read(word) !== undefined)).toEqual([]);
  });

  test('is whole in a backup that is made while it is frozen', async () => {
    const { from } = await exported();
    const drain = async (_: string, content: AsyncIterable<Buffer>) => {
      for await (const chunk of content) void chunk;
    };
    const dump = await dumpDatabase(from.environment['DATABASE_URL']!, drain);
    const counts = await Promise.all(
      dump.tables.map(async ({ name }) => [
        name,
        (await from.pool.query<{ n: number }>(`select count(*)::int as n from ${name}`)).rows[0]!.n,
      ]),
    );
    expect(dump.tables.map(it => [it.name, it.rows])).toEqual(counts);
  });

  test('with a byte that changed is refused, and leaves nothing behind', async () => {
    const { root, to } = await exported();
    const target = await everything(to.pool);
    const place = await installation(to);
    for (const [name, words] of [
      ['tables/devices.copy.gz', 'tables/devices.copy.gz is not as it was exported'],
      ['files/logs/' + first + '/chain.jsonl', 'chain.jsonl is not as it was exported'],
      ['manifest.json', 'The passphrase is wrong, or manifest.json was changed'],
    ] as const) {
      const folder = path.join(root, 'changed');
      rmSync(folder, { recursive: true, force: true });
      cpSync(path.join(root, 'export'), folder, { recursive: true });
      const file = path.join(folder, name);
      if (name === 'manifest.json') writeFileSync(file, readFileSync(file, 'utf8').replace('"rows": 1', '"rows": 2'));
      else appendFileSync(file, 'x');
      await expect(
        importTenant(place, { folder, passphrase }, () => undefined),
        name,
      ).rejects.toThrow(words);
    }
    const wrong = { folder: path.join(root, 'export'), passphrase: 'another passphrase' };
    await expect(importTenant(place, wrong, () => undefined)).rejects.toThrow('The passphrase is wrong');
    expect(await everything(to.pool)).toBe(target);
    expect(existsSync(path.join(to.folder, 'logs'))).toBe(false);
  });

  test('cannot bring a row of another tenant, not even from one who knows the passphrase', async () => {
    const { root, to } = await exported();
    const target = await everything(to.pool);
    const folder = path.join(root, 'changed');
    for (const table of ['session_days', 'roles']) {
      rmSync(folder, { recursive: true, force: true });
      cpSync(path.join(root, 'export'), folder, { recursive: true });
      const { manifest, secrets } = await readPackage(folder, passphrase);
      const file = path.join(folder, 'tables', `${table}.copy.gz`);
      const text = gunzipSync(readFileSync(file)).toString().replaceAll(first, third);
      writeFileSync(file, gzipSync(text));
      const sha256 = createHash('sha256').update(text).digest('hex');
      const tables = manifest.database.tables.map(it => (it.name === table ? { ...it, sha256 } : it));
      await writeManifest(folder, { ...manifest, database: { ...manifest.database, tables } }, secrets);
      await expect(importTenant(await installation(to), { folder, passphrase }, () => undefined)).rejects.toThrow(
        `The file of the table ${table} has a row of another tenant`,
      );
    }
    expect(await everything(to.pool)).toBe(target);
  });

  test('is imported by one process at a time: a second one is refused, and removes nothing', async () => {
    const { root, to } = await exported();
    const target = await everything(to.pool);
    const place = await installation(to);
    const into = { folder: path.join(root, 'export'), passphrase };
    const add = () => importTenant(place, into, () => undefined);
    // The first one waits before its last table.
    const client = await to.pool.connect();
    await client.query('begin; lock table vouchers in access exclusive mode');
    const running = add();
    await expect.poll(async () => (await to.pool.query(waitsToLoad)).rows).toEqual([{ n: 1 }]);
    await expect(add()).rejects.toThrow('Another process imports or removes the tenant acme now');
    await expect(undoImport(place, 'acme')).rejects.toThrow('Another process imports or removes the tenant acme now');
    await client.query('rollback');
    await running;
    expect(readFileSync(path.join(to.folder, 'uploads', first, 'logo.webp'), 'utf8')).toBe('a picture');
    expect((await rowsOf(to.pool, first)).get('tenants')).toHaveLength(1);
    // It is removed table by table, and nothing is added meanwhile: the removal waits for this lock before its first delete.
    await client.query('begin; lock table vouchers in access share mode');
    const removing = undoImport(place, 'acme');
    const change = () => to.pool.query(`update visitors set name = name where tenant_id = '${first}'`);
    await expect.poll(() => change().catch(error => error.code)).toBe('PTMOV');
    expect((await rowsOf(to.pool, first)).get('visitors')).toHaveLength(1);
    await client.query('rollback');
    client.release();
    await removing;
    expect(await everything(to.pool)).toBe(target);
    expect((await to.pool.query(`select from pg_trigger where tgname like 'moving%'`)).rowCount).toBe(0);
    expect(existsSync(path.join(to.folder, 'uploads', first))).toBe(false);
  });

  test('whose import or removal loses its lock in the middle is left to the next one, and nothing is lost or doubled', async () => {
    const { root, from, to } = await exported();
    const target = await everything(to.pool);
    const place = await installation(to);
    const into = { folder: path.join(root, 'export'), passphrase };
    const add = () => importTenant(place, into, () => undefined);
    const endLock = async () => {
      const ended = await to.pool.query(
        `select pg_terminate_backend(pid, 60000) from pg_stat_activity where application_name = 'portico import of ${first} lock' and datname = current_database()`,
      );
      expect(ended.rowCount).toBe(1);
    };
    const lost = 'was lost while the tenant acme was imported or removed: repeat that';
    const client = await to.pool.connect();
    await client.query('begin; lock table vouchers in access exclusive mode');
    const interrupted = expect(add()).rejects.toThrow(lost);
    await expect.poll(async () => (await to.pool.query(waitsToLoad)).rows).toEqual([{ n: 1 }]);
    await endLock();
    // The next one has begun before the first one has ended in the database.
    const next = add();
    await interrupted;
    const waits = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    await expect.poll(async () => (await to.pool.query(waits)).rowCount).toBe(2);
    await client.query('rollback');
    await next;
    expect(inClear(await rowsOf(to.pool, first), to)).toEqual(inClear(await rowsOf(from.pool, first), from));
    expect(readFileSync(path.join(to.folder, 'uploads', first, 'logo.webp'), 'utf8')).toBe('a picture');
    expect(readFileSync(path.join(to.folder, 'logs', first, first, 'raw/0'), 'utf8')).toBe('the open day\n');

    // The removal waits for this lock before its first delete.
    await client.query('begin; lock table vouchers in access share mode');
    const removal = expect(undoImport(place, 'acme')).rejects.toThrow(lost);
    const change = () => to.pool.query(`update visitors set name = name where tenant_id = '${first}'`);
    await expect.poll(() => change().catch(error => error.code)).toBe('PTMOV');
    await endLock();
    await client.query('rollback');
    client.release();
    await removal;
    expect(readFileSync(path.join(to.folder, 'uploads', first, 'logo.webp'), 'utf8')).toBe('a picture');
    await undoImport(place, 'acme');
    expect(await everything(to.pool)).toBe(target);
    expect(existsSync(path.join(to.folder, 'uploads', first))).toBe(false);
  });

  test('of another version is refused in one line, and so is an installation of another version', async () => {
    const { root, to, cli, moveArgs } = await exported();
    const target = await everything(to.pool);
    const folder = path.join(root, 'changed');
    rmSync(folder, { recursive: true, force: true });
    cpSync(path.join(root, 'export'), folder, { recursive: true });
    const { manifest, secrets } = await readPackage(folder, passphrase);
    const database = { ...manifest.database, migrations: [...manifest.database.migrations, '9999-later'] };
    await writeManifest(folder, { ...manifest, database }, secrets);
    const file = path.join(root, 'passphrase');
    writeFileSync(file, passphrase);
    const ran = await cli(['tenant', 'import', '--from', folder, '--passphrase-file', file], to);
    expect(ran).toEqual({
      ...{ code: 1, out: '' },
      error: 'The export has another version of Portico: bring both installations to the same one\n',
    });
    await to.pool.query(`insert into migrations (name) values ('9999-later')`);
    const refused = await cli(moveArgs);
    await to.pool.query(`delete from migrations where name = '9999-later'`);
    expect(refused).toEqual({
      ...{ code: 1, out: '' },
      error: 'The other installation has another version of Portico: bring both installations to the same one\n',
    });
    expect(await everything(to.pool)).toBe(target);
  });

  test('is as before when the move is cancelled', async () => {
    const { from, cli, before } = await exported();
    expect(await cli(['tenant', 'move', '--tenant', 'acme', '--cancel'])).toMatchObject({ code: 0, error: '' });
    expect(await rowsOf(from.pool, first)).toEqual(before);
    await from.pool.query(`update visitors set name = name where tenant_id = '${first}'`);
    const left = `select (select count(*) from pg_trigger where tgname like 'moving%')::int + (select count(*) from pg_policy where polname like 'moving%')::int as n`;
    expect((await from.pool.query(left)).rows).toEqual([{ n: 0 }]);
    expect((await from.pool.query('select from tenant_moves')).rowCount).toBe(0);
  });

  test('arrives whole after the move was killed in each phase, and leaves no trace of others', async () => {
    const { from, to, before, cli, moveArgs } = await stage();
    const settled = await rowsOf(to.pool, third);
    await killAt(/^Frozen/m, moveArgs, from);
    await killAt(/^Exported/m, moveArgs, from);
    await killWhileLoading(moveArgs, from, to);
    expect((await rowsOf(to.pool, first)).get('tenants')).toEqual([]);
    const ran = await cli(moveArgs);
    expect(ran).toMatchObject({ code: 0, error: '' });
    expect(ran.out).toMatch(/^Imported {2}acme: \d+ rows[^]*Moved {5}acme to https:\/\/new\.example$/m);

    const arrived = await rowsOf(to.pool, first);
    expect(inClear(arrived, to)).toEqual(inClear(before, from));
    expect(await rowsOf(from.pool, first)).toEqual(before);
    expect(await rowsOf(to.pool, third)).toEqual(settled);
    for (const table of await tablesOf(to.pool)) {
      const { rows } = await to.pool.query(
        `select count(*)::int as n from ${table} t where t::text like '%${second}%'`,
      );
      expect(rows, table).toEqual([{ n: 0 }]);
    }
    const hash = (text: string) => `\\x${to.secrets.index(text).toString('hex')}`;
    expect(arrived.get('visitors')![0]).toMatchObject({ citizen_id_hash: hash(`visitors.citizen_id of ${first}`) });
    expect(arrived.get('vouchers')![0]).toMatchObject({ code_hash: hash(`voucher:vouchers.code of ${first}`) });
    expect(arrived.get('purchases')![0]).toMatchObject({ code_hash: hash(`receipt:purchases.code of ${first}`) });

    expect(readdirSync(path.join(to.folder, 'logs'))).toEqual([first]);
    expect(readFileSync(path.join(to.folder, 'uploads', first, 'logo.webp'), 'utf8')).toBe('a picture');
    expect(readFileSync(path.join(to.folder, 'logs', first, first, 'raw/0'), 'utf8')).toBe('the open day\n');
    const { app } = await installation(to);
    const lines: string[] = [];
    const check = (sign: typeof to.secrets.sign) =>
      registeredHeads(app).then(heads =>
        verifyLogs({
          dataDir: to.folder,
          sign,
          heads: new Map([...heads].filter(([key]) => key.startsWith(first))),
          print: line => lines.push(line),
        }),
      );
    expect([await check(to.secrets.sign), lines]).toEqual([0, ['1 device: all files are unchanged']]);
    expect(await check(from.secrets.sign)).toBe(1);
  });

  test('is removed where it was when the move is confirmed, and nothing else is', async () => {
    const { root, from, cli } = await moved();
    const others = await rowsOf(from.pool, second);
    expect(await cli(confirmArgs)).toMatchObject({ code: 0, error: '' });
    expect(await cli(confirmArgs)).toMatchObject({ code: 0, error: '' });
    for (const [table, rows] of await rowsOf(from.pool, first)) expect(rows, table).toEqual([]);
    expect(await rowsOf(from.pool, second)).toEqual(others);
    expect(readdirSync(path.join(from.folder, 'logs'))).toEqual([second]);
    const { rows } = await from.pool.query(`select count(*)::int as n from pg_trigger where tgname like 'moving%'`);
    expect(rows).toEqual([{ n: 0 }]);
    const grants = `select has_table_privilege('portico_system', 'audit_log', 'delete') as may`;
    expect((await from.pool.query(grants)).rows).toEqual([{ may: false }]);
    const ran = await cli(['tenant', 'move', '--tenant', 'acme', '--cancel', '--to', path.join(root, 'new.env')]);
    expect([ran.code, ran.error]).toEqual([1, 'The move of acme is confirmed: it can only be moved back\n']);
  });

  test('is still led to where it is when its return fails', async () => {
    const { root, from, to } = await confirmed();
    const noted = async () =>
      (
        await from.pool.query(
          `select move_id, slug, hosts, direction, state, panel_url, captive_url, array(select r.nas_identifier || r.id from moved_routers r) as routers from tenant_moves`,
        )
      ).rows;
    const left = await noted();
    expect(left).toMatchObject([{ state: 'left', panel_url: 'https://new.example', routers: [expect.any(String)] }]);
    const folder = path.join(root, 'back');
    await exportTenant(await installation(to), { slug: 'acme', folder, passphrase }, () => undefined);
    const { manifest, secrets } = await readPackage(folder, passphrase);
    const file = path.join(folder, 'tables/roles.copy.gz');
    const text = gunzipSync(readFileSync(file)).toString().replaceAll(first, third);
    writeFileSync(file, gzipSync(text));
    const sha256 = createHash('sha256').update(text).digest('hex');
    const tables = manifest.database.tables.map(it => (it.name === 'roles' ? { ...it, sha256 } : it));
    await writeManifest(folder, { ...manifest, database: { ...manifest.database, tables } }, secrets);
    const place = await installation(from);
    const fails = () =>
      expect(importTenant(place, { folder, passphrase }, () => undefined)).rejects.toThrow(
        'has a row of another tenant',
      );
    await fails();
    expect(await noted()).toEqual(left);
    // An import that was killed leaves this. It is repeated, and fails.
    const { moveId } = manifest;
    await place.app.db.withSystem(tx => beginArriving(tx, { tenant: first, moveId, slug: 'acme' }));
    await fails();
    expect(await noted()).toEqual([{ ...left[0], move_id: moveId }]);
  });

  test('is still led to where it is after its return was killed, and after its import is undone', async () => {
    const { from, to, cli, backArgs } = await confirmed();
    const { app } = await installation(from);
    const leads = async () => [
      await createPortalFinder(app)({ nas: 'abcdefgh' }),
      (await app.db.withSystem(tx => findLeavingTenant(tx, { id: null, slug: 'acme', host: null })))?.panelUrl,
    ];
    const there = ['https://guests.new.example', 'https://new.example'];
    expect(await leads()).toEqual(there);
    await killWhileLoading(backArgs, to, from);
    expect(await leads()).toEqual(there);
    const early = await cli(confirmArgs);
    expect([early.code, early.error]).toEqual([1, 'The tenant acme has not moved yet: there is nothing to confirm\n']);
    expect(await cli(['tenant', 'import', '--undo', 'acme'])).toMatchObject({ code: 0, error: '' });
    expect(await leads()).toEqual(there);
    expect(existsSync(path.join(from.folder, 'logs', first))).toBe(false);
  });

  test('moves back to where it came from', async () => {
    const { root, from, to, before, cli, backArgs } = await confirmed();
    expect(await cli(backArgs, to)).toMatchObject({ code: 0, error: '' });
    expect(inClear(await rowsOf(from.pool, first), from)).toEqual(inClear(before, from));
    // With the same keys, however often it moves.
    const { rows: kept } = await from.pool.query<{ keys: string }>('select keys from tenant_keys where tenant = $1', [
      first,
    ]);
    expect(kept.map(it => JSON.parse(from.secrets.decrypt(it.keys)))).toEqual([from.secrets.ofTenant(first).keys]);
    const cancel = ['tenant', 'move', '--tenant', 'acme', '--cancel'];
    const alone = await cli(cancel, to);
    expect([alone.code, alone.error]).toEqual([
      1,
      expect.stringMatching(/^The other installation serves acme already: [^\n]+\n$/),
    ]);
    expect(await cli([...cancel, '--to', path.join(root, 'old.env')], to)).toMatchObject({
      code: 0,
      error: '',
    });
    expect((await rowsOf(from.pool, first)).get('tenants')).toEqual([]);
    expect((await rowsOf(to.pool, first)).get('tenants')).toHaveLength(1);
    // It is again where it went before.
    const { rows } = await from.pool.query(
      `select m.direction, m.state, m.panel_url, r.nas_identifier from tenant_moves m join moved_routers r using (tenant)`,
    );
    const noted = { direction: 'out', state: 'left', panel_url: 'https://new.example', nas_identifier: 'abcdefgh' };
    expect(rows).toEqual([noted]);
  });
});
