import { type IncomingHttpHeaders, request } from 'node:http';
import { isIPv6, type Socket } from 'node:net';
import type { z } from 'zod';
import { steadyNow } from '#lib/steady-clock.ts';
import { openSocket } from './pinned-socket.ts';
import { RouterError, type RouterTarget } from './router-control.ts';

/** No answer of a router or controller that we ask for is longer. */
const maxAnswerBytes = 4 * 1024 * 1024;

export interface PinnedAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

interface Asking {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object | undefined;
}

export interface PinnedClient {
  /** SHA-256 of the certificate that all requests were answered with; null before the first one, and if none is pinned. */
  readonly certificate: () => string | null;
  readonly ask: (it: Asking) => Promise<PinnedAnswer>;
}

const timedOut = ({ timeoutMs }: RouterTarget) =>
  new RouterError('unreachable', `no answer within ${Math.ceil(timeoutMs / 1000)} s`);

/**
 * Asks a router or controller over HTTPS. Each request opens its own connection and checks the certificate before it sends
 * anything, by its fingerprint or, in a vendor's cloud, by its authority. `timeoutMs` limits all requests together.
 */
export function pinnedClient(
  target: RouterTarget,
  { maxBytes = maxAnswerBytes, byAuthority = false } = {},
): PinnedClient {
  const deadline = steadyNow() + target.timeoutMs;
  let certificate: string | null = null;
  return {
    certificate: () => certificate,
    ask: async it => {
      const left = deadline - steadyNow();
      if (left <= 0) throw timedOut(target);
      const pin = target.pin ?? certificate ?? undefined;
      const opened = await openSocket({ ...target, pin, timeoutMs: left }, byAuthority);
      certificate = opened.certificate;
      return send(target, it, { socket: opened.socket, deadline, maxBytes });
    },
  };
}

function send(
  target: RouterTarget,
  { method, path, headers, body }: Asking,
  { socket, deadline, maxBytes }: { socket: Socket; deadline: number; maxBytes: number },
): Promise<PinnedAnswer> {
  const text = body && JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      clearTimeout(timer);
      socket.destroy();
      reject(error as Error);
    };
    const timer = setTimeout(() => fail(timedOut(target)), Math.max(1, deadline - steadyNow()));
    const outgoing = request({
      method,
      path,
      createConnection: () => socket,
      headers: {
        host: `${isIPv6(target.host) ? `[${target.host}]` : target.host}:${target.port}`,
        connection: 'close',
        ...headers,
        ...(text === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
      },
    });
    outgoing.once('error', fail);
    outgoing.once('response', response => {
      const parts: Buffer[] = [];
      let size = 0;
      response.on('data', (part: Buffer) => {
        size += part.length;
        if (size > maxBytes) fail(new RouterError('refused', 'the answer is too large'));
        else parts.push(part);
      });
      response.once('error', fail);
      response.once('aborted', () => fail(new RouterError('unreachable', 'the router closed the connection')));
      response.once('end', () => {
        clearTimeout(timer);
        socket.destroy();
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(parts).toString('utf8'),
        });
      });
    });
    outgoing.end(text);
  });
}

/** The content of an answer; undefined if it is not JSON. */
export function jsonOf({ text }: PinnedAnswer): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The content of an answer. Half an answer would pass for an empty list, so it must have the expected shape. */
export function readAnswer<T>(answer: PinnedAnswer, shape: z.ZodType<T>): T {
  const read = shape.safeParse(jsonOf(answer));
  if (read.success) return read.data;
  throw new RouterError('refused', `the answer cannot be read: ${answer.text.slice(0, 100)}`);
}

/** The Cookie header that repeats what an answer set. */
export const cookiesOf = ({ headers }: PinnedAnswer): string =>
  (headers['set-cookie'] ?? []).map(line => line.split(';')[0]!).join('; ');
