import { createHash } from 'node:crypto';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { retryAfterMs } from './retry-after.ts';
import { steadilyRead } from './s3-read.ts';

/** A bucket of an S3-compatible store, addressed by path: `https://host/bucket/prefix`. */
export interface Bucket {
  readonly url: string;
  readonly region: string;
  readonly keyId: string;
  readonly secret: string;
  /** The store in the errors, such as `log store`. */
  readonly name: string;
}

export interface S3 {
  /** Keeps a file; the store refuses it unless its SHA-256 (hex) is this one. */
  readonly put: (key: string, file: { body: Readable; bytes: number; sha256: string }) => Promise<void>;
  /** Keeps content of an unknown length as a new file, piece by piece. A file of which a part is missing is never seen. */
  readonly putStream: (key: string, content: AsyncIterable<Buffer>) => Promise<void>;
  /** Undefined when there is no such file. With pauses, an answer that breaks off goes on where it ended. */
  readonly get: (key: string) => Promise<Readable | undefined>;
  readonly has: (key: string) => Promise<boolean>;
  readonly remove: (key: string) => Promise<void>;
  /** The keys that begin with a text. */
  readonly list: (prefix: string) => Promise<string[]>;
  /** The folders directly below the bucket or its prefix. */
  readonly folders: () => Promise<string[]>;
}

const emptyHash = createHash('sha256').update('').digest('hex');
const timeoutMs = 60_000;
/** S3 takes 10,000 parts of a file, so parts become larger: 16 GB with the first size, 1 TB in all. */
const partBytes = (part: number, first: number): number => first * (1 + Math.floor((part - 1) / 1000) * 1.5);

async function textOf(answer: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of answer.setEncoding('utf8')) if (text.length < 4_000_000) text += part;
  return text;
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const fromXml = (text: string): string => text.replaceAll(/&(\w+);/g, (all, name: string) => entities[name] ?? all);
const hashOf = (body: Buffer): string => createHash('sha256').update(body).digest('hex');
/** `..` in a key would lead to another one, because URLs are made shorter. */
const isPlain = (key: string): boolean => !key.split('/').some(it => it === '.' || it === '..' || it === '');

/** Parts of growing size; a short last one, perhaps without content. */
async function* partsOf(content: AsyncIterable<Buffer>, first: number): AsyncGenerator<Buffer, void> {
  let [part, bytes, held] = [1, 0, [] as Buffer[]];
  for await (let chunk of content)
    while (chunk.length > 0) {
      const size = partBytes(part, first);
      const taken = chunk.subarray(0, size - bytes);
      held.push(taken);
      bytes += taken.length;
      chunk = chunk.subarray(taken.length);
      if (bytes < size) continue;
      yield Buffer.concat(held);
      [part, bytes, held] = [part + 1, 0, []];
    }
  yield Buffer.concat(held);
}

/** Whether S3 is overloaded or fails, so that the same request may succeed later. */
const isTemporary = (status: number): boolean => status === 429 || status >= 500;
/** The same, after the store has sent the status 200 already. */
const failure = /<Error>\s*<Code>(InternalError|ServiceUnavailable|SlowDown)</;
/** The longest wait that a store may ask for. */
const longestPauseMs = 60_000;

type Headers = Readonly<Record<string, string>>;

interface Content {
  readonly body: Readable | Buffer;
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * A client of a bucket. A refusal of the store is thrown with the store's code. `pauses`: the milliseconds after which a request
 * whose content is in memory is repeated when the store is overloaded or cannot be reached. A store may ask for longer ones.
 */
export function createS3(
  bucket: Bucket,
  { firstPart = 16 * 1024 * 1024, pauses = [] }: { firstPart?: number; pauses?: readonly number[] } = {},
): S3 {
  const base = bucket.url.replace(/\/+$/, '');
  const [, root = '', prefix = ''] = /^(https?:\/\/[^/]+\/[^/]+)\/?(.*)$/.exec(base) ?? [];
  const within = prefix ? `${prefix}/` : '';

  async function send(method: string, url: URL, file?: Content, more: Headers = {}): Promise<IncomingMessage> {
    const signer = new AwsV4Signer({
      method,
      url: url.href,
      headers: { 'x-amz-content-sha256': file?.sha256 ?? emptyHash, ...more },
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
    request.on('timeout', () => request.destroy(new Error(`The ${bucket.name} did not answer in time`)));
    const answer = new Promise<IncomingMessage>((resolve, reject) => {
      request.on('response', resolve);
      request.on('error', error =>
        // A time-out says so itself.
        reject('code' in error ? new Error(`The ${bucket.name} cannot be reached: ${error.message}`) : error),
      );
    });
    if (file?.body instanceof Readable)
      await Promise.all([answer.catch(() => undefined), pipeline(file.body, request).catch(() => undefined)]);
    else request.end(file?.body);
    return answer;
  }

  /** The answer when it is a success; undefined for a 404. */
  async function ask(method: string, url: URL, file?: Content, more?: Headers): Promise<IncomingMessage | undefined> {
    const mayRepeat = !(file?.body instanceof Readable);
    for (let tries = 0; ; tries += 1) {
      const pause = mayRepeat ? pauses[tries] : undefined;
      const answer = await send(method, url, file, more).catch((error: unknown) => {
        if (pause === undefined) throw error;
      });
      const status = answer?.statusCode ?? 0;
      if (answer && status >= 200 && status < 300) return answer;
      const said = answer ? await textOf(answer).catch(() => '') : '';
      if (status === 404) return undefined;
      if (answer && !(isTemporary(status) && pause !== undefined))
        throw new Error(
          `The ${bucket.name} refused ${method}: ${status} ${/<Code>([^<]{1,80})/.exec(said)?.[1] ?? ''}`,
        );
      const asked = retryAfterMs(answer?.headers['retry-after']) ?? 0;
      await sleep(Math.max(pause ?? 0, Math.min(asked, longestPauseMs)));
    }
  }

  async function get(key: string): Promise<Readable | undefined> {
    const url = at(key);
    const answer = await ask('GET', url);
    if (!answer || pauses.length === 0) return answer;
    return steadilyRead(answer, more => ask('GET', url, undefined, more), { pauses, name: bucket.name });
  }

  const at = (key: string): URL => {
    if (!isPlain(key)) throw new Error(`The ${bucket.name} cannot have the key ${key}`);
    return new URL(`${base}/${key.split('/').map(encodeURIComponent).join('/')}`);
  };
  const withQuery = (key: string, query: Record<string, string>): URL => {
    const url = at(key);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url;
  };
  const sendBytes = (method: string, url: URL, body: Buffer) =>
    ask(method, url, { body, bytes: body.length, sha256: hashOf(body) });

  /** The text of an answer. It is asked for again if it breaks off, or is a failure with the status 200. Undefined for a 404. */
  async function read(send: () => Promise<IncomingMessage | undefined>): Promise<string | undefined> {
    for (let tries = 0; ; tries += 1) {
      const answer = await send();
      const text = answer && (await textOf(answer).catch((error: Error) => error));
      const pause = pauses[tries];
      if (text instanceof Error) {
        if (pause === undefined) throw new Error(`The ${bucket.name} broke off an answer: ${text.message}`);
      } else if (pause === undefined || !text || !failure.test(text)) return text;
      await sleep(pause);
    }
  }

  /** The answers of the pages of a list. */
  async function* pages(query: Record<string, string>): AsyncGenerator<string> {
    for (let token: string | undefined = ''; token !== undefined; ) {
      const url = new URL(root);
      url.searchParams.set('list-type', '2');
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
      if (token) url.searchParams.set('continuation-token', token);
      const text = await read(() => ask('GET', url));
      if (text === undefined) throw new Error(`The ${bucket.name} has no such bucket`);
      yield text;
      token = /<NextContinuationToken>([^<]+)</.exec(text)?.[1];
    }
  }

  async function has(key: string): Promise<boolean> {
    const answer = await ask('HEAD', at(key));
    answer?.resume();
    return answer !== undefined;
  }

  async function putParts(key: string, first: Buffer, rest: AsyncGenerator<Buffer, void>): Promise<void> {
    const begun = await read(() => ask('POST', withQuery(key, { uploads: '' })));
    const upload = /<UploadId>([^<]+)</.exec(begun ?? '')?.[1];
    if (!upload) throw new Error(`The ${bucket.name} has no such bucket`);
    try {
      const tags: string[] = [];
      for (let body: Buffer | undefined = first; body?.length; ) {
        const query = { partNumber: String(tags.length + 1), uploadId: fromXml(upload) };
        const answer = await sendBytes('PUT', withQuery(key, query), body);
        if (!answer?.headers.etag) throw new Error(`The ${bucket.name} did not keep a part`);
        answer.resume();
        tags.push(answer.headers.etag);
        const next = await rest.next();
        body = next.done ? undefined : next.value;
      }
      const list = tags.map((tag, n) => `<Part><PartNumber>${n + 1}</PartNumber><ETag>${tag}</ETag></Part>`).join('');
      const whole = Buffer.from(`<CompleteMultipartUpload>${list}</CompleteMultipartUpload>`);
      const said = await read(() => sendBytes('POST', withQuery(key, { uploadId: fromXml(upload) }), whole));
      // If only the answer to an earlier attempt was lost, the upload is unknown now, and the file is there.
      const isKept = said?.includes('<CompleteMultipartUploadResult') ?? (pauses.length > 0 && (await has(key)));
      if (!isKept)
        throw new Error(`The ${bucket.name} refused the parts: ${/<Code>([^<]{1,80})/.exec(said ?? '')?.[1] ?? ''}`);
    } catch (error) {
      const ended = ask('DELETE', withQuery(key, { uploadId: fromXml(upload) }));
      await ended.then(answer => answer?.resume()).catch(() => undefined);
      throw error;
    }
  }

  return {
    async put(key, file) {
      const answer = await ask('PUT', at(key), file);
      if (!answer) throw new Error(`The ${bucket.name} has no such bucket`);
      answer.resume();
    },
    get,
    has,
    async remove(key) {
      (await ask('DELETE', at(key)))?.resume();
    },
    async putStream(key, content) {
      const parts = partsOf(content, firstPart);
      const begun = await parts.next();
      const first = begun.done ? Buffer.alloc(0) : begun.value;
      if (first.length >= firstPart) return putParts(key, first, parts);
      const answer = await sendBytes('PUT', at(key), first);
      if (!answer) throw new Error(`The ${bucket.name} has no such bucket`);
      answer.resume();
    },
    async list(start) {
      const keys: string[] = [];
      for await (const text of pages({ prefix: within + start }))
        for (const [, key = ''] of text.matchAll(/<Key>([^<]*)<\/Key>/g)) keys.push(fromXml(key).slice(within.length));
      return keys;
    },
    async folders() {
      const names: string[] = [];
      const folder = /<CommonPrefixes>\s*<Prefix>([^<]*)<\/Prefix>/g;
      for await (const text of pages({ prefix: within, delimiter: '/' }))
        for (const [, name = ''] of text.matchAll(folder)) names.push(fromXml(name).slice(within.length, -1));
      return names;
    },
  };
}
