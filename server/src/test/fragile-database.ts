import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import pg from 'pg';
import { afterFile } from './after-file.ts';
import { freshDatabase } from './database.ts';

/** A database of its own, behind a connection that breaks before a message that a test chooses, or falls silent. */
export async function startFragileDatabase() {
  const { url } = await freshDatabase();
  // The embedded server listens on a unix socket only, whose address is no URL to the parser of the platform.
  const { host, port: targetPort = 5432, database: name } = new pg.Client({ connectionString: url });
  /** How many more messages get through; undefined: all. */
  let left: number | undefined;
  let broken = false;
  let silent = false;
  const sockets = new Set<Socket>();
  const server = createServer(inbound => {
    const outbound = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${targetPort}`) : connect(targetPort, host);
    for (const socket of [inbound, outbound]) {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      // Both ends go together: no answer of the database outlives its connection.
      socket.on('error', () => undefined);
      socket.on('close', () => (socket === inbound ? outbound : inbound).destroy());
    }
    outbound.on('data', chunk => silent || void inbound.write(chunk));
    inbound.on('data', chunk => {
      if (silent) return;
      if (broken) return void inbound.destroy();
      if (left === 0) {
        broken = true;
        for (const socket of sockets) socket.destroy();
        return;
      }
      if (left !== undefined) left -= 1;
      outbound.write(chunk);
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  afterFile(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `postgresql://postgres@127.0.0.1:${port}/${name}`,
    /** Lets some messages through, then breaks every connection and refuses new ones. */
    breakAfter: (messages: number) => void (left = messages),
    /** From now on nothing passes, and connections stay open, as when a firewall cuts the way or a machine loses its power. */
    fallSilent: () => void (silent = true),
    /** Mends it, and tells whether it had broken. */
    mend: (): boolean => {
      const was = broken;
      left = undefined;
      broken = false;
      silent = false;
      return was;
    },
  };
}
