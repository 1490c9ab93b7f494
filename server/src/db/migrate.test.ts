import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { freshDatabase } from '../test/database.ts';
import { migrate, migrations } from './migrate.ts';
import { createPool } from './pool.ts';

/** `version name sha256` of every migration that a release has carried: those are never edited again. */
const released = readFileSync(new URL('migrations/released.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter(line => line && !line.startsWith('#'))
  .map(line => line.split(' ') as [version: string, name: string, hash: string]);

async function withPool<T>(url: string, work: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const pool = createPool(url, { max: 2, onError: () => undefined });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

/** Everything that makes a schema what it is, as lines; partitions are left out, as they follow the calendar. */
async function schemaOf(url: string): Promise<string[]> {
  return withPool(url, async pool => {
    const { rows } = await pool.query<{ line: string }>(`
      select format('column %s.%s %s %s %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, pg_get_expr(d.adbin, d.adrelid)) as line
        from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') and not c.relispartition
      union all select 'index ' || pg_get_indexdef(i.indexrelid) from pg_index i join pg_class c on c.oid = i.indrelid
        where c.relnamespace = 'public'::regnamespace and not c.relispartition
      union all select format('constraint %s %s', conrelid::regclass, pg_get_constraintdef(oid)) from pg_constraint
        where connamespace = 'public'::regnamespace and conrelid <> 0 and not exists (select from pg_class c where c.oid = conrelid and c.relispartition)
      union all select format('policy %s %s %s %s', polrelid::regclass, polname, pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)) from pg_policy
      union all select 'function ' || pg_get_functiondef(p.oid) from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prokind in ('f', 'p')
        and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
      union all select 'trigger ' || pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
      union all select format('grant %s %s %s', table_name, grantee, privilege_type) from information_schema.role_table_grants
        where table_schema = 'public' and grantee like 'portico%' order by 1`);
    return rows.map(row => row.line);
  });
}

describe('migrations', () => {
  test('are numbered, each name once', () => {
    const names = migrations.map(m => m.name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual([...names].sort());
  });

  test('that were released are as they were', () => {
    expect(released.length).toBeGreaterThan(0);
    for (const [version, name, hash] of released) {
      const found = migrations.find(m => m.name === name);
      expect(found, `${name} of version ${version}`).toBeDefined();
      expect(createHash('sha256').update(found!.sql).digest('hex'), `${name} was edited after version ${version}`).toBe(
        hash,
      );
    }
  });

  test('bring every released version to the schema of a new installation', async () => {
    const fresh = await schemaOf((await freshDatabase()).url);
    expect(fresh.length).toBeGreaterThan(100);
    for (const version of new Set(released.map(([v]) => v))) {
      const last = released.findLast(([v]) => v === version)![1];
      const { url } = await freshDatabase({ empty: true });
      await withPool(url, pool => migrate(pool, last));
      await withPool(url, pool => migrate(pool));
      expect(await schemaOf(url), `upgraded from ${version}`).toEqual(fresh);
    }
  });

  test('keep the day of a licence that ended at midnight UTC, and the moment of any other', async () => {
    const { url } = await freshDatabase({ empty: true });
    const ends = await withPool(url, async pool => {
      await migrate(pool, '0088-visitor-days-of-devices');
      await pool.query(
        `insert into tenants (id, slug, brand_name, brand_long_name) values (gen_random_uuid(), 'once', 'Once', 'Once')`,
      );
      await pool.query(`
        insert into locations (tenant_id, id, name, time_zone, trial_end_at, license_end_at)
        select t.id, gen_random_uuid(), x.at::text, x.zone, now(), x.at::timestamptz from tenants t, (values
          ('Asia/Tokyo', '2027-03-01T00:00:00Z'), ('America/New_York', '2027-03-01T00:00:00Z'), ('UTC', '2027-03-01T00:00:01Z')) x(zone, at)`);
      await migrate(pool);
      const { rows } = await pool.query(
        `select time_zone, (license_end_at at time zone time_zone)::text as at from locations order by 1`,
      );
      return rows.map(it => [it.time_zone, it.at]);
    });
    expect(ends).toEqual([
      ['America/New_York', '2027-03-01 23:59:59'],
      ['Asia/Tokyo', '2027-03-01 23:59:59'],
      ['UTC', '2027-03-01 00:00:01'],
    ]);
  });

  test('run once, however many processes start at the same moment', async () => {
    const { url } = await freshDatabase({ empty: true });
    const ran = await Promise.all([1, 2, 3].map(() => withPool(url, pool => migrate(pool))));
    expect(ran.sort((a, b) => a - b)).toEqual([0, 0, migrations.length]);
  });

  test('refuse a database of a newer version', async () => {
    const { url } = await freshDatabase();
    await withPool(url, pool => pool.query(`insert into migrations (name) values ('9999-from-the-future')`));
    await expect(withPool(url, pool => migrate(pool))).rejects.toThrow(
      /9999-from-the-future, which this version of Portico does not know/,
    );
  });
});
