import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { isSigned } from './sigv4.ts';

/** A fake bucket that checks signatures and hashes like S3. Its lists have two entries per page. */
export async function startBucket(bucket: string, key: { region: string; keyId: string; secret: string }) {
  const files = new Map<string, Buffer>();
  const uploads = new Map<string, { key: string; parts: Map<number, Buffer> }>();
  let refusing: ((method: string, name: string) => number | undefined) | undefined;
  let breaking: ((name: string, method: string) => number | undefined) | undefined;
  let failing = 0;
  let joining: number | undefined;
  let trusting = false;
  let begun = 0;
  let held: Promise<void> | undefined;
  let waiting = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const refuse = (status: number, code: string) =>
      response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`);
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    const method = request.method ?? '';
    const name = decodeURIComponent(url.pathname).replace(`/${bucket}/`, '');
    /** Ends an answer, or breaks it off. */
    const end = (content: Buffer) => {
      const arrives = breaking?.(name, method);
      if (arrives === undefined) return response.end(content);
      response.flushHeaders();
      return response.write(content.subarray(0, arrives), () => response.destroy());
    };
    if (held) {
      waiting += 1;
      await held;
    }
    const status = refusing?.(method, name);
    if (status) return refuse(status, 'SlowDown');
    if (!isSigned({ method, url, headers: request.headers }, key)) return refuse(403, 'SignatureDoesNotMatch');
    if (!trusting && createHash('sha256').update(body).digest('hex') !== request.headers['x-amz-content-sha256'])
      return refuse(400, 'XAmzContentSHA256Mismatch');
    if (url.pathname === `/${bucket}` && url.searchParams.get('list-type') === '2') {
      const prefix = url.searchParams.get('prefix') ?? '';
      const delimiter = url.searchParams.get('delimiter');
      const found = [...files.keys()].filter(it => it.startsWith(prefix)).sort();
      const below = (it: string) => prefix + it.slice(prefix.length).split('/')[0];
      const entries = delimiter ? [...new Set(found.map(it => (it === below(it) ? it : `${below(it)}/`)))] : found;
      const from = Number(url.searchParams.get('continuation-token') ?? 0);
      const more = from + 2 < entries.length ? `<NextContinuationToken>${from + 2}</NextContinuationToken>` : '';
      const shown = entries
        .slice(from, from + 2)
        .map(it => it.replaceAll('&', '&amp;').replaceAll('<', '&lt;'))
        .map(it =>
          it.endsWith('/')
            ? `<CommonPrefixes><Prefix>${it}</Prefix></CommonPrefixes>`
            : `<Contents><Key>${it}</Key></Contents>`,
        );
      return response.end(`<ListBucketResult>${shown.join('')}${more}</ListBucketResult>`);
    }
    if (method === 'GET' && url.searchParams.has('uploads')) {
      const open = [...uploads].filter(([, { key: of }]) => of.startsWith(url.searchParams.get('prefix') ?? ''));
      const from = open.findIndex(([id]) => id === url.searchParams.get('upload-id-marker')) + 1;
      const [next] = open.slice(from);
      const xml = (it: string) => it.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
      const marks = (tags: [string, string], [id, { key: of }]: (typeof open)[number]) =>
        `<${tags[0]}>${xml(of)}</${tags[0]}><${tags[1]}>${xml(id)}</${tags[1]}>`;
      return response.end(
        next
          ? `<X><IsTruncated>${open.length > from + 1}</IsTruncated>${marks(['NextKeyMarker', 'NextUploadIdMarker'], next)}
             <Upload>${marks(['Key', 'UploadId'], next)}</Upload></X>`
          : '<X><IsTruncated>false</IsTruncated></X>',
      );
    }
    const upload = url.searchParams.get('uploadId');
    if (method === 'POST' && url.searchParams.has('uploads')) {
      const id = `upload&${++begun}`;
      uploads.set(id, { key: name, parts: new Map() });
      return end(Buffer.from(`<X><UploadId>${id.replace('&', '&amp;')}</UploadId></X>`));
    }
    if (upload !== null) {
      const parts = uploads.get(upload)?.parts;
      if (!parts) return refuse(404, 'NoSuchUpload');
      if (method === 'PUT') {
        parts.set(Number(url.searchParams.get('partNumber')), body);
        return response.writeHead(200, { etag: `"${parts.size}"` }).end();
      }
      if (method === 'POST' && failing-- > 0) return response.end('<Error><Code>InternalError</Code></Error>');
      uploads.delete(upload);
      if (method === 'DELETE') return response.writeHead(204).end();
      const asked = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>"\1"/g)].map(([, n]) =>
        Number(n),
      );
      if (asked.length !== parts.size) return response.end('<Error><Code>InvalidPart</Code></Error>');
      files.set(name, Buffer.concat(asked.map(n => parts.get(n)!)));
      if (joining !== undefined) return refuse(joining, 'InternalError');
      return end(Buffer.from('<CompleteMultipartUploadResult/>'));
    }
    if (method === 'PUT') files.set(name, body);
    if (method === 'DELETE') return response.writeHead(files.delete(name) ? 204 : 404).end();
    const file = files.get(name);
    if (!file) return refuse(404, 'NoSuchKey');
    const etag = `"${createHash('md5').update(file).digest('hex')}"`;
    if ((request.headers['if-match'] ?? etag) !== etag) return refuse(412, 'PreconditionFailed');
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    const rest = file.subarray(from);
    response.writeHead(from > 0 ? 206 : 200, { etag, 'content-length': rest.length });
    if (method !== 'GET') return response.end();
    return end(rest);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    files,
    uploads,
    trusting: (whether: boolean) => {
      trusting = whether;
    },
    /** Answers requests with a status, or those for which the function gives one. */
    refuse: (status: number | typeof refusing) => {
      refusing = typeof status === 'number' ? () => status : status;
    },
    /** If the function gives a number for a file, so many bytes of the answer arrive, then the connection breaks. */
    breakOff: (when: typeof breaking) => {
      breaking = when;
    },
    /** Uploads that are completed are kept, and answered with this status all the same. */
    failAfterJoining: (status: number | undefined) => {
      joining = status;
    },
    /** Answers no request until the returned function is called. `held` counts those that wait or have waited. */
    hold: () => {
      let end: () => void = () => undefined;
      waiting = 0;
      held = new Promise(resolve => {
        end = resolve;
      });
      return () => {
        held = undefined;
        end();
      };
    },
    held: () => waiting,
    /** The next uploads that are completed fail so many times, with the status 200. */
    fail: (times: number) => {
      failing = times;
    },
    close: () => server.close(),
  };
}
