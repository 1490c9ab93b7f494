import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Connection } from 'tedious';
import { limitedSocket } from './limited-socket.ts';
import { connectMs, type PmsReader, queryMs, tableParts } from './reader.ts';

const quoted = (name: string): string => `[${name.replaceAll(']', ']]')}]`;

export const readMssql: PmsReader = async ({ connection: it, host, checkedAddress, columns, limit }) => {
  const tedious = await import('tedious');
  const open = async (to: string, port: number): Promise<Socket> => {
    const socket = limitedSocket().connect(port, to);
    try {
      await once(socket, 'connect', { signal: AbortSignal.timeout(connectMs) });
      return socket;
    } catch (error) {
      socket.destroy();
      throw error;
    }
  };
  const client: Connection = new tedious.Connection({
    server: host,
    authentication: { type: 'default', options: { userName: it.db_username, password: it.db_password } },
    options: {
      port: it.db_port,
      database: it.db_name,
      // During the login a server may route the client to another one. That address is checked like the first.
      connector: async () => {
        const route = client.routingData;
        return route ? open(await checkedAddress(route.server), route.port) : open(host, it.db_port);
      },
      connectTimeout: connectMs,
      requestTimeout: queryMs,
      readOnlyIntent: true,
      encrypt: it.tls ?? false,
      trustServerCertificate: !it.tls,
      ...(it.tls ? { serverName: it.db_host } : {}),
    },
  });
  client.on('error', () => undefined);
  try {
    await new Promise<void>((resolve, reject) => {
      client.connect(error => (error ? reject(error) : resolve()));
    });
    const table = tableParts(it.db_table).map(quoted).join('.');
    const list = columns
      ? columns.map(name => `convert(nvarchar(max), ${quoted(name)}, 126) as ${quoted(name)}`).join(', ')
      : '*';
    return await query(tedious, client, `select top (${limit}) ${list} from ${table}`);
  } finally {
    client.close();
  }
};

function query({ Request }: typeof import('tedious'), client: Connection, sql: string): ReturnType<PmsReader> {
  return new Promise((resolve, reject) => {
    let columns: string[] = [];
    const rows: Record<string, unknown>[] = [];
    const request = new Request(sql, error => (error ? reject(error) : resolve({ columns, rows })));
    request.on('columnMetadata', metadata => {
      columns = Object.values(metadata).map(column => column.colName);
    });
    request.on('row', (row: { metadata: { colName: string }; value: unknown }[]) => {
      rows.push(Object.fromEntries(Object.values(row).map(cell => [cell.metadata.colName, cell.value])));
    });
    client.execSql(request);
  });
}
