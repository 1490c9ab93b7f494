import { once } from 'node:events';
import { createServer } from 'node:net';

/** Free ports of this machine by name, so that no other program answers for the one that is tried. */
export async function freePorts(names) {
  const servers = names.map(() => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map(server => once(server, 'listening')));
  const ports = Object.fromEntries(names.map((name, i) => [name, servers[i].address().port]));
  await Promise.all(servers.map(server => once(server.close(), 'close')));
  return ports;
}
