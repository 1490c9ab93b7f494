import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * The payment providers as stand-ins, written from their published documentation. They compute every signature themselves,
 * refuse requests that the documentation does not allow, and keep their own books.
 */

export interface Book {
  id: string;
  amount: number;
  currency: string;
  paid: boolean;
  refunded: number;
  disputed: boolean;
  /** Where the provider sends a guest whose payment failed, if it has an address for that. */
  declinedUrl?: string;
}

export interface StandIn {
  readonly url: string;
  readonly books: Map<string, Book>;
  readonly refunds: () => number;
  /** A genuine notification about a payment: headers and body. */
  notify(reference: string): { headers: Record<string, string>; body: string };
  readonly problems: string[];
  close(): void;
}

/** How a test disturbs a stand-in. */
export const disturbed = {
  /** How often the stand-ins were asked. */
  times: 0,
  /** Until when their answers wait. */
  waits: Promise.resolve(),
  /** Whether the answers to refunds are lost. */
  losesRefunds: false,
  /** Whether refunds are refused, as for an account without enough money. */
  refusesRefunds: false,
};

const read = async (request: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
};

export async function serve(
  handle: (at: {
    method: string;
    path: string;
    query: URLSearchParams;
    headers: IncomingMessage['headers'];
    body: string;
  }) => [number, object],
): Promise<{ url: string; close: () => void }> {
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://x');
    const body = await read(request);
    disturbed.times += 1;
    await disturbed.waits;
    const { method = '', headers } = request;
    const [status, answer] = handle({ method, path: url.pathname, query: url.searchParams, headers, body });
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

export const hmac = (key: string, text: string, encoding: 'hex' | 'base64') =>
  createHmac('sha256', key).update(text).digest(encoding);
export const problem = (list: string[], text: string): [number, object] => {
  list.push(text);
  return [400, { status: 'failure', error: { message: text }, errorMessage: text, err_msg: text, err_no: '001' }];
};
