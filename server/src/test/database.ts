import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

/** The migrated database that the tests clone. */
export const migrated = 'portico_template';

/** The URL of another database on the same server. */
export const databaseUrl = (server: string, name: string): string => server.replace('/postgres?', `/${name}?`);

/** Creates a database, migrated or empty, on the PostgreSQL of this run; the run's end removes it. */
export async function freshDatabase(options: { empty?: boolean } = {}): Promise<{ url: string }> {
  const server = inject('postgres');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(`create database ${name} template ${options.empty ? 'template0' : inject('template')}`);
  } finally {
    await client.end();
  }
  return { url: databaseUrl(server, name) };
}
