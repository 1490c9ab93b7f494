import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Pool } from './pool.ts';

const directory = fileURLToPath(new URL('migrations/', import.meta.url));

/** The numbered migrations, oldest first. */
export const migrations = readdirSync(directory)
  .filter(file => /^\d{4}-[a-z0-9-]+\.sql$/.test(file))
  .sort()
  .map(file => ({ name: file.slice(0, -4), sql: readFileSync(`${directory}${file}`, 'utf8') }));

/**
 * A function may be given only to a role that may create in its schema, which a superuser need not ask for. So that an owner who
 * is none can give ours theirs, they may while a migration runs; nobody else sees them do.
 */
const lend = (what: 'grant' | 'revoke', whom: 'to' | 'from') => `
  do $$ begin
    if exists (select from pg_roles where rolname = 'portico_system') then ${what} create on schema public ${whom} portico_system; end if;
  end $$`;

/** Brings the database up to `upTo` (a migration's name; default: the newest). Several processes may call it at once. Answers how many ran. */
export async function migrate(pool: Pool, upTo?: string): Promise<number> {
  const client = await pool.connect();
  try {
    await client.query(`select pg_advisory_lock(hashtext('portico.migrations'))`);
    await client.query(
      'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
    );
    const done = new Set((await client.query<{ name: string }>('select name from migrations')).rows.map(r => r.name));
    const unknown = [...done].find(name => !migrations.some(m => m.name === name));
    if (unknown) throw new Error(`The database has migration ${unknown}, which this version of Portico does not know`);
    let count = 0;
    for (const { name, sql } of migrations) {
      if (upTo && name > upTo) break;
      if (done.has(name)) continue;
      await client
        .query(
          `begin; ${lend('grant', 'to')}; ${sql}; ${lend('revoke', 'from')}; insert into migrations (name) values ('${name}'); commit`,
        )
        .catch(async error => {
          await client.query('rollback').catch(() => undefined);
          throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error });
        });
      count++;
    }
    return count;
  } finally {
    await client.query(`select pg_advisory_unlock_all()`).catch(() => undefined);
    client.release();
  }
}
