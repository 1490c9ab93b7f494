import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { newId } from '#lib/ids.ts';
import { startApp } from '#test/harness.ts';

const { db } = await startApp();

test('rows written as JSON say what the same rows say as objects', async () => {
  const rows = sql`
    select t, t || '"\\' || chr(10) || chr(8232) || '😀' as odd, g, g::bigint * 4000000000 as big, g / 4.0 as part, g::float8 / 3 as real, g > 1 as more,
      nullif(g, 2) as some, now() + g * interval '1 second' as at, timestamptz '0044-03-15 BC' as ides, date '2026-02-28' as day,
      '0a:0b:0c:0d:0e:0f'::macaddr as mac, array[t, null, 'a"b'] as list, new_id() is null as made, json_build_object('a', array[1, null], 'b', t) as json,
      '{"x": {"y": 1}}'::jsonb as jsonb, '10.0.0.1'::inet as ip, null as nothing
    from unnest(array['Çağrı', '', 'x']) with ordinality u(t, g) order by g`;
  const [written, made] = await db.readTenant(newId(), tx => Promise.all([tx.json(rows), tx.many(rows)]));
  expect(JSON.parse(written.text)).toEqual(JSON.parse(JSON.stringify(made)));
  expect([written.length, made.length]).toEqual([3, 3]);
});

test('columns with a dot are objects, null where their first column is; a column may be made anew from its row', async () => {
  const rows = sql`
    select g as "a.id", 'x' as "a.name", 1 as own, nullif(g, 1) as "b.id", null as "b.name", t as secret, nullif(t, 'u') as none
    from unnest(array['u', 'v']) with ordinality u(t, g) order by g`;
  const { text } = await db.readTenant(newId(), tx =>
    tx.json(rows, {
      secret: (it, column) => (column('a.id') === '1' ? `${it}"` : null),
      none: it => it.toUpperCase(),
    }),
  );
  expect(JSON.parse(text)).toEqual([
    { a: { id: 1, name: 'x' }, own: 1, b: null, secret: 'u"', none: null },
    { a: { id: 2, name: 'x' }, own: 1, b: { id: 2, name: null }, secret: null, none: 'V' },
  ]);
});

test('no rows are an empty list', async () => {
  expect((await db.readTenant(newId(), tx => tx.json(sql`select 1 as a where false`))).text).toBe('[]');
});
