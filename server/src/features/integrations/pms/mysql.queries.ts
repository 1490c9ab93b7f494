import { isIP } from 'node:net';
import type { Connection } from 'mysql2/promise';
import { limitedSocket } from './limited-socket.ts';
import { connectMs, type PmsReader, queryMs, tableParts } from './reader.ts';

export const readMysql: PmsReader = async ({ connection: it, host, columns, limit }) => {
  const { createConnection, escapeId } = await import('mysql2/promise');
  const quoted = (name: string): string => escapeId(name, true);
  const socket = limitedSocket();
  let client: Connection | undefined;
  try {
    client = await createConnection({
      // The name is for the certificate only; the socket connects to the checked address.
      host: it.db_host,
      // An address is not a server name. Without one, Node checks the certificate for `_host`, then for `localhost`.
      stream: () => Object.assign(socket.connect(it.db_port, host), isIP(it.db_host) ? { _host: it.db_host } : {}),
      port: it.db_port,
      user: it.db_username,
      password: it.db_password,
      database: it.db_name,
      connectTimeout: connectMs,
      dateStrings: true,
      supportBigNumbers: true,
      bigNumberStrings: true,
      // The server must not read files of the client.
      flags: ['-LOCAL_FILES'],
      ...(it.tls ? { ssl: { rejectUnauthorized: true, verifyIdentity: true } } : {}),
    });
    await client.query('set session transaction read only');
    const table = tableParts(it.db_table).map(quoted).join('.');
    const list = columns ? columns.map(name => `cast(${quoted(name)} as char) as ${quoted(name)}`).join(', ') : '*';
    const [rows, fields] = await client.query({ sql: `select ${list} from ${table} limit ${limit}`, timeout: queryMs });
    return { columns: fields.map(field => field.name), rows: rows as Record<string, unknown>[] };
  } finally {
    client?.destroy();
    // Without an error: a connection that failed at its first packet has no listener left for one, which would end the process.
    socket.destroy();
  }
};
