import { api as contract } from '@portico/contract/api.ts';
import { endpoints } from '@portico/contract/endpoint.ts';
import pg from 'pg';
import sql from 'sql-template-tag';
import { afterAll, expect, inject, test } from 'vitest';
import { copyCsv } from '#db/copy.ts';
import { migrate } from '#db/migrate.ts';
import { createPool } from '#db/pool.ts';
import { createReplica, type WhyPrimary } from '#db/replica.ts';
import { registry } from '#lib/metrics.ts';
import { startApi } from '#test/harness.ts';
import { startPair } from '#test/standby.ts';
import { openApp } from './open-app.ts';

/** A real standby: what it answers, and what the primary answers instead. */

const slowly = { timeout: 120_000, interval: 100 };
const pair = await startPair();
const closes: (() => unknown)[] = [pair.stop];
// Registered before those of the app, so that it runs after them.
afterAll(async () => {
  for (const close of closes.reverse()) await close();
});

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  closes.push(() => client.end().catch(() => undefined));
  return client;
}

const setup = createPool(pair.primary, { max: 1, onError: () => undefined });
await migrate(setup);
await setup.end();
const api = await startApi({ DATABASE_URL: pair.primary, DATABASE_READ_URL: pair.standby });
const { token } = await api.user('tenant-admin');
const tenant = await api.tenantId('panel');
const [primary, standby] = [await connect(pair.primary), await connect(pair.standby)];
// More locations than any test makes, so that a count is known not to be that of another database.
for (let n = 0; n < 31; n++) await api.location(token, `Önce ${n}`);

/** How many reads each server answered since `before`, and why the primary did. */
async function reads(): Promise<Record<WhyPrimary | 'replica', number>> {
  const waits = (await registry.getSingleMetric('portico_replica_wait_seconds')!.get()).values as {
    metricName?: string;
    value: number;
  }[];
  const found = { replica: waits.find(it => it.metricName?.endsWith('_count'))?.value ?? 0 } as Record<string, number>;
  for (const { labels, value } of (await registry.getSingleMetric('portico_replica_fallbacks_total')!.get()).values)
    found[String(labels['reason'])] = value;
  return { away: 0, other: 0, behind: 0, cancelled: 0, writes: 0, replica: 0, ...found };
}

async function during(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await reads();
  await work();
  const after = await reads();
  const changed = Object.entries(after).map(([name, count]) => [name, count - before[name as WhyPrimary]] as const);
  return Object.fromEntries(changed.filter(([, count]) => count > 0));
}

const names = async (): Promise<string[]> =>
  (await api.get('panel/location?per_page=100', { token })).body.data.map((it: { name: string }) => it.name);
const answeredByReplica = () => expect.poll(() => during(names), slowly).toEqual({ replica: 1 });

test('the replica answers what only reads', async () => {
  const location_id = await api.location(token, 'Otel');
  for (let i = 0; i < 5; i++)
    await api.post('panel/client', {
      token,
      body: { location_id, name: `A${i}`, provider_type: 'username', username: `u${i}`, password: 'gizli 1' },
    });
  const asked = [...endpoints(contract)].filter(
    ([, it]) => it.method === 'GET' && it.access !== 'public' && it.reply !== 'events' && !it.path.includes(':'),
  );
  await answeredByReplica();
  const statuses: number[] = [];
  let seen: Record<string, number> = {};
  const askAll = async () => {
    seen = await during(async () => {
      for (const [, it] of asked) statuses.push((await api.get(it.path, { token })).status);
    });
    return Object.keys(seen);
  };
  // On a busy machine the replica may fall behind meanwhile.
  await expect.poll(askAll, slowly).toEqual(['replica']);
  expect(statuses.filter(status => status >= 500)).toEqual([]);
  expect(seen['replica']).toBeGreaterThan(20);
  const file = await during(async () => {
    const { status, text } = await api.get('panel/reports/sessions?download=true', { token });
    expect({ status, lines: text.trim().split('\r\n').length }).toEqual({ status: 200, lines: 1 });
  });
  expect(file).toEqual({ replica: expect.any(Number) });
});

test('each write is in the list that is read next, while others write', async () => {
  let over = false;
  const busy = (async () => {
    await primary.query('create table if not exists noise (n int)');
    while (!over) await primary.query('insert into noise select generate_series(1, 2000)');
  })();
  const before = (await reads()).replica;
  const seen = await during(async () => {
    // On a busy machine the replica is behind for most of the time.
    for (let i = 0; i < 30 || (i < 90 && (await reads()).replica === before); i++) {
      await api.location(token, `Yeni ${i}`);
      expect(await names()).toContain(`Yeni ${i}`);
    }
  });
  over = true;
  await busy;
  expect(seen['replica'] ?? 0).toBeGreaterThan(0);
  expect(Object.keys(seen).filter(name => !['replica', 'behind'].includes(name))).toEqual([]);
});

test('a replica that lags is waited for briefly; then the primary answers, and checks of the caller never wait', async () => {
  await answeredByReplica();
  const revoked = (await api.user('tenant-admin')).token;
  await standby.query('select pg_wal_replay_pause()');
  try {
    const seen = await during(async () => {
      await api.location(token, 'Geride');
      expect(await names()).toContain('Geride');
      expect(await names()).toContain('Geride');
      const { status } = await api.get('panel/statistics/overview', { token });
      expect(status).toBe(200);
    });
    expect(seen['replica']).toBeUndefined();
    expect(seen['behind']).toBeGreaterThanOrEqual(2);
    expect((await api.post('user/logout', { token: revoked })).status).toBeLessThan(300);
    expect((await api.get('panel/location', { token: revoked })).status).toBe(401);
  } finally {
    await standby.query('select pg_wal_replay_resume()');
  }
  await answeredByReplica();
});

test('a transaction that wrote much and goes on keeps no read from the replica', async () => {
  const writer = await connect(pair.primary);
  const write = () => writer.query('insert into noise select generate_series(1, 20007)');
  await writer.query('begin; create table if not exists noise (n int)');
  await write();
  // Soon the log is flushed up to the end of a page, which lies inside a record, and stays so. If the server flushes the whole of
  // it, as it does every 15 seconds, more is written.
  let before: unknown;
  await expect
    .poll(
      async () => {
        const [own] = (await primary.query('select pg_current_wal_flush_lsn() as flushed')).rows;
        const [its] = (
          await standby.query('select pg_last_wal_receive_lsn() as received, pg_last_wal_replay_lsn() as at')
        ).rows;
        const resting = before === own.flushed;
        before = own.flushed;
        const replayed = its.at === own.flushed;
        if (replayed) await write();
        return { resting, received: its.received === own.flushed, replayed };
      },
      { ...slowly, interval: 300 },
    )
    .toEqual({ resting: true, received: true, replayed: false });
  const count = sql`select count(*)::int as n from locations`;
  expect(await during(() => api.app.db.readReplica(tenant, tx => tx.one(count)))).toEqual({ replica: 1 });
  await writer.query('rollback');
});

test('a query that the replica cancels for its recovery is answered by the primary', async () => {
  await answeredByReplica();
  const lock = async () => {
    await expect
      .poll(async () => {
        const { rowCount } = await standby.query(
          `select from pg_stat_activity where state = 'active' and query like '%pg_sleep%' and pid <> pg_backend_pid()`,
        );
        return rowCount;
      }, slowly)
      .toBe(1);
    // The standby replays this lock at once and ends what holds the table.
    await primary.query('begin; lock table locations in access exclusive mode; commit');
  };
  const slow = sql`select count(*)::int as n, pg_sleep(case when pg_is_in_recovery() then 60 else 0 end)::text as s from locations`;
  const read = await during(async () => {
    const [{ n }] = await Promise.all([api.app.db.readReplica(tenant, tx => tx.one<{ n: number }>(slow)), lock()]);
    expect(n).toBeGreaterThan(30);
  });
  expect(read).toEqual({ cancelled: 1 });
  await answeredByReplica();
  const copied = await during(async () => {
    const [rows] = await Promise.all([copyCsv(api.app.db, { tenantId: tenant, timeZone: 'UTC' }, slow), lock()]);
    expect(Buffer.concat(await rows.toArray()).toString()).toMatch(/^\d{2,},/);
  });
  expect(copied).toEqual({ cancelled: 1 });
});

test('errors of the query itself are not hidden, and work that writes is done by the primary', async () => {
  await answeredByReplica();
  await expect(api.app.db.readReplica(tenant, tx => tx.one(sql`select 1 / 0 as n`))).rejects.toThrow(/division/);
  const write = await during(() =>
    api.app.db.readReplica(tenant, tx => tx.run(sql`update locations set name = name where name = 'Geride'`)),
  );
  expect(write).toEqual({ writes: 1 });
});

test('without the replica the primary answers, until it is back', async () => {
  await answeredByReplica();
  await pair.stopStandby();
  const seen = await during(async () => {
    for (let i = 0; i < 10; i++) {
      await api.location(token, `Yalnız ${i}`);
      expect(await names()).toContain(`Yalnız ${i}`);
    }
    expect((await api.get('panel/reports/sessions?download=true', { token })).status).toBe(200);
  });
  expect(seen['replica']).toBeUndefined();
  expect(seen['away']).toBeGreaterThanOrEqual(11);
  await pair.startStandby();
  await answeredByReplica();
});

test('another database, or a server that is no standby, is not read, and prevents no start', async () => {
  const onError = () => undefined;
  const why = async (url: string) => {
    const [own, pool] = [pair.primary, url].map(it => createPool(it, { max: 2, onError }));
    try {
      return await createReplica(own!, pool!, { answered: onError, fellBack: onError, lost: onError }).check();
    } finally {
      await Promise.all([own!.end(), pool!.end()]);
    }
  };
  expect(await why(inject('postgres'))).toBe('other');
  expect(await why(pair.primary)).toBe('other');
  expect(await why(pair.standby)).toBeUndefined();
  expect(await why('postgresql://postgres@127.0.0.1:1/postgres')).toBe('away');
  const DATABASE_READ_URL = inject('postgres').replace('@/', '@localhost/');
  const app = await openApp({ ...api.app.settings, SECRET_KEY: 'k'.repeat(32), DATABASE_READ_URL }, pair.primary);
  closes.push(app.stop);
  const seen = await during(async () => {
    const { n } = await app.db.readReplica(tenant, tx =>
      tx.one<{ n: number }>(sql`select count(*)::int as n from locations`),
    );
    expect(n).toBeGreaterThan(30);
  });
  expect(seen).toEqual({ other: 1 });
});
