import { createHash, createHmac } from 'node:crypto';

/*
 * AWS Signature Version 4, computed apart from the product's library as the specification describes it. The stand-in for S3
 * checks requests with it.
 */
interface Key {
  readonly region: string;
  readonly keyId: string;
  readonly secret: string;
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
/** Escapes all but the unreserved characters of RFC 3986. */
const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, c => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/** The signature of a request. `headers` holds the signed ones, by lower-case names. */
export function signatureOf(
  it: { method: string; url: URL; headers: Readonly<Record<string, string>> },
  { region, secret }: Key,
): string {
  const names = Object.keys(it.headers).sort();
  const moment = it.headers['x-amz-date'] ?? '';
  const query = [...it.url.searchParams].map(([key, value]) => `${encode(key)}=${encode(value)}`).sort();
  const canonical = [
    it.method,
    it.url.pathname
      .split('/')
      .map(part => encode(decodeURIComponent(part)))
      .join('/'),
    query.join('&'),
    ...names.map(name => `${name}:${it.headers[name]?.trim()}`),
    '',
    names.join(';'),
    it.headers['x-amz-content-sha256'],
  ].join('\n');
  const scope = `${moment.slice(0, 8)}/${region}/s3/aws4_request`;
  const hash = createHash('sha256').update(canonical).digest('hex');
  const key = [region, 's3', 'aws4_request'].reduce(hmac, hmac(`AWS4${secret}`, moment.slice(0, 8)));
  return hmac(key, ['AWS4-HMAC-SHA256', moment, scope, hash].join('\n')).toString('hex');
}

/** Whether a request carries a valid signature over its host, its date and the hash of its body. */
export function isSigned(
  request: { method: string; url: URL; headers: Readonly<Record<string, string | string[] | undefined>> },
  key: Key,
): boolean {
  const given =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), *SignedHeaders=([^,]+), *Signature=([0-9a-f]{64})$/.exec(
      String(request.headers['authorization']),
    ) ?? [];
  const [, credential, signed = '', signature] = given;
  const names = signed.split(';');
  if (!['host', 'x-amz-content-sha256', 'x-amz-date'].every(name => names.includes(name))) return false;
  const headers = Object.fromEntries(names.map(name => [name, String(request.headers[name])]));
  const day = headers['x-amz-date']!.slice(0, 8);
  return (
    credential === `${key.keyId}/${day}/${key.region}/s3/aws4_request` &&
    signature === signatureOf({ method: request.method, url: request.url, headers }, key)
  );
}
