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

test('a read sees one tenant and leaves the connection unchanged', async () => {
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

test('queries made after waiting see the same tenant; queries made after the end are refused', async () => {
  const leaked: Tx[] = [];
  const both = await db.readTenant(mine, async tx => {
    leaked.push(tx);
    return [await seen(tx), ...(await Promise.all([seen(tx), seen(tx)]))];
  });
  expect(both).toEqual([[{ id: mine }], [{ id: mine }], [{ id: mine }]]);
  await expect(seen(leaked[0]!)).rejects.toThrow('after the end of its transaction');
});

test('an error in a read is thrown, and the pool stays usable', async () => {
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

test('a statement that failed, and those behind it in its batch, can be run again', async () => {
  const divide = (by: number) => sql`select 6 / ${by}::int as n`;
  const behind = sql`select 'behind' as word`;
  const both = (by: number) => db.readTenant(mine, tx => Promise.all([tx.one(divide(by)), tx.one(behind)]));
  for (let i = 0; i < 2; i++) {
    await expect(both(0)).rejects.toMatchObject({ code: '22012' });
    expect(await db.readTenant(mine, tx => tx.one(behind))).toEqual({ word: 'behind' });
    expect(await both(3)).toEqual([{ n: 2 }, { word: 'behind' }]);
    expect(await db.withTenant(mine, tx => Promise.all([tx.one(divide(2)), tx.one(behind)]))).toEqual([
      { n: 3 },
      { word: 'behind' },
    ]);
  }
});

test('a batch may repeat a statement, and its values have the same types as in any transaction', async () => {
  const all = sql`select 1::bigint as big, 1.5::numeric as part, true as yes, null::text as nothing, '{a,"b c"}'::text[] as list,
    '{"a":[1]}'::jsonb as json, now() = now() as same, ${['x', 'y']}::text[] as given, ${new Date(0)}::timestamptz as at`;
  const [once, twice] = await db.readTenant(mine, tx => Promise.all([tx.one(all), tx.one(all)]));
  expect(once).toEqual(await db.withTenant(mine, tx => tx.one(all)));
  expect(twice).toEqual(once);
  expect(await db.readTenant(mine, tx => tx.run(sql`select generate_series(1, 7)`))).toBe(7);
});

test('statements without values share a batch, also when no more statements are named', async () => {
  for (let i = 0; i < 510; i++) await db.readTenant(mine, tx => tx.one(sql([`select ${i} as n`])));
  const both = await db.readTenant(mine, tx =>
    Promise.all([tx.one(sql`select 'first' as word`), tx.one(sql`select 'second' as word`)]),
  );
  expect(both).toEqual([{ word: 'first' }, { word: 'second' }]);
});

test('columns with a dot make an object, which is null when its first column is', async () => {
  const rows = sql`
    select g as "a.id", 'x' as "a.name", 1 as own, nullif(g, 1) as "b.id", null as "b.name", now() as at, array[t] as list
    from unnest(array['u', 'v']) with ordinality u(t, g) order by g`;
  const expected = [
    { a: { id: 1, name: 'x' }, own: 1, b: null, at: expect.stringMatching(/^\d{4}-.*T.*Z$/), list: ['u'] },
    { a: { id: 2, name: 'x' }, own: 1, b: { id: 2, name: null }, at: expect.any(String), list: ['v'] },
  ];
  expect(await db.readTenant(mine, tx => tx.nested(rows))).toEqual(expected);
  expect(await db.withTenant(mine, tx => tx.nested(rows))).toEqual(expected);
  expect(await db.readTenant(mine, tx => tx.nested(sql`select 1 as a where false`))).toEqual([]);
});

test('times leave the database as ISO 8601 in UTC', async () => {
  const times = sql`
    select timestamptz '2026-11-20 20:13:22.5+03' as a, timestamptz '12026-01-01 00:00:00+00' as b, timestamptz '0044-03-15 BC' as c`;
  expect(await db.readTenant(mine, tx => tx.one(times))).toEqual({
    a: '2026-11-20T17:13:22.5Z',
    b: '12026-01-01T00:00:00Z',
    c: '0044-03-15T00:00:00+00 BC',
  });
});

test('a trip of the system sees all tenants, is one transaction and leaves the connection unchanged', async () => {
  const all = await db.systemTrip(seen);
  expect(all.map(it => it.id)).toEqual(expect.arrayContaining([mine, other]));
  const rename = (tx: Tx, id: string, name: string) =>
    tx.run(sql`update tenants set brand_name = ${name} where id = ${id}`);
  const names = async () =>
    (await db.systemTrip(tx => tx.many<{ brand_name: string }>(sql`select brand_name from tenants order by id`))).map(
      it => it.brand_name,
    );
  const before = await names();
  await expect(
    db.systemTrip(tx => Promise.all([rename(tx, mine, 'Gone'), tx.many(sql`select 1 / 0`), rename(tx, other, 'Gone')])),
  ).rejects.toMatchObject({ code: '22012' });
  expect(await names()).toEqual(before);
  const changed = await db.systemTrip(tx => Promise.all([rename(tx, mine, 'One'), rename(tx, other, 'Two')]));
  expect(changed).toEqual([1, 1]);
  expect(await names()).toEqual(expect.arrayContaining(['One', 'Two']));
  expect((await db.pool.query('select current_user = session_user as own')).rows).toEqual([{ own: true }]);
});

test('what a trip wrote is not reported before its commit, which may fail', async () => {
  await db.pool.query('create table late (id int primary key deferrable initially deferred)');
  await db.pool.query('grant all on late to portico_system');
  const twice = db.systemTrip(tx => tx.run(sql`insert into late select 1 from generate_series(1, 2)`));
  await expect(twice).rejects.toMatchObject({ code: '23505' });
  expect((await db.pool.query('select id from late')).rows).toEqual([]);
});
