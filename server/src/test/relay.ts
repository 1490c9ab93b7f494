import { type AddressInfo, connect, createServer } from 'node:net';
import { inject } from 'vitest';

/** Relays TCP to the embedded server, which listens only on a unix socket. */
export async function relay(): Promise<number> {
  const folder = new URLSearchParams(inject('postgres').split('?')[1]).get('host');
  if (!folder) return Number(new URL(inject('postgres')).port);
  const server = createServer(inbound => {
    const outbound = connect(`${folder}/.s.PGSQL.5432`);
    inbound.pipe(outbound).pipe(inbound);
    inbound.on('error', () => outbound.destroy());
    outbound.on('error', () => inbound.destroy());
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return (server.address() as AddressInfo).port;
}
