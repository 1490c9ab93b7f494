import { createHash } from 'node:crypto';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AwsV4Signer } from 'aws4fetch';

/** A bucket of an S3-compatible store, addressed by path: `https://host/bucket/prefix`. */
export interface Bucket {
  readonly url: string;
  readonly region: string;
  readonly keyId: string;
  readonly secret: string;
}

export interface S3 {
  /** Keeps a file; the store refuses it unless its SHA-256 (hex) is this one. */
  readonly put: (key: string, file: { body: Readable; bytes: number; sha256: string }) => Promise<void>;
  /** Undefined when there is no such file. */
  readonly get: (key: string) => Promise<Readable | undefined>;
  readonly has: (key: string) => Promise<boolean>;
  readonly remove: (key: string) => Promise<void>;
  /** The keys that begin with a text. */
  readonly list: (prefix: string) => Promise<string[]>;
}

const emptyHash = createHash('sha256').update('').digest('hex');
const timeoutMs = 60_000;

async function textOf(answer: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of answer.setEncoding('utf8')) if (text.length < 4_000_000) text += part;
  return text;
}

/** A client of a bucket. A refusal of the store is thrown with the store's code. */
export function createS3(bucket: Bucket): S3 {
  const base = bucket.url.replace(/\/+$/, '');
  const [, root = '', prefix = ''] = /^(https?:\/\/[^/]+\/[^/]+)\/?(.*)$/.exec(base) ?? [];
  const within = prefix ? `${prefix}/` : '';

  async function send(
    method: string,
    url: URL,
    file?: { body: Readable; bytes: number; sha256: string },
  ): Promise<IncomingMessage> {
    const signer = new AwsV4Signer({
      method,
      url: url.href,
      headers: { 'x-amz-content-sha256': file?.sha256 ?? emptyHash },
      accessKeyId: bucket.keyId,
      secretAccessKey: bucket.secret,
      service: 's3',
      region: bucket.region,
    });
    const headers = {
      ...Object.fromEntries((await signer.sign()).headers),
      ...(file ? { 'content-length': String(file.bytes) } : {}),
    };
    const begin = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const request = begin(url, { method, headers, timeout: timeoutMs });
    request.on('timeout', () => request.destroy(new Error('The log store did not answer in time')));
    const answer = new Promise<IncomingMessage>((resolve, reject) => {
      request.on('response', resolve);
      request.on('error', reject);
    });
    if (file) await Promise.all([answer.catch(() => undefined), pipeline(file.body, request).catch(() => undefined)]);
    else request.end();
    return answer;
  }

  /** The answer when it is a success; undefined for a 404. */
  async function ask(...call: Parameters<typeof send>): Promise<IncomingMessage | undefined> {
    const answer = await send(...call);
    const status = answer.statusCode ?? 0;
    if (status >= 200 && status < 300) return answer;
    const said = await textOf(answer);
    if (status === 404) return undefined;
    throw new Error(`The log store refused ${call[0]}: ${status} ${/<Code>([^<]{1,80})/.exec(said)?.[1] ?? ''}`);
  }

  const at = (key: string): URL => new URL(`${base}/${key}`);
  return {
    async put(key, file) {
      const answer = await ask('PUT', at(key), file);
      if (!answer) throw new Error('The log store has no such bucket');
      answer.resume();
    },
    get: key => ask('GET', at(key)),
    async has(key) {
      const answer = await ask('HEAD', at(key));
      answer?.resume();
      return answer !== undefined;
    },
    async remove(key) {
      (await ask('DELETE', at(key)))?.resume();
    },
    async list(start) {
      const keys: string[] = [];
      for (let token: string | undefined = ''; token !== undefined; ) {
        const url = new URL(root);
        url.searchParams.set('list-type', '2');
        url.searchParams.set('prefix', within + start);
        if (token) url.searchParams.set('continuation-token', token);
        const answer = await ask('GET', url);
        const text = answer ? await textOf(answer) : '';
        for (const [, key = ''] of text.matchAll(/<Key>([^<]*)<\/Key>/g)) keys.push(key.slice(within.length));
        token = /<NextContinuationToken>([^<]+)</.exec(text)?.[1];
      }
      return keys;
    },
  };
}
