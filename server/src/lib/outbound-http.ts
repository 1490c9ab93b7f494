import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as safeRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { outboundAddress } from './outbound.ts';

export interface OutboundRequest {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
  /** Whether addresses inside our own network may be reached. */
  readonly allowInside: boolean;
  readonly timeoutMs?: number;
  /** A longer answer is cut. */
  readonly maxBytes?: number;
  /** Gives the request up. */
  readonly signal?: AbortSignal | undefined;
}

export interface OutboundAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** Cut after `maxBytes` (256 KiB). */
  readonly bytes: Buffer;
  readonly text: string;
}

/** The address leads where we do not go. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

const usualMaxBytes = 262_144;

/**
 * Asks a web address that an operator typed. The name is looked up once, and the request goes to the address that was
 * checked. Redirects are not followed, because they could lead to any address. The whole takes at most `timeoutMs`.
 */
export async function outboundRequest(it: OutboundRequest): Promise<OutboundAnswer> {
  const { maxBytes = usualMaxBytes } = it;
  const url = new URL(it.url);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const address = await outboundAddress(host, it.allowInside);
  if (!address) throw new AddressRefused('this address is not allowed');
  const lookup = ((_name, options, done) =>
    options.all
      ? done(null, [{ address, family: isIP(address) }])
      : done(null, address, isIP(address))) as LookupFunction;
  const send = url.protocol === 'https:' ? safeRequest : plainRequest;
  const timeout = AbortSignal.timeout(it.timeoutMs ?? 10_000);
  const signal = it.signal ? AbortSignal.any([timeout, it.signal]) : timeout;
  return new Promise((resolve, reject) => {
    const request = send(
      url,
      {
        method: it.method ?? 'GET',
        headers: {
          'user-agent': 'Portico',
          ...it.headers,
          ...(it.body === undefined ? {} : { 'content-length': String(Buffer.byteLength(it.body)) }),
        },
        lookup,
        signal,
        agent: false,
      },
      response => {
        const parts: Buffer[] = [];
        let size = 0;
        const done = () => {
          const bytes = Buffer.concat(parts).subarray(0, maxBytes);
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            bytes,
            text: bytes.toString('utf8'),
          });
        };
        response.on('data', (part: Buffer) => {
          size += part.length;
          parts.push(part);
          if (size <= maxBytes) return;
          done();
          request.destroy();
        });
        response.on('end', done);
        response.on('error', reject);
      },
    );
    request.on('error', error => reject(timeout.aborted ? new Error('timeout') : error));
    request.end(it.body);
  });
}
