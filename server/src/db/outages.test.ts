import { Writable } from 'node:stream';
import pg from 'pg';
import sql from 'sql-template-tag';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { refusal } from '#http/refusal.ts';
import { newId } from '#lib/ids.ts';
import { createLog } from '#lib/log.ts';
import { freshDatabase } from '#test/database.ts';
import { startApi } from '#test/harness.ts';
import { isUnavailable } from './errors.ts';
import { createPool } from './pool.ts';
import { createDatabase, type Tx } from './tenant.ts';

const api = await startApi();
const { db } = api.app;
const { token } = await api.user('tenant-admin');
const tenant = newId();

const operator = new pg.Client({ connectionString: db.pool.options.connectionString });
await operator.connect();
afterAll(() => operator.end());

/** Ends every connection of the pool and returns their number. */
async function terminateConnections(): Promise<number> {
  const { rowCount } = await operator.query(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = current_database() and application_name = 'portico'`,
  );
  return rowCount ?? 0;
}

const slowly = { timeout: 120_000 };
const countWaiting = async (event: string): Promise<number> =>
  Number(
    (
      await operator.query(
        `select count(*) from pg_stat_activity where datname = current_database() and $1 in (wait_event, wait_event_type)`,
        [event],
      )
    ).rows[0].count,
  );

const caught = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => expect.fail('It succeeded'),
    (error: unknown) => error,
  );
const sleepLong = (tx: Tx) => tx.run(sql`select pg_sleep(30)`);

describe('a database connection that is lost', () => {
  test.each(['withTenant', 'readTenant'] as const)(
    'in the middle of a statement fails %s, and the next call works',
    async way => {
      const lost = Array.from({ length: 4 }, () => caught(db[way](tenant, sleepLong)));
      await expect.poll(() => countWaiting('PgSleep'), slowly).toBe(4);
      expect(await terminateConnections()).toBeGreaterThanOrEqual(4);
      for (const error of await Promise.all(lost)) expect(isUnavailable(error), String(error)).toBe(true);
      expect(await db[way](tenant, tx => tx.one(sql`select 1 as n`))).toEqual({ n: 1 });
    },
  );

  test('between two statements of a transaction fails the next statement, and the connection is not used again', async () => {
    const error = await caught(
      db.withTenant(tenant, async tx => {
        await tx.one(sql`select 1 as n`);
        await terminateConnections();
        await tx.one(sql`select 2 as n`);
      }),
    );
    expect(isUnavailable(error), String(error)).toBe(true);
    expect(
      await Promise.all(Array.from({ length: 20 }, () => db.withTenant(tenant, tx => tx.one(sql`select 3 as n`)))),
    ).toEqual(Array.from({ length: 20 }, () => ({ n: 3 })));
  });

  test('before the commit fails the transaction, and nothing is stored', async () => {
    const slug = `t${newId().slice(-8)}`;
    const error = await caught(
      db.withSystem(async tx => {
        await tx.run(
          sql`insert into tenants (id, slug, brand_name, brand_long_name) values (${tenant}, ${slug}, 'T', 'T')`,
        );
        await terminateConnections();
      }),
    );
    expect(isUnavailable(error), String(error)).toBe(true);
    expect(await db.withSystem(tx => tx.many(sql`select 1 from tenants where slug = ${slug}`))).toEqual([]);
  });

  test('while it is checked out and idle is reported, and the pool does not use it again', async () => {
    const client = await db.pool.connect();
    const lost = vi.fn();
    client.on('error', lost);
    try {
      await terminateConnections();
      await expect.poll(() => lost.mock.calls.length, slowly).toBeGreaterThan(0);
    } finally {
      client.release();
    }
    expect((await db.pool.query('select 4 as n')).rows).toEqual([{ n: 4 }]);
  });

  test('while idle in the pool does not affect the next callers', async () => {
    await Promise.all(Array.from({ length: 5 }, () => db.pool.query('select 1')));
    await terminateConnections();
    await expect.poll(() => db.pool.totalCount, slowly).toBe(0);
    expect((await api.get('panel/location', { token })).status).toBe(200);
  });

  test('answers the waiting API calls 503 with Retry-After, and the next ones 200', async () => {
    const blocker = new pg.Client({ connectionString: db.pool.options.connectionString });
    await blocker.connect();
    await blocker.query('begin; lock table locations in access exclusive mode');
    const calls = [
      ...Array.from({ length: 4 }, () => api.get('panel/location', { token })),
      api.post('panel/location', { token, body: { name: 'Otel' } }),
      api.get('panel/device', { token }),
    ];
    await expect.poll(() => countWaiting('Lock'), slowly).toBe(calls.length);
    await terminateConnections();
    for (const answer of await Promise.all(calls)) {
      expect([answer.status, answer.body.code]).toEqual([503, 'away']);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    await blocker.end();
    expect((await api.get('panel/location', { token })).status).toBe(200);
    expect((await api.post('panel/location', { token, body: { name: 'Otel 2' } })).status).toBe(201);
  });
});

test('a reading query that waits longer than its limit is cancelled and answers 503', async () => {
  const limited = createDatabase(db.pool, { readTimeoutMs: 1000 });
  const error = await caught(limited.readTenant(tenant, sleepLong));
  expect(error).toMatchObject({ code: '57014' });
  expect(refusal(error, 'en').status).toBe(503);
  expect(await limited.readTenant(tenant, tx => tx.one(sql`select 1 as n`))).toEqual({ n: 1 });
});

test("a transaction that can't begin fails with the reason of its begin", async () => {
  const { url } = await freshDatabase();
  const login = `visitor_${newId().slice(-8)}`;
  await operator.query(`create role ${login} login`);
  const foreign = createPool(url.replace('postgres@', `${login}@`).replace('user=postgres', `user=${login}`), {
    max: 1,
    onError: () => undefined,
  });
  try {
    const error = await caught(createDatabase(foreign).withTenant(tenant, tx => tx.one(sql`select 1 as n`)));
    expect(error).toMatchObject({ code: '42501', message: 'permission denied to set role "portico_app"' });
  } finally {
    await foreign.end();
    await operator.query(`drop role ${login}`);
  }
});

describe('a refusal', () => {
  const ofDatabase = (code: string) => Object.assign(new Error('quoted by PostgreSQL'), { code });
  test.each([
    ...['08000', '08006', '08P01', '25006', '25P03', '40001', '40P01', '53000', '53100', '53200', '53300', '55P03'],
    ...['57014', '57P01', '57P02', '57P03', '57P05', '58030'],
    ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOTFOUND', 'EAI_AGAIN'],
  ])('of %s is 503 with Retry-After', code => {
    const { status, body, retryAfter } = refusal(ofDatabase(code), 'en');
    expect([status, body.code, retryAfter]).toEqual([503, 'away', 5]);
  });

  test.each([
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout exceeded when trying to connect',
    'Client has encountered a connection error and is not queryable',
    'Client was closed and is not queryable',
    'Query read timeout',
  ])('of "%s" is 503', message => {
    expect(refusal(new Error(message), 'en').status).toBe(503);
  });

  test('of a missing socket is 503, of a missing file 500', () => {
    const missing = (syscall: string) => Object.assign(new Error('ENOENT'), { code: 'ENOENT', syscall });
    expect(refusal(missing('connect'), 'en').status).toBe(503);
    expect(refusal(missing('open'), 'en').status).toBe(500);
    expect(refusal(new AggregateError([ofDatabase('ECONNREFUSED'), ofDatabase('ECONNREFUSED')]), 'en').status).toBe(
      503,
    );
  });

  test.each([
    ['42601', 500],
    ['42501', 500],
    ['22012', 500],
    ['23505', 409],
  ])('of %s stays %i', (code, status) => {
    expect(refusal(ofDatabase(code), 'en').status).toBe(status);
  });
});

describe('/readyz', () => {
  test('is 503 when the database accepts no writes, or its disk is full', async () => {
    const state = async () => {
      const { status, body } = await api.get('/readyz');
      return [status, body.status];
    };
    expect(await state()).toEqual([200, 'ok']);
    const { database } = (await operator.query('select current_database() as database')).rows[0];
    await operator.query(`alter database ${database} set default_transaction_read_only = on`);
    await terminateConnections();
    expect(await state()).toEqual([503, 'read-only']);
    const answer = await api.post('panel/location', { token, body: { name: 'Otel 3' } });
    expect([answer.status, answer.body.code]).toEqual([503, 'away']);
    await operator.query('begin; set transaction read write');
    await operator.query(`alter database ${database} reset default_transaction_read_only; commit`);
    await terminateConnections();
    expect(await state()).toEqual([200, 'ok']);
    const full = caught(
      db.withTenant(tenant, tx => tx.run(sql`do $$ begin raise exception 'full' using errcode = '53100'; end $$`)),
    );
    expect(await full).toMatchObject({ code: '53100' });
    expect(await state()).toEqual([503, 'full']);
  });
});

test('the log reports an outage once per message without a stack, and counts the others', () => {
  const lines: Record<string, unknown>[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const log = createLog('info', stream);
  const lost = () => Object.assign(new Error('terminating connection'), { code: '57P01' });
  for (let i = 0; i < 50; i++) log.error({ err: lost() }, 'job failed');
  log.warn({ err: lost() }, 'a database connection was lost');
  log.error({ err: new Error('a bug') }, 'job failed');
  log.error({ err: new Error('a bug') }, 'job failed');
  vi.advanceTimersByTime(10_001);
  log.error({ err: lost() }, 'job failed');
  expect(lines.map(({ msg, unlogged }) => [msg, unlogged])).toEqual([
    ['job failed', undefined],
    ['a database connection was lost', undefined],
    ['job failed', undefined],
    ['job failed', undefined],
    ['job failed', 49],
  ]);
  expect(lines[0]!['err']).toEqual({ name: 'Error', message: 'terminating connection', code: '57P01' });
  expect((lines[2]!['err'] as { at: unknown[] }).at.length).toBeGreaterThan(0);
});
