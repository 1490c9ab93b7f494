import sql from 'sql-template-tag';
import { beforeEach, describe, expect, test } from 'vitest';
import { startApi } from '#test/harness.ts';
import { recordPast } from '../past.ts';
import { makeScene, type Scene } from '../testing/scene.ts';
import { addBatches, type Batch, dropHere, listArchived, listBatches, watch } from './archive.queries.ts';

/** A month whose sessions were copied is dropped. The copies themselves need a ClickHouse (`archive.test.ts`). */

const { app, tenantId } = await startApi();
const inside = await tenantId('panel');
const { pool } = app.db;
let scene: Scene;
/** Two months without the latest days of either, oldest first. */
const months = [200, 150].map(ago => {
  const at = new Date(Date.now() - ago * 86_400_000);
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 10, 12));
});

beforeEach(async () => {
  await pool.query('select ensure_partitions(1, 9)');
  await pool.query('delete from session_archives; delete from session_history');
  scene = await makeScene(app, inside);
  for (const [n, startedAt] of months.entries()) await visit(`visit-${n}`, startedAt, 60);
});

const visit = (sessionId: string, startedAt: Date, seconds: number) =>
  recordPast(app, scene.tenantId, [
    {
      ...{ deviceId: scene.device.id, username: '', mac: 'A0:00:00:00:00:01', ip: '10.5.50.1', sessionId },
      ...{ startedAt, seconds, upload: 1, download: 1 },
    },
  ]);
const batches = () => app.db.withSystem(tx => listBatches(tx, 'copying'));
/** The older month as it is after its copy. */
async function copied({ watched = true } = {}): Promise<Batch> {
  await app.db.withSystem(tx => addBatches(tx, 3));
  if (watched) await app.db.withSystem(async tx => watch(tx, (await listBatches(tx, 'copying'))[0]!.batch));
  // A copy that begins again has a later number than the others.
  const oldest = (all: readonly Batch[]) => [...all].sort((one, other) => (one.month < other.month ? -1 : 1))[0]!;
  return oldest(await batches());
}
const here = async (): Promise<string[]> =>
  (
    await app.db.withTenant(scene.tenantId, tx =>
      tx.many<{ id: string }>(sql`select acct_session_id as id from session_history order by 1`),
    )
  ).map(it => it.id);
const idOf = (session: string) =>
  app.db.withTenant(scene.tenantId, tx =>
    tx.one<{ tenant_id: string; id: string }>(
      sql`select tenant_id, id from session_history where acct_session_id = ${session}`,
    ),
  );
const drop = (it: Batch, staying: readonly { tenant_id: string; id: string }[] = []) =>
  app.db.withSystem(tx => dropHere(tx, it, staying));

describe('a month that was copied', () => {
  test('is dropped here, and no other one', async () => {
    const month = await copied();
    expect(await drop(month)).toBe(true);
    expect(await here()).toEqual(['visit-1']);
    expect((await app.db.withSystem(listArchived)).map(it => it.batch)).toEqual([month.batch]);
  });

  test('has a number of its own, though another one is moved in the same second', async () => {
    await app.db.withSystem(tx => addBatches(tx, 3));
    const all = await batches();
    expect(all.map(it => it.month.slice(0, 7)).sort()).toEqual(months.map(it => it.toISOString().slice(0, 7)));
    expect(new Set(all.map(it => it.batch)).size).toBe(2);
  });

  test('stays here while its changes are not noted', async () => {
    expect(await drop(await copied({ watched: false }))).toBe(false);
    expect(await here()).toEqual(['visit-0', 'visit-1']);
  });

  test('stays here while anything of it changes after the copy', async () => {
    const month = await copied();
    await pool.query(`update session_history set upload = 2 where acct_session_id = 'visit-0'`);
    expect(await drop(month)).toBe(false);
    expect(await here()).toEqual(['visit-0', 'visit-1']);
  });

  test('leaves the sessions here that ended lately, within the wall of their tenant', async () => {
    await visit('long', months[0]!, Math.floor((Date.now() - months[0]!.getTime()) / 1000) - 86_400);
    const month = await copied();
    expect(await drop(month, [await idOf('long')])).toBe(true);
    expect(await here()).toEqual(['long', 'visit-1']);
    const { rows } = await pool.query(
      `select relname from pg_class where relname like 'session_history%' and relkind in ('r', 'p') and not relforcerowsecurity`,
    );
    expect(rows).toEqual([]);
  });

  test('is not dropped if a session that must stay is not found', async () => {
    const month = await copied();
    await expect(drop(month, [{ tenant_id: scene.tenantId, id: scene.device.id }])).rejects.toThrow(
      'Sessions that stay were not found: 0 of 1',
    );
    expect(await here()).toEqual(['visit-0', 'visit-1']);
  });
});
