import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { makeCertificate } from '../router-os/certificate.ts';

export interface Asked {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Record<string, unknown>;
}

export interface Said {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: unknown;
}

/** Answers a request in place of the controller; false leaves it to the controller. */
export type Interference = (request: IncomingMessage, response: ServerResponse) => boolean;

const longest = 100_000;

/** A server that speaks JSON over TLS, with a self-signed certificate as controllers have. */
export const openTlsJson = async (name: string, answer: (asked: Asked) => Said) => {
  let requests = 0;
  let interfere: Interference | undefined;
  const made = makeCertificate(name);
  const server = createServer(made, async (request, response) => {
    requests += 1;
    if (interfere?.(request, response)) return;
    try {
      const parts: Buffer[] = [];
      let size = 0;
      for await (const part of request as AsyncIterable<Buffer>) {
        size += part.length;
        if (size > longest) throw new Error('the body is too long');
        parts.push(part);
      }
      const text = Buffer.concat(parts).toString('utf8');
      const headers = Object.fromEntries(
        Object.entries(request.headers).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
      );
      const said = answer({
        method: request.method ?? 'GET',
        url: new URL(request.url ?? '/', 'https://controller.invalid'),
        headers,
        body: text ? (JSON.parse(text) as Record<string, unknown>) : {},
      });
      response
        .writeHead(said.status ?? 200, { 'content-type': 'application/json', ...said.headers })
        .end(said.body === undefined ? '' : JSON.stringify(said.body));
    } catch {
      response.writeHead(400).end();
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    /** The one that it shows first. */
    certificate: made.cert,
    requests: () => requests,
    /** From now on this answers first, as a broken or hostile controller would. */
    interfere: (by: Interference | undefined): void => {
      interfere = by;
    },
    /** Shows another certificate from now on. */
    renew: (): void => server.setSecureContext(makeCertificate(name)),
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
