import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { nameServers, patience } from '#lib/look-up.ts';
import { afterFile } from '../after-file.ts';
import { startApi, type TestApi } from '../harness.ts';

/**
 * The attack: hosts whose name servers never answer. The system's resolver waits in one of two threads, so a few of them keep the
 * names of all other tenants waiting.
 */

let api: TestApi;
let token: string;
let location: string;
/** Answers the questions that wait. */
let answerAll: () => void;
beforeAll(async () => {
  api = await startApi();
  token = (await api.user('tenant-admin')).token;
  location = await api.location(token, 'Otel');
  const waiting: (() => void)[] = [];
  answerAll = () => {
    for (const answer of waiting.splice(0)) answer();
  };
  const server = createSocket('udp4', (query, { port, address }) => {
    const answer = Buffer.from(query);
    answer.writeUInt16BE(0x8180, 2);
    const isIpv4 = query.includes(Buffer.from([0, 1, 0, 1]), 12);
    const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 9, 9, 9, 9]);
    const question = answer.subarray(0, 12 + answer.subarray(12).indexOf(Buffer.from([0, isIpv4 ? 1 : 28, 0, 1])) + 4);
    question.writeUInt16BE(isIpv4 ? 1 : 0, 6);
    question.writeUInt16BE(0, 10);
    const send = () => server.send(isIpv4 ? Buffer.concat([question, record]) : question, port, address);
    if (query.includes('evil')) waiting.push(send);
    else send();
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  nameServers.push(`127.0.0.1:${server.address().port}`);
  const ofProduct = { ...patience };
  afterFile(() => {
    Object.assign(patience, ofProduct);
    nameServers.length = 0;
    server.close();
  });
});
// So long that a busy machine does not end a question early.
beforeEach(() => void Object.assign(patience, { ms: 300_000, ofServerMs: 300_000 }));

const add = async (host: string) =>
  (await api.post(`panel/location/${location}/printers`, { token, body: { name: host, host } })).status;
const addMany = (part: string) => Array.from({ length: 20 }, (_, n) => add(`p${n}.${part}.evil.example`));

test('names that are not answered do not keep another name waiting', async () => {
  let ended = 0;
  const evil = addMany('first').map(it => it.finally(() => (ended += 1)));
  expect(await add('printer.good.example')).toBe(201);
  expect(ended).toBe(0);
  answerAll();
  // A question may have come after the first answers.
  await expect.poll(() => (answerAll(), ended)).toBe(evil.length);
  expect(new Set(await Promise.all(evil))).toEqual(new Set([201]));
});

test('names that are never answered end', async () => {
  Object.assign(patience, { ms: 100, ofServerMs: 300_000 });
  expect(new Set(await Promise.all(addMany('second')))).toEqual(new Set([422]));
});
