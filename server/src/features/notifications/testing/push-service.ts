import { createDecipheriv, createECDH, createHmac, createPublicKey, randomBytes, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { makeAuthority } from '#features/integrations/testing/certificate-authority.ts';
import { afterFile } from '#test/after-file.ts';
import type { PushMessage } from '../push-send.service.ts';

export interface Pushed {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

type Answer = (it: Pushed) => { status: number; headers?: Record<string, string> };

/** A push service over TLS, whose certificate this process trusts until the end of the test file. */
export async function startPushService() {
  const authority = makeAuthority();
  const { cert, key } = authority.issue('push', 'DNS:localhost');
  const trusted = getCACertificates('default');
  setDefaultCACertificates([...trusted, authority.certificate]);
  const pushed: Pushed[] = [];
  let answer: Answer = () => ({ status: 201 });
  const server = createServer({ cert: readFileSync(cert), key: readFileSync(key) }, (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const it = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(parts) };
      pushed.push(it);
      const { status, headers } = answer(it);
      response.writeHead(status, headers).end();
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  afterFile(() => {
    setDefaultCACertificates(trusted);
    server.closeAllConnections();
    return new Promise<void>(resolve => server.close(() => resolve()));
  });
  const url = `https://localhost:${(server.address() as AddressInfo).port}`;
  return {
    url,
    answer: (next: Answer) => {
      answer = next;
    },
    take: () => pushed.splice(0),
  };
}

const hmac = (key: Buffer, ...parts: (Buffer | string)[]): Buffer =>
  parts.reduce((hash, part) => hash.update(part), createHmac('sha256', key)).digest();

/** A browser with its keys. It reads messages step by step as RFC 8291 says, with HMAC only. */
export function makeBrowser(endpoint: string) {
  const own = createECDH('prime256v1');
  own.generateKeys();
  const auth = randomBytes(16);
  return {
    subscription: { endpoint, keys: { p256dh: own.getPublicKey('base64url'), auth: auth.toString('base64url') } },
    read({ body }: Pushed): PushMessage {
      const salt = body.subarray(0, 16);
      const sender = body.subarray(21, 21 + body.readUInt8(20));
      const record = body.subarray(21 + sender.length);
      if (body.length > body.readUInt32BE(16)) throw new Error('more than one record');
      const secret = hmac(
        hmac(auth, own.computeSecret(sender)),
        'WebPush: info\0',
        own.getPublicKey(),
        sender,
        '\u0001',
      );
      const first = hmac(salt, secret);
      const [cek, nonce] = [
        hmac(first, 'Content-Encoding: aes128gcm\0\u0001').subarray(0, 16),
        hmac(first, 'Content-Encoding: nonce\0\u0001').subarray(0, 12),
      ];
      const decipher = createDecipheriv('aes-128-gcm', cek, nonce, { authTagLength: 16 });
      decipher.setAuthTag(record.subarray(-16));
      const plain = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
      if (plain.at(-1) !== 2) throw new Error('the record does not end');
      return JSON.parse(plain.subarray(0, -1).toString());
    },
  };
}

/** The claims of a request, if the key that the browser subscribed with has signed them. */
export function claimsOf({ headers }: Pushed, publicKey: string): { aud: string; exp: number; sub: string } {
  const [, token = '', key] = /^vapid t=([^,]+), k=(.+)$/.exec(String(headers['authorization'])) ?? [];
  if (key !== publicKey) throw new Error('another key');
  const [header, payload = '', signature = ''] = token.split('.');
  const point = Buffer.from(publicKey, 'base64url');
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')];
  const signed = verify(
    'sha256',
    Buffer.from(`${header}.${payload}`),
    { key: createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!signed) throw new Error('the signature is wrong');
  return JSON.parse(Buffer.from(payload, 'base64url').toString());
}
