import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { beforeAll, expect, test } from 'vitest';
import { nameServers } from '#lib/look-up.ts';
import { afterFile } from '../after-file.ts';
import { startApi, type TestApi } from '../harness.ts';

/**
 * The attack: hosts whose name servers never answer. The system's resolver waits in one of two threads, so a few of them keep the
 * names of all other tenants waiting.
 */

let api: TestApi;
let token: string;
let location: string;
beforeAll(async () => {
  api = await startApi();
  token = (await api.user('tenant-admin')).token;
  location = await api.location(token, 'Otel');
  const server = createSocket('udp4', (query, { port, address }) => {
    if (query.includes('evil')) return;
    const answer = Buffer.from(query);
    answer.writeUInt16BE(0x8180, 2);
    const isIpv4 = query.includes(Buffer.from([0, 1, 0, 1]), 12);
    const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 9, 9, 9, 9]);
    const question = answer.subarray(0, 12 + answer.subarray(12).indexOf(Buffer.from([0, isIpv4 ? 1 : 28, 0, 1])) + 4);
    question.writeUInt16BE(isIpv4 ? 1 : 0, 6);
    question.writeUInt16BE(0, 10);
    server.send(isIpv4 ? Buffer.concat([question, record]) : question, port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  nameServers.push(`127.0.0.1:${server.address().port}`);
  afterFile(() => {
    nameServers.length = 0;
    server.close();
  });
});

const add = async (host: string) =>
  (await api.post(`panel/location/${location}/printers`, { token, body: { name: host, host } })).status;

test('names that are never answered end, and do not keep another name waiting', async () => {
  const ended: string[] = [];
  const evil = Array.from({ length: 20 }, async (_, n) => {
    const status = await add(`p${n}.evil.example`);
    ended.push('evil');
    return status;
  });
  const good = add('printer.good.example').then(status => {
    ended.push('good');
    return status;
  });
  expect(await good).toBe(201);
  expect(ended).toEqual(['good']);
  expect(new Set(await Promise.all(evil))).toEqual(new Set([422]));
});
