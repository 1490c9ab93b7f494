import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshDatabase } from './database.ts';

const [victim, other] = [randomUUID(), randomUUID()];
const refusal = /row-level security|permission denied/;

let client: pg.Client;
/** Every table with a tenant. A partition counts as part of its table. */
let tables: { name: string; partitioned_by: string | null }[];
beforeAll(async () => {
  client = new pg.Client({ connectionString: (await freshDatabase()).url });
  await client.connect();
  ({ rows: tables } = await client.query(
    `select c.oid::regclass::text as name, (
       select quote_ident(k.attname) from pg_partitioned_table p join pg_attribute k on k.attrelid = c.oid and k.attnum = p.partattrs[0]
       where p.partrelid = c.oid) as partitioned_by
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     order by 1`,
  ));
});
afterAll(() => client.end());

/** Makes a statement of a tenant, as the application would. */
const becomeTenant = (tenant: string) =>
  client.query(`set local role portico_app; set local portico.tenant = '${tenant}'`);

/** Runs statements in a transaction that leaves nothing behind. */
async function undone(work: () => Promise<void>): Promise<void> {
  await client.query('begin');
  try {
    await work();
  } finally {
    await client.query('rollback');
  }
}

/** Puts a row of the victim into a table. Its other rules go, until the transaction is undone: a row needs no values then. */
async function plant({ name, partitioned_by: key }: (typeof tables)[number]): Promise<void> {
  await client.query(`
    set local session_replication_role = replica;
    do $$
    declare
      command text;
    begin
      for command in
        select format('alter table ${name} drop constraint if exists %I cascade', conname) from pg_constraint
        where conrelid = '${name}'::regclass and contype in ('c', 'f', 'p', 'u', 'x')
        union all
        select format('alter table ${name} alter column %I drop not null', attname) from pg_attribute
        where attrelid = '${name}'::regclass and attnum > 0 and attnotnull and attidentity = ''
      loop
        execute command;
      end loop;
    end $$;
    insert into ${name} (tenant_id ${key ? `, ${key}` : ''}) values ('${victim}' ${key ? ', now()' : ''})`);
}

describe('row-level security', () => {
  test('is forced on every table with a tenant, for reading and for writing', async () => {
    // A restrictive policy can only take rows away, so the permissive ones decide.
    const { rows } = await client.query(
      `select c.oid::regclass::text from pg_class c where c.oid = any($2::regclass[])
       and not (c.relrowsecurity and c.relforcerowsecurity
         and (select array_agg(array[pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)])
              from pg_policy p where p.polrelid = c.oid and p.polpermissive and p.polroles && array['portico_app'::regrole::oid, 0::oid])
           is not distinct from array[array[$1, $1]])`,
      ['(tenant_id = current_tenant())', tables.map(table => table.name)],
    );
    expect(rows).toEqual([]);
  });

  test('is forced on every partition that the application role may use', async () => {
    const { rows } = await client.query(
      `select c.relname from pg_class c
       where c.relnamespace = 'public'::regnamespace and c.relispartition
       and has_table_privilege('portico_app', c.oid, 'select, insert, update, delete')
       and not (c.relrowsecurity and c.relforcerowsecurity)`,
    );
    expect(rows).toEqual([]);
  });

  test('is not needed elsewhere: what has no tenant is the same for all, or closed to the application', async () => {
    const { rows } = await client.query<{ name: string; may: string }>(
      `select c.oid::regclass::text as name, string_agg(p.privilege, ', ' order by p.privilege) as may
       from pg_class c, unnest(array['select', 'insert', 'update', 'delete', 'truncate']) p(privilege)
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm') and not c.relispartition
       and c.oid <> all($1::regclass[]) and has_table_privilege('portico_app', c.oid, p.privilege)
       group by 1 order by 1`,
      [tables.map(table => table.name)],
    );
    expect(rows.map(it => [it.name, it.may])).toEqual([
      ['brand_models', 'select'],
      ['brands', 'select'],
      // Whether the record of logs is behind, for all tenants.
      ['log_overflow', 'select'],
      // The months that are in the archive.
      ['session_archives', 'select'],
      // Its own row, by the next test.
      ['tenants', 'select, update'],
      // A view of tables with tenants.
      ['used_pictures', 'select'],
    ]);
  });

  test('holds for the row of a tenant itself', async () => {
    const { rows } = await client.query(
      `select c.relforcerowsecurity as forced, pg_get_expr(p.polqual, p.polrelid) as reads, pg_get_expr(p.polwithcheck, p.polrelid) as writes
       from pg_class c join pg_policy p on p.polrelid = c.oid and p.polroles && array['portico_app'::regrole::oid, 0::oid]
       where c.oid = 'tenants'::regclass and c.relrowsecurity`,
    );
    const own = '(id = current_tenant())';
    expect(rows).toEqual([{ forced: true, reads: own, writes: own }]);
  });

  test('holds through every view', async () => {
    const { rows } = await client.query(
      `select c.oid::regclass::text as name from pg_class c
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('v', 'm')
       and not coalesce('security_invoker=true' = any(c.reloptions), false)`,
    );
    expect(rows).toEqual([]);
  });

  test('refuses to insert a row for another tenant, in any table', async () => {
    expect(tables.length).toBeGreaterThan(50);
    for (const { name } of tables)
      await undone(async () => {
        await becomeTenant(other);
        // Row-level security is checked before NOT NULL and other constraints.
        const insert = client.query(`insert into ${name} (tenant_id) overriding system value values ('${victim}')`);
        await expect(insert, name).rejects.toThrow(refusal);
      });
  });

  test('hides a row from the statements of another tenant, and lets no tenant give its row away, in any table', async () => {
    for (const table of tables)
      await undone(async () => {
        const { name } = table;
        await plant(table);
        await becomeTenant(other);
        for (const statement of [
          `select from ${name}`,
          `update ${name} set tenant_id = tenant_id`,
          `update ${name} set tenant_id = current_tenant()`,
          `delete from ${name}`,
        ]) {
          await client.query('savepoint before');
          const rows = await client.query(statement).then(
            ({ rowCount }) => rowCount,
            (error: Error) => error.message,
          );
          if (typeof rows === 'number') expect(rows, statement).toBe(0);
          else expect(rows, statement).toMatch(refusal);
          await client.query('rollback to before');
        }
        await client.query(`set local portico.tenant = '${victim}'`);
        await expect(client.query(`update ${name} set tenant_id = '${other}'`), name).rejects.toThrow(refusal);
      });
  });
});
