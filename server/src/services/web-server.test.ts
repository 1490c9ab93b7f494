import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '#test/process.ts';
import type { Readiness } from './readiness.ts';
import type { Service } from './service.ts';
import { startWebServer } from './web-server.ts';

const readiness: Readiness = { process: 'running' };
const agent = new Agent({ keepAlive: true, maxSockets: 20 });
let release: () => void;
const held = new Promise<void>(resolve => {
  release = resolve;
});
let port: number;
let service: Service;
beforeAll(async () => {
  port = await freePort();
  const server = Fastify();
  server.get('/fast', () => 'fast');
  server.get('/slow', () => held.then(() => 'slow'));
  service = await startWebServer(server, { host: '127.0.0.1', port, readiness, finishMs: 10_000 });
});
afterAll(() => agent.destroy());

const ask = (path: string) =>
  new Promise<{ text: string; connection: string | undefined }>((resolve, reject) => {
    request({ agent, host: '127.0.0.1', port, path }, answer => {
      let text = '';
      answer.on('data', chunk => (text += chunk));
      answer.on('end', () => resolve({ text, connection: answer.headers.connection }));
      answer.on('error', reject);
    })
      .on('error', reject)
      .end();
  });

test('a stop closes connections with their next response, finishes running requests and accepts no new ones', async () => {
  expect(await ask('/fast')).toEqual({ text: 'fast', connection: 'keep-alive' });
  const slow = ask('/slow');
  readiness.process = 'draining';
  expect(await ask('/fast')).toEqual({ text: 'fast', connection: 'close' });

  let stopped = false;
  const stop = service.stop().then(() => {
    stopped = true;
  });
  const outcome = () =>
    ask('/fast').then(
      () => 'answered',
      (error: NodeJS.ErrnoException) => error.code,
    );
  await expect.poll(outcome).toBe('ECONNREFUSED');
  expect(stopped).toBe(false);
  release();
  expect((await slow).text).toBe('slow');
  await stop;
});

// Ending idle connections takes a while, in which the kernel takes connections that the closed port then resets.
test('a stop closes the port before it ends idle connections', async () => {
  const state: Readiness = { process: 'running' };
  const server = Fastify();
  server.get('/', () => 'done');
  const listening: boolean[] = [];
  server.server.on('connection', (socket: Socket) => {
    const destroy = socket.destroy.bind(socket);
    socket.destroy = error => {
      listening.push(server.server.listening);
      return destroy(error);
    };
  });
  const port = await freePort();
  const service = await startWebServer(server, { host: '127.0.0.1', port, readiness: state, finishMs: 10_000 });
  const idle = connect({ host: '127.0.0.1', port });
  idle.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(idle, 'data');
  await Promise.all([service.stop(), once(idle, 'close')]);
  expect(listening.length).toBeGreaterThan(0);
  expect(listening).not.toContain(true);
});

test('a process without a short turn closes its port too', async () => {
  const server = Fastify();
  const port = await freePort();
  const readiness: Readiness = { process: 'running' };
  const service = await startWebServer(server, { host: '127.0.0.1', port, readiness, finishMs: 10_000 });
  let turns = 0;
  const work = () => {
    for (const until = performance.now() + 5; performance.now() < until; );
    turns += 1;
    if (server.server.listening && turns < 600) setImmediate(work);
  };
  setImmediate(work);
  await service.stop();
  // Each took 5 ms or more.
  expect(turns).toBeLessThan(500);
});

async function answerOn(socket: Socket): Promise<string> {
  let answer = '';
  for await (const chunk of socket) answer += chunk;
  return answer.split('\r\n', 1)[0]!;
}

test('a stop answers connections that it has not accepted yet, and requests on idle ones that it has not read', async () => {
  const state: Readiness = { process: 'running' };
  const server = Fastify();
  server.post('/form', () => 'done');
  const port = await freePort();
  const service = await startWebServer(server, { host: '127.0.0.1', port, readiness: state, finishMs: 10_000 });
  const form = 'POST /form HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n';
  const idle = connect({ host: '127.0.0.1', port });
  idle.write(form);
  await once(idle, 'data');

  state.process = 'draining';
  idle.write(form);
  const fresh = connect({ host: '127.0.0.1', port });
  fresh.write(form);
  // The kernel has connected it, and the server had no turn to accept it.
  await Promise.resolve();
  const [answers] = await Promise.all([Promise.all([answerOn(idle), answerOn(fresh)]), service.stop()]);
  expect(answers).toEqual(['HTTP/1.1 200 OK', 'HTTP/1.1 200 OK']);
});
