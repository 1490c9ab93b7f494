import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import Fastify from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freePort } from '#test/process.ts';
import { connectionsOf } from '../../services/http-connections.ts';
import { startWebServer } from '../../services/web-server.ts';

/**
 * The attack: a stranger opens thousands of connections to the panel or the guest portal, and sends nothing or never ends a
 * request. Each costs an open file, and guests find no place.
 */

const most = 40;
const [stranger, guest] = ['127.0.0.1', '127.0.0.2'];
let port: number;
let held: PromiseWithResolvers<void>;
let stop: () => Promise<void>;
let sockets: Socket[];
let begun: number;
const agent = () => new Agent({ keepAlive: true, localAddress: guest, maxSockets: 1 });

beforeEach(async () => {
  held = Promise.withResolvers();
  sockets = [];
  begun = 0;
  port = await freePort();
  const server = Fastify();
  server.get('/page', () => 'page');
  server.get('/slow', () => {
    begun += 1;
    return held.promise.then(() => 'slow');
  });
  server.post('/form', () => 'form');
  const options = { port, readiness: { process: 'running' as const }, finishMs: 5000 };
  ({ stop } = await startWebServer(server, { ...options, host: '0.0.0.0', maxConnections: most }));
});
afterEach(async () => {
  held.resolve();
  for (const socket of sockets) socket.destroy();
  await stop();
});

/** Opens connections of the stranger, one after another, and sends a text on each. */
async function open(count: number, text: string): Promise<void> {
  for (let i = 0; i < count; i += 1)
    await new Promise<void>(resolve => {
      const socket = connect({ port, host: '127.0.0.1', localAddress: stranger }, () => {
        if (text) socket.write(text);
        resolve();
      });
      socket.on('error', () => resolve()).resume();
      sockets.push(socket);
    });
}

const ask = (by: Agent, path: string) =>
  new Promise<string>((resolve, reject) => {
    request({ agent: by, host: '127.0.0.1', port, path }, answer => {
      let text = '';
      answer.on('data', chunk => (text += chunk)).on('end', () => resolve(text));
    })
      .on('error', reject)
      .end();
  });

test.for([
  ['nothing', ''],
  ['half a head', 'GET /page HTTP/1.1\r\nHost: x\r\nX-A: '],
  ['half a form', 'POST /form HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{'],
])('a stranger who opens five times as many and sends %s keeps no guest out', async ([, text]) => {
  const mine = agent();
  expect(await ask(mine, '/page')).toBe('page');
  const slow = agent();
  const answer = ask(slow, '/slow');
  await expect.poll(() => begun).toBe(1);
  await open(most * 5, text!);
  expect(await ask(mine, '/page'), 'on the connection from before').toBe('page');
  const other = agent();
  expect(await ask(other, '/page'), 'on a new one').toBe('page');
  held.resolve();
  expect(await answer, 'a request that ran meanwhile').toBe('slow');
  await expect.poll(() => sockets.filter(it => !it.closed).length).toBeLessThanOrEqual(most);
  for (const one of [mine, slow, other]) one.destroy();
});

test('requests that are being answered are not cut off for others', async () => {
  const busy = Array.from({ length: most }, agent);
  const answers = busy.map(it => ask(it, '/slow'));
  await expect.poll(() => begun).toBe(most);
  const late = agent();
  await expect(ask(late, '/page')).rejects.toThrow();
  held.resolve();
  expect(new Set(await Promise.all(answers))).toEqual(new Set(['slow']));
  expect(await ask(late, '/page')).toBe('page');
  for (const one of [...busy, late]) one.destroy();
});

test('a third of the files that the process may open is for connections of a web server', () => {
  const limits = (files: string) => `Limit  Soft  Hard  Units\nMax open files            ${files}  files\n`;
  expect(connectionsOf(limits('3000 4000'))).toBe(1000);
  expect(connectionsOf(limits('1048576 1048576'))).toBe(10_000);
  expect(connectionsOf(limits('unlimited unlimited'))).toBe(10_000);
  expect(connectionsOf('')).toBe(10_000);
  expect(connectionsOf(limits('50 50'))).toBe(100);
});
