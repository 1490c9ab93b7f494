import pg from 'pg';

/**
 * Opens a connection of its own, without the pool. When it is lost, the query that runs or comes next fails; without a listener
 * the process would end.
 */
export async function openClient(url: string, name: string, connectMs = 10_000): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: `portico ${name}`,
    // A server that falls silent: its machine lost power, or a firewall cut the way.
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
