import pg from 'pg';
import { databaseUrl, migrated } from '../database.ts';
import type { SqlMutant } from './mutant.ts';

/** Clones the migrated template database and puts the defect into the clone. Returns why that is not possible, if so. */
export async function makeMutantTemplate(server: string, name: string, mutant: SqlMutant): Promise<string | undefined> {
  await inDatabase(server, client => client.query(`create database ${name} template ${migrated}`));
  return inDatabase(databaseUrl(server, name), async client => {
    if ('statement' in mutant) return void (await client.query(mutant.statement));
    const { rows } = await client.query<{ definition: string }>(
      `select pg_get_functiondef(oid) as definition from pg_proc
       where pronamespace = 'public'::regnamespace and prokind in ('f', 'p') and position($1 in prosrc) > 0`,
      [mutant.from],
    );
    const [definition] = rows.map(row => row.definition);
    if (rows.length !== 1 || definition === undefined) return `${rows.length} functions contain the text`;
    if (definition.split(mutant.from).length !== 2) return 'the function contains the text more than once';
    return void (await client.query(definition.replace(mutant.from, () => mutant.to)));
  });
}

async function inDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
