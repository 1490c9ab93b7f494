import pg from 'pg';

/**
 * Opens a connection of its own, without the pool. When it is lost, the query that runs or comes next fails; without a listener
 * the process would end.
 */
export async function openClient(url: string, name: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: `portico ${name}`, keepAlive: true });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
