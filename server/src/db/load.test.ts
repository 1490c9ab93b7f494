import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { afterFile } from '#test/after-file.ts';
import { freshDatabase } from '#test/database.ts';
import { rowHash, tablesOf } from '#test/row-hash.ts';
import { dumpDatabase } from './dump.ts';
import { loadDatabase } from './load.ts';
import { migrate, migrateTo, migrations } from './migrate.ts';
import { createPool } from './pool.ts';
import { fillTables } from './testing/old-rows.ts';

async function emptyDatabase() {
  const { url } = await freshDatabase({ empty: true });
  const pool = createPool(url, { max: 2, onError: () => undefined });
  afterFile(() => pool.end());
  return { url, pool };
}

// Some migrations have a lower number than one that landed before them.
const later = /^(0562|0563|0564|0566|0567)-|^(0599|06)/;

test('a dump of a version that lacks migrations in between is loaded, and then upgraded', async () => {
  const [from, to] = [await emptyDatabase(), await emptyDatabase()];
  const names = migrations.map(it => it.name).filter(name => !later.test(name));
  expect(names.at(-1)).toBe('0598-sessions-after-a-clock');
  await migrate(from.pool, '0100-kept-search-text');
  await fillTables(from.pool);
  await migrateTo(from.pool, new Set(names));
  await fillTables(from.pool);

  const tables = new Map<string, Buffer>();
  const dump = await dumpDatabase(from.url, async (table, content) => {
    tables.set(table, await buffer(content));
  });
  await loadDatabase(to.url, async table => Readable.from([tables.get(table)!]), dump);

  const every = (await tablesOf(from.pool)).filter(it => it !== 'migrations').map(table => ({ table }));
  expect(dump.tables.every(it => it.rows > 0)).toBe(true);
  expect(await rowHash(to.pool, 'all', every)()).toBe(await rowHash(from.pool, 'all', every)());
  expect(await migrate(to.pool)).toBe(migrations.length - names.length);
});
