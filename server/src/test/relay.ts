import { type AddressInfo, connect, createServer } from 'node:net';
import { inject } from 'vitest';

/** The embedded server listens on a socket only, so that a host name cannot reach it: the tests' connections go over a relay. */
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
