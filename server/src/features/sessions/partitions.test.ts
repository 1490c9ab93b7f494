import { beforeAll, expect, test } from 'vitest';
import { newId } from '#lib/ids.ts';
import { startApi, type TestApi } from '#test/harness.ts';
import { sessionJobs } from './sessions.jobs.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
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
const forget = (days = 730) =>
  sessionJobs
    .find(job => job.name === 'forget old sessions')!
    .run({ ...api.app, settings: { ...api.app.settings, LOG_RETENTION_DAYS: days } });

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
