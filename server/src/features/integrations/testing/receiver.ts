import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';

export interface Heard {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A web server of a third party: it keeps the requests and answers as the test says. */
export async function startReceiver() {
  const heard: Heard[] = [];
  let reply: (it: Heard) => { status?: number; body?: string; headers?: Record<string, string> } = () => ({});
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString('utf8');
      const it = { method: request.method!, path: request.url!, headers: request.headers, body };
      heard.push(it);
      const { status = 200, body: said = '', headers = {} } = reply(it);
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(said);
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    answer: (by: typeof reply) => {
      reply = by;
    },
  };
}
