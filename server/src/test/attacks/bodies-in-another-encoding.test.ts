import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { startApi, type TestApi } from '../harness.ts';

/**
 * The attack: a body that is not what its reader takes it for. Bytes of another encoding became other names, and a compressed
 * upload kept its connection until the time for a request was over.
 */

let api: TestApi;
let admin: string;
beforeAll(async () => {
  api = await startApi();
  admin = (await api.user('tenant-admin')).token;
});

const send = (at: string, body: Buffer<ArrayBuffer> | string, headers: Record<string, string>) =>
  fetch(`${api.url}/v1/${at}`, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${admin}`, 'x-tenant': 'panel', ...headers },
  });
const json = 'application/json';
const locations = async () =>
  (await api.get('panel/location', { token: admin })).body.data.map((it: { name: string }) => it.name);

test.each([
  ['another charset', `${json}; charset=iso-8859-9`, Buffer.from('{"name":"Otel"}'), 415],
  ['UTF-16', `${json}; charset="utf-16le"`, Buffer.from('{"name":"Otel"}', 'utf16le'), 415],
  ['Latin-5 bytes', json, Buffer.from('{"name":"\xfd\xfe"}', 'latin1'), 400],
  ['half a character', json, Buffer.concat([Buffer.from('{"name":"a'), Buffer.of(0xc4), Buffer.from('"}')]), 400],
  [
    'an overlong slash',
    json,
    Buffer.concat([Buffer.from('{"name":"a'), Buffer.of(0xc0, 0xaf), Buffer.from('"}')]),
    400,
  ],
])('%s is refused, and nothing is stored', async (_, type, body, status) => {
  const before = await locations();
  const answer = await send('panel/location', body, { 'content-type': type });
  expect([answer.status, await locations()]).toEqual([status, before]);
});

test('a compressed upload is refused at once', async () => {
  const file = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nx\r\n--b--\r\n';
  const headers = { 'content-type': 'multipart/form-data; boundary=b', 'content-encoding': 'gzip' };
  const answer = await send('panel/client-import', gzipSync(file), headers);
  expect(answer.status).toBe(415);
});

test.each(['0x10', '1e1', '0b11', 'Infinity', '１'])('%s is no number', async sent => {
  const body = { name: 'Otel', location_id: '00000000-0000-4000-8000-000000000000', count: sent };
  const answer = await api.post('panel/voucher-batch', { token: admin, body });
  expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, expect.arrayContaining(['count'])]);
});

test('UTF-8 is read as ever, named or not, compressed or not', async () => {
  for (const [i, type] of [json, `${json};charset=UTF-8`, `${json}; charset="utf8"`].entries())
    expect((await send('panel/location', `{"name":"Ağrı ${i} 🏨"}`, { 'content-type': type })).status).toBe(201);
  const packed = gzipSync('{"name":"Ağrı 3 🏨"}');
  expect((await send('panel/location', packed, { 'content-type': json, 'content-encoding': 'gzip' })).status).toBe(201);
  expect((await locations()).sort()).toEqual([0, 1, 2, 3].map(i => `Ağrı ${i} 🏨`));
});
