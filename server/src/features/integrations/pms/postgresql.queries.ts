import { isIP } from 'node:net';
import pg from 'pg';
import { limitedSocket } from './limited-socket.ts';
import { connectMs, type PmsReader, queryMs, tableParts } from './reader.ts';

const quoted = (name: string): string => pg.escapeIdentifier(name);

export const readPostgresql: PmsReader = async ({ connection: it, host, columns, limit }) => {
  const socket = limitedSocket();
  const client = new pg.Client({
    stream: () => socket,
    host,
    port: it.db_port,
    user: it.db_username,
    password: it.db_password,
    database: it.db_name,
    // The certificate must contain the configured host name. One for the resolved address would prove nothing.
    ssl: it.tls ? { host: it.db_host, ...(isIP(it.db_host) ? {} : { servername: it.db_host }) } : false,
    // Values stay text, because a date parsed as a time is the day before in some time zones.
    types: { getTypeParser: () => (text: string) => text },
    connectionTimeoutMillis: connectMs,
    query_timeout: queryMs,
    options: `-c default_transaction_read_only=on -c statement_timeout=${queryMs} -c datestyle=ISO`,
  });
  // Without a listener, a connection that breaks later would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const table = tableParts(it.db_table).map(quoted).join('.');
    const list = columns ? columns.map(name => `${quoted(name)}::text as ${quoted(name)}`).join(', ') : '*';
    const { fields, rows } = await client.query(`select ${list} from ${table} limit ${limit}`);
    return { columns: fields.map(field => field.name), rows };
  } finally {
    // The goodbye of the driver would wait for one of the server.
    client.end().catch(() => undefined);
    socket.destroy();
  }
};
