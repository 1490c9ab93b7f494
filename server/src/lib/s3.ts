import { createHash } from 'node:crypto';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AwsV4Signer } from 'aws4fetch';
import { retryAfterMs } from './retry-after.ts';
import { steadilyRead } from './s3-read.ts';
import { repeated, Temporary } from './s3-repeat.ts';

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
  /** Ends uploads in parts whose keys begin with a text. Their parts are no files, and take room. */
  readonly endUploads: (prefix: string) => Promise<void>;
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
const valueIn = (text: string, tag: string): string =>
  fromXml(new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(text)?.[1] ?? '');
const codeIn = (text: string): string => /<Code>([^<]{1,80})/.exec(text)?.[1] ?? '';
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

/** Whether S3 is overloaded or fails, so that the same request may succeed later. A call that the store lacks (501) may not. */
const isTemporary = (status: number): boolean => status === 429 || (status >= 500 && status !== 501);
/** The same, after the store has sent the status 200 already. */
const failure = /<Error>\s*<Code>(InternalError|ServiceUnavailable|SlowDown)</;

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
        reject(
          new Temporary('code' in error ? `The ${bucket.name} cannot be reached: ${error.message}` : error.message),
        ),
      );
    });
    if (file?.body instanceof Readable)
      await Promise.all([answer.catch(() => undefined), pipeline(file.body, request).catch(() => undefined)]);
    else request.end(file?.body);
    return answer;
  }

  /** The answer to one request when it is a success; undefined for a 404. */
  async function askOnce(
    method: string,
    url: URL,
    file?: Content,
    more?: Headers,
  ): Promise<IncomingMessage | undefined> {
    const answer = await send(method, url, file, more);
    const status = answer.statusCode ?? 0;
    if (status >= 200 && status < 300) return answer;
    const said = await textOf(answer).catch(() => '');
    if (status === 404) return undefined;
    const problem = `The ${bucket.name} refused ${method}: ${status} ${codeIn(said)}`;
    if (!isTemporary(status)) throw new Error(problem);
    throw new Temporary(problem, { asked: retryAfterMs(answer.headers['retry-after']) ?? 0 });
  }

  const ask = (method: string, url: URL, file?: Content, more?: Headers) =>
    repeated(file?.body instanceof Readable ? [] : pauses, () => askOnce(method, url, file, more));

  /** The text of the answer to one request. A failure may have the status 200. Undefined for a 404. */
  async function askTextOnce(method: string, url: URL, file?: Content): Promise<string | undefined> {
    const answer = await askOnce(method, url, file);
    if (!answer) return undefined;
    const text = await textOf(answer).catch((error: Error) => {
      throw new Temporary(`The ${bucket.name} broke off an answer: ${error.message}`, { cause: error });
    });
    if (failure.test(text)) throw new Temporary(`The ${bucket.name} refused ${method}: ${codeIn(text)}`);
    return text;
  }

  const askText = (method: string, url: URL, file?: Content) => repeated(pauses, () => askTextOnce(method, url, file));

  async function get(key: string): Promise<Readable | undefined> {
    const url = at(key);
    const answer = await ask('GET', url);
    if (!answer || pauses.length === 0) return answer;
    return steadilyRead(answer, more => askOnce('GET', url, undefined, more), { pauses, name: bucket.name });
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
  const contentOf = (body: Buffer): Content => ({ body, bytes: body.length, sha256: hashOf(body) });

  /** The answers of the pages of a list. */
  async function* pages(query: Record<string, string>): AsyncGenerator<string> {
    for (let token: string | undefined = ''; token !== undefined; ) {
      const url = new URL(root);
      url.searchParams.set('list-type', '2');
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
      if (token) url.searchParams.set('continuation-token', token);
      const text = await askText('GET', url);
      if (text === undefined) throw new Error(`The ${bucket.name} has no such bucket`);
      yield text;
      token = /<NextContinuationToken>([^<]+)</.exec(text)?.[1];
    }
  }

  /** Undefined when there is no such file. */
  async function sizeOf(key: string): Promise<number | undefined> {
    const answer = await ask('HEAD', at(key));
    answer?.resume();
    return answer && Number(answer.headers['content-length']);
  }

  /** The keys and ids of uploads that were begun and not ended. */
  async function uploadsOf(start: string): Promise<{ key: string; id: string }[]> {
    const found: { key: string; id: string }[] = [];
    for (let marks: [string, string] | undefined = ['', '']; marks; ) {
      const url = new URL(root);
      const [key, id]: [string, string] = marks;
      const query = { uploads: '', prefix: within + start, 'key-marker': key, 'upload-id-marker': id };
      for (const [name, value] of Object.entries(query))
        if (value || name === 'uploads') url.searchParams.set(name, value);
      const text = (await askText('GET', url)) ?? '';
      for (const [, upload = ''] of text.matchAll(/<Upload>(.*?)<\/Upload>/gs))
        found.push({ key: valueIn(upload, 'Key').slice(within.length), id: valueIn(upload, 'UploadId') });
      const next: [string, string] = [valueIn(text, 'NextKeyMarker'), valueIn(text, 'NextUploadIdMarker')];
      // Without a mark, or with the same one, the next page would be this one.
      const goesOn: boolean = next[0] !== '' && String(next) !== String(marks) && /<IsTruncated>true</.test(text);
      marks = goesOn ? next : undefined;
    }
    return found;
  }

  const endUpload = async (key: string, id: string): Promise<void> =>
    void (await ask('DELETE', withQuery(key, { uploadId: id })))?.resume();

  /** The id of a new upload. If the answer to an earlier attempt was lost, the upload of that one ends. */
  async function beginUpload(key: string): Promise<string> {
    let begun = 0;
    const text = await repeated(pauses, async () => {
      begun += 1;
      return askTextOnce('POST', withQuery(key, { uploads: '' }));
    });
    const id = valueIn(text ?? '', 'UploadId');
    if (!id) throw new Error(`The ${bucket.name} has no such bucket`);
    if (begun > 1) {
      // A key may lack the right to list uploads. The file matters more than the rest of an attempt.
      const others = await uploadsOf(key).catch(() => []);
      for (const it of others)
        if (it.key === key && it.id !== id) await endUpload(it.key, it.id).catch(() => undefined);
    }
    return id;
  }

  async function putParts(key: string, first: Buffer, rest: AsyncGenerator<Buffer, void>): Promise<void> {
    const id = await beginUpload(key);
    try {
      const tags: string[] = [];
      let bytes = 0;
      for (let body: Buffer | undefined = first; body?.length; ) {
        const query = { partNumber: String(tags.length + 1), uploadId: id };
        const answer = await ask('PUT', withQuery(key, query), contentOf(body));
        if (!answer?.headers.etag) throw new Error(`The ${bucket.name} did not keep a part`);
        answer.resume();
        tags.push(answer.headers.etag);
        bytes += body.length;
        const next = await rest.next();
        body = next.done ? undefined : next.value;
      }
      const list = tags.map((tag, n) => `<Part><PartNumber>${n + 1}</PartNumber><ETag>${tag}</ETag></Part>`).join('');
      const whole = Buffer.from(`<CompleteMultipartUpload>${list}</CompleteMultipartUpload>`);
      await complete(key, id, { whole, bytes });
    } catch (error) {
      await endUpload(key, id).catch(() => undefined);
      throw error;
    }
  }

  /** Joins the parts. The store may have done so although its answer was lost or a failure: the file is there then. */
  async function complete(key: string, id: string, { whole, bytes }: { whole: Buffer; bytes: number }): Promise<void> {
    const said = await askText('POST', withQuery(key, { uploadId: id }), contentOf(whole)).catch((error: unknown) => {
      if (error instanceof Temporary) return error;
      throw error;
    });
    if (typeof said === 'string') {
      if (said.includes('<CompleteMultipartUploadResult')) return;
      throw new Error(`The ${bucket.name} refused the parts: ${codeIn(said)}`);
    }
    // What is still to be joined ends first, so that the file does not appear after this.
    await endUpload(key, id).catch(() => undefined);
    if ((await sizeOf(key).catch(() => undefined)) === bytes) return;
    throw said ?? new Error(`The ${bucket.name} lost an upload`);
  }

  return {
    async put(key, file) {
      const answer = await ask('PUT', at(key), file);
      if (!answer) throw new Error(`The ${bucket.name} has no such bucket`);
      answer.resume();
    },
    get,
    has: async key => (await sizeOf(key)) !== undefined,
    async remove(key) {
      (await ask('DELETE', at(key)))?.resume();
    },
    async putStream(key, content) {
      const parts = partsOf(content, firstPart);
      const begun = await parts.next();
      const first = begun.done ? Buffer.alloc(0) : begun.value;
      if (first.length >= firstPart) return putParts(key, first, parts);
      const answer = await ask('PUT', at(key), contentOf(first));
      if (!answer) throw new Error(`The ${bucket.name} has no such bucket`);
      answer.resume();
    },
    async endUploads(start) {
      for (const { key, id } of await uploadsOf(start)) await endUpload(key, id);
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
