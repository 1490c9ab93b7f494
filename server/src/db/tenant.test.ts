import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { newId } from '#lib/ids.ts';
import { startApp } from '#test/harness.ts';
import type { Tx } from './tenant.ts';

const { db } = await startApp();
const mine = newId();
const other = newId();
await db.withSystem(async tx => {
  for (const id of [mine, other])
    await tx.run(
      sql`insert into tenants (id, slug, brand_name, brand_long_name) values (${id}, ${`t${id.slice(-8)}`}, 'T', 'T')`,
    );
});
const seen = (tx: Tx) => tx.many<{ id: string }>(sql`select id from tenants order by id`);

test('a single round trip sees one tenant, and leaves the connection as it was', async () => {
  const both = await db.readTenant(mine, tx =>
    Promise.all([seen(tx), tx.one<{ id: string }>(sql`select current_tenant() as id`)]),
  );
  expect(both).toEqual([[{ id: mine }], { id: mine }]);
  expect(await Promise.all([db.readTenant(other, seen), db.withTenant(mine, seen)])).toEqual([
    [{ id: other }],
    [{ id: mine }],
  ]);
  expect((await db.pool.query('select current_user = session_user as own')).rows).toEqual([{ own: true }]);
});

test('a query that comes after the round trip is refused, as it would see every tenant', async () => {
  const late = db.readTenant(mine, async tx => {
    await seen(tx);
    return seen(tx);
  });
  await expect(late).rejects.toThrow('Sent after the round trip began');
});

test('what fails in a round trip is thrown on, and the connection goes on', async () => {
  await expect(db.readTenant(mine, tx => tx.many(sql`select 1 / 0`))).rejects.toMatchObject({ code: '22012' });
  await expect(
    db.readTenant(mine, () => {
      throw new Error('at once');
    }),
  ).rejects.toThrow('at once');
  await expect(db.readTenant("' or true --", seen)).rejects.toThrow('UUID');
  expect(await Promise.all(Array.from({ length: 30 }, () => db.readTenant(mine, seen)))).toEqual(
    Array.from({ length: 30 }, () => [{ id: mine }]),
  );
});
