import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

/** The migrated database that the tests clone. */
export const migrated = 'portico_template';

/** How the names of the databases of tests begin. */
export const ofTests = 'portico_test_';

/** The URL of another database on the same server. */
export const databaseUrl = (server: string, name: string): string => server.replace('/postgres?', `/${name}?`);

/**
 * Creates a database, migrated, empty or a copy of another one that has no connection, on the PostgreSQL of this run. It is removed after the run, with the server: to
 * drop one makes PostgreSQL write a checkpoint.
 */
export async function freshDatabase(options: { empty?: boolean; copyOf?: string } = {}): Promise<{ url: string }> {
  const server = inject('postgres');
  const name = `${ofTests}${randomBytes(6).toString('hex')}`;
  // Copying the files takes a tenth of the time of writing each page to the log.
  const template = options.copyOf ?? (options.empty ? 'template0' : inject('template'));
  await asOwner(server, client => client.query(`create database ${name} template ${template} strategy file_copy`));
  return { url: databaseUrl(server, name) };
}

async function asOwner(server: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
