import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { copyCsv } from '#db/copy.ts';
import { migrate } from '#db/migrate.ts';
import { createPool } from '#db/pool.ts';
import { requireSessions } from '#db/require-sessions.ts';
import { createDatabase, type Database } from '#db/tenant.ts';
import { createTenant } from '#features/tenants/public.ts';
import { freshDatabase } from '#test/database.ts';
import { noPgbouncer, type Pgbouncer, startPgbouncer } from '#test/pgbouncer.ts';
import { portico } from '#test/portico.ts';
import { freePorts, startProcess } from '#test/process.ts';

/** DATABASE_URL is a real PgBouncer in transaction mode. */

const folder = mkdtempSync(path.join(tmpdir(), 'portico-pooler-'));
const closes: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
afterAll(async () => {
  for (const close of closes.reverse()) await close();
});

const withHost = (url: string): string => url.replace('@/', '@localhost/');

async function caught(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'fine',
    (error: Error) => error.message,
  );
}

async function check(url: string, direct: string): Promise<string> {
  const pool = createPool(url, { max: 2, onError: () => undefined });
  try {
    return await caught(requireSessions(pool, direct));
  } finally {
    await pool.end();
  }
}

describe('without a pooler', () => {
  test('a start accepts PostgreSQL itself, and refuses a direct address of another database', async () => {
    const [one, two] = [await freshDatabase(), await freshDatabase({ empty: true })];
    expect(await check(one.url, one.url)).toBe('fine');
    expect(await check(one.url, two.url)).toBe(
      'DATABASE_DIRECT_URL must be the database of DATABASE_URL without a pooler: a NOTIFY between them is not heard',
    );
  });

  test('a start refuses a database that is not in UTF8, as a server without a locale makes it', async () => {
    const { url } = await freshDatabase({ empty: true });
    const admin = new pg.Client({ connectionString: url });
    await admin.connect();
    const name = `ascii_${randomUUID().slice(0, 8)}`;
    await admin.query(`create database ${name} encoding 'SQL_ASCII' locale 'C' template template0`);
    const ascii = url.replace(admin.database!, name);
    expect(await check(ascii, ascii)).toMatch(/^DATABASE_URL must be a database in UTF8, this one is in SQL_ASCII: /);
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  });

  test('the command line says so in one line and changes nothing', async () => {
    const [one, two] = [await freshDatabase({ empty: true }), await freshDatabase({ empty: true })];
    const environment = {
      ...{ DATABASE_URL: withHost(one.url), DATABASE_DIRECT_URL: withHost(two.url), DATA_DIR: folder },
      SECRET_KEY: 'k'.repeat(32),
    };
    const { code, error } = await portico(['tenant', 'list'], environment);
    expect({ code, lines: error.trim().split('\n').length }).toEqual({ code: 1, lines: 1 });
    expect(error).toMatch(/^DATABASE_DIRECT_URL must be the database of DATABASE_URL/);
    for (const { url } of [one, two]) {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      const { rowCount } = await client.query(`select from pg_class where relname = 'migrations'`);
      await client.end();
      expect(rowCount).toBe(0);
    }
  });
});

if (noPgbouncer) process.stderr.write(`Not tested behind PgBouncer: ${noPgbouncer}\n`);

describe.skipIf(noPgbouncer)('behind PgBouncer', () => {
  let pooler: Pgbouncer;
  beforeAll(async () => {
    // Few connections of the server, so that each is used by many in turn.
    pooler = await startPgbouncer(inject('postgres'), { max_prepared_statements: '600', default_pool_size: '4' });
    closes.push(pooler.stop);
  });

  test('a start is refused without a direct address', async () => {
    const { url } = await freshDatabase();
    const pooled = pooler.urlOf(url);
    expect(await check(pooled, url)).toBe('fine');
    expect(await check(pooled, pooled)).toBe(
      'DATABASE_DIRECT_URL must be set to PostgreSQL itself: DATABASE_URL delivers no NOTIFY, like PgBouncer in transaction mode',
    );
  });

  test('a start is refused where prepared statements are lost', async () => {
    const bare = await startPgbouncer(inject('postgres'), { max_prepared_statements: '0' });
    closes.push(bare.stop);
    const { url } = await freshDatabase();
    expect(await check(bare.urlOf(url), url)).toMatch(
      /^DATABASE_URL must keep prepared statements: use PgBouncer 1\.21/,
    );
  });

  test('transactions, reads, failures, copies and times are right when connections are shared', async () => {
    const { url } = await freshDatabase({ empty: true });
    const direct = new pg.Client({ connectionString: url });
    await direct.connect();
    closes.push(() => direct.end());
    // The server's own zone must not show.
    await direct.query(
      `alter role postgres in database ${new URL(withHost(url)).pathname.slice(1)} set timezone = 'Europe/Istanbul'`,
    );
    const setup = createPool(url, { max: 1, onError: () => undefined });
    await migrate(setup);
    await setup.end();

    // More clients than connections of the server.
    const pools = Array.from({ length: 4 }, () => createPool(pooler.urlOf(url), { max: 5, onError: () => undefined }));
    closes.push(() => Promise.all(pools.map(pool => pool.end())));
    const dbs: Database[] = pools.map(pool => createDatabase(pool));
    const tenants: string[] = [];
    for (const name of ['a', 'b', 'c', 'd']) tenants.push(await dbs[0]!.withSystem(tx => createTenant(tx, name, name)));
    const visible = sql`select current_tenant()::text as tenant, now() as at, current_user::text as role`;
    const work = async (i: number) => {
      const id = tenants[i % 4]!;
      const db = dbs[i % 4]!;
      const way = i % 3 === 0 ? db.withTenant : db.readTenant;
      const [row, again] = await way(id, async tx =>
        Promise.all([
          tx.one<{ tenant: string; at: string; role: string }>(visible),
          tx.one<{ n: number }>(sql`select ${i}::int as n`),
        ]),
      );
      expect(row).toMatchObject({ tenant: id, role: 'portico_app' });
      expect(row.at).toMatch(/Z$/);
      expect(again.n).toBe(i);
      // A failed statement leaves its connection of the server usable for others.
      if (i % 7 === 0)
        expect(await caught(way(id, tx => tx.one(sql`select 1 / (${i}::int - ${i}::int) as n`)))).toMatch(/division/);
    };
    await Promise.all(Array.from({ length: 400 }, (_, i) => work(i)));
    expect(await caught(dbs[0]!.pool.query('select * from tenants'))).toBe('fine');

    const csv = await copyCsv(
      dbs[1]!,
      { tenantId: tenants[1]!, timeZone: 'Asia/Tokyo' },
      sql`select id, ${'ş'} as x from tenants`,
    );
    expect(await csv.toArray().then(chunks => Buffer.concat(chunks).toString())).toBe(`${tenants[1]},ş\n`);
    // No lock, role or setting stayed behind.
    // The server has locks of other test files too.
    const { rows } = await direct.query(`select count(*)::int as n from pg_locks
      where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`);
    expect(rows[0].n).toBe(0);
  });

  test('the whole product runs, hears its changes and starts twice', async () => {
    const { url } = await freshDatabase({ empty: true });
    const settings = {
      ...{ DATABASE_URL: pooler.urlOf(url), DATABASE_DIRECT_URL: withHost(url), DATA_DIR: folder },
      ...{
        SECRET_KEY: 'k'.repeat(32),
        SERVICES: 'api,radius,jobs',
        ADMIN_EMAIL: 'a@b.example',
        ADMIN_PASSWORD: 'secret1secret',
      },
    };
    for (let run = 0; run < 2; run++) {
      const ports = await freePorts();
      const server = await startProcess(folder, { ...settings, ...ports });
      try {
        const at = `http://127.0.0.1:${ports.PORT}/v1`;
        const headers = { 'content-type': 'application/json', 'x-tenant': 'panel' };
        const body = JSON.stringify({ email: 'a@b.example', password: 'secret1secret' });
        const entered = await fetch(`${at}/user/login`, { method: 'POST', headers, body }).then(it => it.json());
        const signed = { ...headers, authorization: `Bearer ${entered.data.token}` };
        const events = await fetch(`${at}/panel/events`, { headers: signed });
        const reader = events.body!.pipeThrough(new TextDecoderStream()).getReader();
        let heard = '';
        const until = (async () => {
          while (!heard.includes('locations')) {
            const { value, done } = await reader.read();
            if (done) break;
            heard += value;
          }
        })();
        const made = await Promise.all(
          Array.from({ length: 12 }, (_, i) =>
            fetch(`${at}/panel/location`, {
              ...{ method: 'POST', headers: signed },
              body: JSON.stringify({ name: `Otel ${run} ${i}` }),
            }).then(it => it.status),
          ),
        );
        expect(made).toEqual(Array.from({ length: 12 }, () => 201));
        await until;
        expect(heard).toContain('locations');
        const pages = await Promise.all(
          Array.from({ length: 30 }, () =>
            fetch(`${at}/panel/location?per_page=100`, { headers: signed }).then(it => it.json()),
          ),
        );
        expect(pages.map(it => it.data.length)).toEqual(pages.map(() => 12 * (run + 1)));
        await reader.cancel();
      } finally {
        await server.stop();
      }
    }
    const { code, out } = await portico(['doctor'], { ...settings, ...(await freePorts()) });
    expect(out).toMatch(/^ok +pooler +NOTIFY, prepared statements and UTC work through DATABASE_URL$/m);
    expect(code).toBe(1);
    const backup = await portico(['backup', '--to', path.join(folder, 'backups')], settings);
    expect(backup).toMatchObject({ code: 0, error: '' });
  });
});
