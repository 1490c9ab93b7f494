import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { startEmbedded } from '../db/embedded.ts';
import { migrate } from '../db/migrate.ts';
import { createPool } from '../db/pool.ts';
import { databaseUrl, migrated, ofTests } from './database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgres: string;
    /** The database that tests clone. */
    template: string;
    /** A folder for what test files share; it is removed after the run. */
    shared: string;
  }
}

interface Provider {
  provide(key: 'postgres' | 'template' | 'shared', value: string): void;
}

interface Server {
  readonly url: string;
  readonly folder: string;
  stop(): Promise<void>;
}

let server: Promise<Server> | undefined;
let projects = 0;

/** Starts one PostgreSQL for the run, with a migrated template database that each test file clones. */
export default async function setup(project: Provider): Promise<() => Promise<void>> {
  // Vitest calls this for each project.
  projects += 1;
  const { url, folder, stop } = await (server ??= start());
  project.provide('postgres', url);
  project.provide('template', migrated);
  project.provide('shared', folder);
  return async () => {
    projects -= 1;
    if (projects === 0) await stop();
  };
}

async function start(): Promise<Server> {
  const folder = mkdtempSync(path.join(tmpdir(), 'portico-tests-'));
  const running = await startPostgres(folder);
  const stop = async () => {
    await running.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await makeTemplate(running.url);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: running.url, folder, stop };
}

async function startPostgres(folder: string): Promise<{ url: string; stop(): Promise<void> }> {
  // `TEST_DATABASE_URL=postgresql://postgres@127.0.0.1/postgres? npm test` uses another server, such as PostgreSQL 15.
  const own = process.env['TEST_DATABASE_URL'];
  if (own) return { url: own, stop: () => dropDatabases(own) };
  chmodSync(folder, 0o755);
  // Test data need not survive a power cut; crash.test.ts uses the settings of the product.
  const unsafe = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' };
  // Autovacuum would start a process for each of some hundred small databases, again and again.
  const settings = { ...unsafe, autovacuum: 'off', max_connections: '200' };
  return startEmbedded(path.join(folder, 'postgres'), { settings });
}

async function makeTemplate(server: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`drop database if exists ${migrated}`);
  await client.query(`create database ${migrated}`);
  await client.end();
  const pool = createPool(databaseUrl(server, migrated), { max: 1, onError: () => undefined });
  try {
    await migrate(pool);
  } finally {
    await pool.end();
  }
}

/** Removes the databases of the test files, which a server that stays would keep. */
async function dropDatabases(server: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  const { rows } = await client.query<{ datname: string }>(
    'select datname from pg_database where starts_with(datname, $1)',
    [ofTests],
  );
  for (const { datname } of rows) await client.query(`drop database ${datname} with (force)`);
  await client.end();
}
