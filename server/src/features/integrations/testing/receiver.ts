import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterFile } from '#test/after-file.ts';

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A fake third-party web server. It records the requests and sends the responses that the test sets. */
export async function startReceiver() {
  const requests: ReceivedRequest[] = [];
  let reply: (it: ReceivedRequest) => { status?: number; body?: string; headers?: Record<string, string> } = () => ({});
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString('utf8');
      const it = { method: request.method!, path: request.url!, headers: request.headers, body };
      requests.push(it);
      const { status = 200, body: replyBody = '', headers = {} } = reply(it);
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(replyBody);
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  afterFile(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answer: (by: typeof reply) => {
      reply = by;
    },
  };
}
