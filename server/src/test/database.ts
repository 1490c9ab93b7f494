import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

/** The migrated database that the others are copies of. */
export const template = 'portico_template';

/** The same server, another database. */
export const databaseUrl = (server: string, name: string): string => server.replace('/postgres?', `/${name}?`);

/** A database of one's own on the run's PostgreSQL: migrated, or empty. It goes when the run ends. */
export async function freshDatabase(options: { empty?: boolean } = {}): Promise<{ url: string }> {
  const server = inject('postgres');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(`create database ${name} template ${options.empty ? 'template0' : template}`);
  } finally {
    await client.end();
  }
  return { url: databaseUrl(server, name) };
}
