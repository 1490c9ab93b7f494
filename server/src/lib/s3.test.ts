import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AwsV4Signer } from 'aws4fetch';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { createS3 } from './s3.ts';
import { startBucket } from './testing/s3-stand-in.ts';
import { isSigned, signatureOf } from './testing/sigv4.ts';

// The examples of "Authenticating Requests: Using the Authorization Header (AWS Signature Version 4)".
const key = {
  region: 'us-east-1',
  keyId: 'AKIAIOSFODNN7EXAMPLE',
  secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};
const base = 'https://examplebucket.s3.amazonaws.com/';
const headers = {
  host: 'examplebucket.s3.amazonaws.com',
  'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  'x-amz-date': '20130524T000000Z',
};
const { host: _, ...sent } = headers;
const signer = (url: string) =>
  new AwsV4Signer({
    ...{ method: 'GET', url, headers: sent, service: 's3', region: key.region, datetime: '20130524T000000Z' },
    ...{ accessKeyId: key.keyId, secretAccessKey: key.secret },
  });

test('the computation of the stand-in gives the published signatures', () => {
  const of = (url: string, more = {}) =>
    signatureOf({ method: 'GET', url: new URL(url), headers: { ...headers, ...more } }, key);
  expect(of(`${base}test.txt`, { range: 'bytes=0-9' })).toBe(
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  );
  expect(of(`${base}?max-keys=2&prefix=J`)).toBe('34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7');
});

test('the library gives the published signature', async () => {
  expect(await signer(`${base}?max-keys=2&prefix=J`).signature()).toBe(
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  );
});

test('both agree on keys and prefixes with signs and spaces; a changed request is refused', async () => {
  for (const path of ['a%20b/(c)*!.gz', "?list-type=2&prefix=records/Ölçer Otel/a+b&x='"]) {
    const signed = await signer(base + path).sign();
    const request = {
      method: 'GET',
      url: signed.url,
      headers: { ...Object.fromEntries(signed.headers), host: headers.host },
    };
    expect(isSigned(request, key), path).toBe(true);
    expect(isSigned({ ...request, method: 'DELETE' }, key)).toBe(false);
    expect(isSigned(request, { ...key, secret: 'another' })).toBe(false);
  }
});

const stand = { region: 'eu-test-1', keyId: 'portico', secret: 'a secret key of tests' };
const bucket = await startBucket('kova', stand);
afterAll(() => bucket.close());
const s3 = createS3({ url: `${bucket.url}/kova/pre`, ...stand, name: 'store' }, { firstPart: 100 });
async function* inChunks(bytes: Buffer, size = 33): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

test.each([0, 1, 99, 100, 101, 1000, 1001])('content of an unknown length is kept whole: %i bytes', async size => {
  const content = Buffer.from(Array.from({ length: size }, (_, n) => n % 251));
  await s3.putStream('a b/Ölçü+&<.bin', inChunks(content));
  expect(bucket.files.get('pre/a b/Ölçü+&<.bin')?.equals(content)).toBe(true);
  expect(await s3.list('a ')).toEqual(['a b/Ölçü+&<.bin']);
  expect(await s3.folders()).toEqual(['a b']);
  expect(Buffer.concat(await Array.fromAsync((await s3.get('a b/Ölçü+&<.bin'))!)).equals(content)).toBe(true);
  expect(bucket.uploads.size).toBe(0);
});

test('a refused part is sent again when the store is overloaded, and not when it forbids or lacks it', async () => {
  const patient = createS3(
    { url: `${bucket.url}/kova/pre`, ...stand, name: 'store' },
    { firstPart: 100, pauses: [1, 1] },
  );
  const content = Buffer.alloc(250, 'x');
  let asked = 0;
  bucket.refuse(method => (method === 'PUT' && ++asked % 3 !== 0 ? 503 : undefined));
  await patient.putStream('again', inChunks(content));
  expect(bucket.files.get('pre/again')?.equals(content)).toBe(true);
  expect(asked, 'three parts, each sent three times').toBe(9);
  bucket.refuse(method => (method === 'PUT' && ++asked ? 403 : undefined));
  await expect(patient.putStream('forbidden', inChunks(content))).rejects.toThrow('The store refused PUT: 403');
  expect([asked, bucket.uploads.size]).toEqual([10, 0]);
  bucket.refuse(method => (method === 'GET' && ++asked ? 501 : undefined));
  await expect(patient.endUploads('')).rejects.toThrow('The store refused GET: 501');
  expect(asked).toBe(11);
  bucket.refuse(503);
  await expect(patient.putStream('overloaded', inChunks(content))).rejects.toThrow('The store refused POST: 503');
  bucket.refuse(undefined);
  await patient.remove('again');
});

test('an answer that breaks off goes on where it ended, unless the file is another one meanwhile', async () => {
  const patient = createS3({ url: `${bucket.url}/kova/pre`, ...stand, name: 'store' }, { pauses: [1, 1] });
  const content = Buffer.from(Array.from({ length: 1000 }, (_, n) => n % 251));
  await s3.putStream('long', inChunks(content));
  const read = async (from: typeof s3) => Buffer.concat(await Array.fromAsync((await from.get('long'))!));
  let asked = 0;
  bucket.breakOff(() => (++asked < 4 ? 300 : undefined));
  expect((await read(patient)).equals(content)).toBe(true);
  expect(asked, 'three answers broke off').toBe(4);
  asked = 0;
  bucket.breakOff(() => {
    asked += 1;
    return 0;
  });
  await expect(read(patient)).rejects.toThrow('The store broke off an answer: aborted');
  expect(asked, 'nothing arrived in three attempts').toBe(3);
  bucket.breakOff(() => {
    bucket.files.set('pre/long', Buffer.alloc(1000));
    return 300;
  });
  await expect(read(patient)).rejects.toThrow('The store refused GET: 412 PreconditionFailed');
  bucket.breakOff(undefined);
  await patient.remove('long');
});

test('a reader who goes while the store is silent lets its answer go, and does not ask again', async () => {
  let asked = 0;
  const gone = Promise.withResolvers<void>();
  const silent = createServer((_request, response) => {
    asked += 1;
    response.on('close', () => gone.resolve());
    response.writeHead(200, { 'content-length': 1000 }).write(Buffer.alloc(300));
  });
  onTestFinished(() => {
    silent.closeAllConnections();
    silent.close();
  });
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/kova`;
  const stream = (await createS3({ url, ...stand, name: 'store' }, { pauses: [1, 1] }).get('long'))!;
  await once(stream, 'readable');
  expect(stream.read()).toHaveLength(300);
  // Now the rest is awaited.
  const closed = once(stream, 'close');
  stream.destroy();
  await Promise.all([closed, gone.promise]);
  expect(asked).toBe(1);
});

test('a file in parts is kept although the answers to its begin and its end break off, or its end fails with a 200', async () => {
  const patient = createS3(
    { url: `${bucket.url}/kova/pre`, ...stand, name: 'store' },
    { firstPart: 400, pauses: [1, 1, 1] },
  );
  const content = Buffer.alloc(1000, 'x');
  let posts = 0;
  bucket.breakOff((_name, method) => (method === 'POST' && ++posts % 2 ? 3 : undefined));
  await patient.putStream('parts', inChunks(content));
  expect(posts, 'one begin is repeated, and the end is over').toBe(3);
  bucket.breakOff(undefined);
  expect(bucket.files.get('pre/parts')?.equals(content)).toBe(true);
  await patient.remove('parts');
  expect(bucket.uploads.size, 'the upload whose begin was not answered has ended').toBe(0);
  bucket.fail(2);
  await patient.putStream('parts', inChunks(content));
  expect(bucket.files.get('pre/parts')?.equals(content)).toBe(true);
  await patient.remove('parts');
});

test('a file in parts is kept although the store answers that it failed to join them', async () => {
  const patient = createS3(
    { url: `${bucket.url}/kova/pre`, ...stand, name: 'store' },
    { firstPart: 400, pauses: [1, 1] },
  );
  const content = Buffer.alloc(1000, 'x');
  bucket.failAfterJoining(500);
  for (const store of [s3, patient]) {
    await store.putStream('joined', inChunks(content));
    expect(bucket.files.get('pre/joined')?.equals(content)).toBe(true);
    await store.remove('joined');
  }
  bucket.failAfterJoining(undefined);
  // An earlier file with the same name does not belong to this upload.
  await s3.putStream('joined', inChunks(Buffer.alloc(10)));
  bucket.fail(9);
  await expect(patient.putStream('joined', inChunks(content))).rejects.toThrow('The store refused POST: InternalError');
  bucket.fail(0);
  expect([bucket.files.get('pre/joined')?.length, bucket.uploads.size]).toEqual([10, 0]);
  await s3.remove('joined');
});

test('uploads whose begin was not answered end, and others stay', async () => {
  const patient = createS3(
    { url: `${bucket.url}/kova/pre`, ...stand, name: 'store' },
    { firstPart: 400, pauses: [1, 1] },
  );
  for (const other of ['a&b/parts', 'a&b/parts2', 'c/parts'])
    bucket.uploads.set(`old&${other}`, { key: `pre/${other}`, parts: new Map() });
  let posts = 0;
  bucket.breakOff((_name, method) => (method === 'POST' && ++posts < 3 ? 3 : undefined));
  await patient.putStream('a&b/parts', inChunks(Buffer.alloc(1000)));
  bucket.breakOff(undefined);
  expect([...bucket.uploads.keys()]).toEqual(['old&a&b/parts2', 'old&c/parts']);
  await patient.endUploads('a&b/');
  expect([...bucket.uploads.keys()]).toEqual(['old&c/parts']);
  bucket.uploads.clear();
  await patient.remove('a&b/parts');
});

test.each([
  ['has no mark', ''],
  ['is the first one again', '<NextKeyMarker>a</NextKeyMarker><NextUploadIdMarker>1</NextUploadIdMarker>'],
])('a list of uploads ends although its next page %s', async (_, next) => {
  const ended: string[] = [];
  const store = createServer(({ method, url }, response) => {
    if (method === 'DELETE') ended.push(url!);
    response.end(`<X><IsTruncated>true</IsTruncated>${next}<Upload><Key>a</Key><UploadId>1</UploadId></Upload></X>`);
  });
  onTestFinished(() => {
    store.closeAllConnections();
    store.close();
  });
  await once(store.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(store.address() as AddressInfo).port}/kova`;
  await createS3({ url, ...stand, name: 'store' }).endUploads('');
  expect(new Set(ended)).toEqual(new Set(['/kova/a?uploadId=1']));
});

test('of content that ends with an error, or whose part is refused, nothing is kept', async () => {
  async function* broken() {
    yield Buffer.alloc(250);
    throw new Error('the disk failed');
  }
  await expect(s3.putStream('broken', broken())).rejects.toThrow('the disk failed');
  let parts = 0;
  bucket.refuse(method => (method === 'PUT' && ++parts === 2 ? 503 : undefined));
  await expect(s3.putStream('broken', inChunks(Buffer.alloc(1000)))).rejects.toThrow('The store refused PUT: 503');
  bucket.refuse(undefined);
  expect([...bucket.files.keys()].filter(name => name.includes('broken'))).toEqual([]);
  expect(bucket.uploads.size).toBe(0);
});

test('a key cannot lead out of the prefix', async () => {
  for (const name of ['../x', 'a/../../x', 'a//x', './x', 'a/..'])
    for (const call of [s3.get, s3.remove, s3.has, (key: string) => s3.putStream(key, inChunks(Buffer.alloc(1)))])
      await expect(call(name), name).rejects.toThrow('cannot have the key');
});
