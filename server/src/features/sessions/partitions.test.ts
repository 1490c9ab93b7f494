import { beforeAll, expect, test, vi } from 'vitest';
import { newId } from '#lib/ids.ts';
import { freshDatabase } from '#test/database.ts';
import { startApi, type TestApi } from '#test/harness.ts';
import { sessionJobs } from './sessions.jobs.ts';

let api: TestApi;
beforeAll(async () => {
  // An address without a host is no setting.
  api = await startApi({ DATABASE_URL: (await freshDatabase()).url.replace('@/', '@localhost/') });
});

const months = async (): Promise<string[]> => {
  const { rows } = await api.app.db.pool.query(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'session_history'::regclass order by 1`,
  );
  return rows.map(row => row.name);
};
const month = (ago: number) => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, 15)).toISOString();
};
const partition = (ago: number) => `session_history_${month(ago).slice(0, 7).replace('-', '_')}`;
const run = (name: string, app = api.app) => sessionJobs.find(job => job.name === name)!.run(app);
const forget = (days = 730) =>
  run('forget old sessions', { ...api.app, settings: { ...api.app.settings, LOG_RETENTION_DAYS: days } });

async function addSession(ago: number): Promise<void> {
  const tenant = await api.tenantId('panel');
  await api.app.db.pool.query(
    `insert into session_history (tenant_id, id, accounting_id, location_id, device_id, user_name, acct_session_id, started_at, ended_at,
      seconds, upload, download, interim, reopened, day, close_reason)
    select $1, $2, '\\x01', $2, $2, '', 's', $3::timestamptz, $3::timestamptz + interval '1 minute', 60, 0, 0, 0, false, $3::date, 'stop'`,
    [tenant, newId(), month(ago)],
  );
}

test('the partition of a month is dropped when its last session is deleted', async () => {
  const { pool } = api.app.db;
  await pool.query('select ensure_partitions(3, 6)');
  const usual = Array.from({ length: 5 }, (_, i) => partition(1 - i));
  expect(await months()).toEqual(expect.arrayContaining([partition(6), partition(2), ...usual]));
  await addSession(4);
  await forget();
  const left = await months();
  expect(left).toEqual(expect.arrayContaining([partition(4), ...usual, 'session_history_other']));
  for (const ago of [6, 5, 3, 2]) expect(left).not.toContain(partition(ago));

  await forget(60);
  expect(await months()).toEqual([...usual].sort().concat('session_history_other'));
  await forget();
  expect(await months()).toHaveLength(6);
});

test('sessions from before their month had a partition move into it', async () => {
  const { pool } = api.app.db;
  const later = -7;
  await addSession(later);
  const where = async () =>
    (
      await pool.query('select tableoid::regclass::text as part from session_history where started_at = $1', [
        month(later),
      ])
    ).rows;
  expect(await where()).toEqual([{ part: 'session_history_other' }]);
  await pool.query('select ensure_partitions(7)');
  expect(await where()).toEqual([{ part: partition(later) }]);
  await pool.query('delete from session_history');
  await pool.query(`drop table ${[7, 6, 5, 4].map(it => partition(-it)).join()}`);
});

test('the indexes of a month are rebuilt once after its end, a month a run', async () => {
  const { pool } = api.app.db;
  await pool.query('select ensure_partitions(3, 3)');
  const fill = (ago: number) =>
    pool.query(
      `insert into session_history (tenant_id, id, accounting_id, location_id, device_id, user_name, acct_session_id, client_mac, client_ip,
         started_at, ended_at, seconds, upload, download, interim, reopened, day, close_reason)
       select t.id, new_id(), int8send(g), t.id, md5((g % 20)::text)::uuid, '', 's', '02:00:00:00:00:01', '10.0.0.1', $1::timestamptz + g * interval '1 second',
         $1::timestamptz + g * interval '1 second', 0, 0, 0, 0, false, $1::date, 'stop'
       from (select id from tenants limit 1) t, generate_series(1, 4000) g`,
      [month(ago)],
    );
  await Promise.all([2, 3].map(fill));
  // An interrupted run leaves such an index.
  const broken = pool.query(`create unique index concurrently left_ccnew on ${partition(3)} (device_id)`);
  await expect(broken).rejects.toThrow('could not create unique index');
  const indexes = async (ago: number) => {
    const { rows } = await pool.query<{ pages: number; usable: boolean; device: number }>(
      `select sum(pg_relation_size(indexrelid) / 8192)::int as pages, bool_and(indisvalid) as usable,
         max(pg_relation_size(indexrelid) / 8192) filter (where indexrelid::regclass::text like '%device_id_started%')::int as device
       from pg_index where indrelid = $1::regclass`,
      [partition(ago)],
    );
    return rows[0]!;
  };
  const before = { two: await indexes(2), three: await indexes(3) };
  expect(before.three.usable).toBe(false);

  // Another command holds the last index of a month. The other indexes of the month, and the next month, do not wait for it.
  const files = async (ago: number) => {
    const { rows } = await pool.query<{ name: string; file: number }>(
      `select c.relname as name, c.relfilenode::int as file from pg_index i join pg_class c on c.oid = i.indexrelid
       where i.indrelid = $1::regclass and i.indisvalid order by 1`,
      [partition(ago)],
    );
    return rows;
  };
  const first = await files(3);
  const held = first.at(-1)!;
  const holder = await pool.connect();
  await holder.query(`begin; alter index ${held.name} set (fillfactor = 100)`);
  await expect(run('rebuild indexes of finished months')).rejects.toThrow('lock timeout');
  await holder.query('rollback');
  holder.release();
  const second = await files(3);
  expect(second.filter(it => first.some(({ file }) => file === it.file))).toEqual([held]);
  expect((await indexes(2)).device).toBeLessThan(before.two.device * 0.7);

  await run('rebuild indexes of finished months');
  expect((await files(3)).filter(it => !second.some(({ file }) => file === it.file)).map(it => it.name)).toEqual([
    held.name,
  ]);
  const three = await indexes(3);
  expect(three.usable).toBe(true);
  expect(three.device).toBeLessThan(before.three.device * 0.7);
  expect((await indexes(2)).device).toBe(three.device);

  // It rebuilds neither these indexes again nor those of the month that is under way.
  const now = await indexes(0);
  await run('rebuild indexes of finished months');
  expect([await indexes(3), await indexes(0)]).toEqual([three, now]);
  await pool.query('delete from session_history');
});

test('a month is neither dropped nor waited for while indexes are rebuilt', async () => {
  const { pool } = api.app.db;
  await pool.query('select ensure_partitions(3, 5)');
  const waits = async (query: string) => {
    const { rows } = await pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like $1`,
      [`%${query}%`],
    );
    return rows.length > 0;
  };
  // A reader of another table: the new index waits for it.
  const reader = await pool.connect();
  await reader.query('begin isolation level repeatable read; select from tenants');
  const rebuilt = run('rebuild indexes of finished months');
  await vi.waitUntil(() => waits('reindex index concurrently'), { timeout: 120_000 });
  let isForgotten = false;
  const forgotten = forget().finally(() => {
    isForgotten = true;
  });
  await vi.waitUntil(async () => isForgotten || (await waits('drop_empty_partitions')), { timeout: 120_000 });
  await reader.query('rollback');
  reader.release();
  await Promise.all([rebuilt, forgotten]);
  expect(await months()).toContain(partition(5));
  await forget();
  expect(await months()).not.toContain(partition(5));
});
