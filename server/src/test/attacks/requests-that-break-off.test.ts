import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { beforeAll, expect, test } from 'vitest';
import { buildPages } from '#features/guests/testing/captive.ts';
import { createLog } from '#lib/log.ts';
import { createApi } from '../../services/api.ts';
import { createCaptive } from '../../services/captive.ts';
import { afterFile } from '../after-file.ts';
import { startApi } from '../harness.ts';

/**
 * The attack: a stranger begins requests and breaks them off within the body. The log told of each that the database is
 * unavailable, and that is also where an operator looks during an outage.
 */

const lines: string[] = [];
let servers: { panel: FastifyInstance; guests: FastifyInstance };
let token: string;
beforeAll(async () => {
  const api = await startApi();
  token = (await api.user('tenant-admin')).token;
  const app = { ...api.app, log: createLog('warn', { write: line => lines.push(line) }) };
  servers = { panel: await createApi(app), guests: await createCaptive(app, { renderer: await buildPages() }) };
  for (const server of Object.values(servers)) {
    await server.listen({ port: 0, host: '127.0.0.1' });
    afterFile(() => server.close());
  }
}, 120_000);

test.for([
  ['panel', '/v1/user/login', 'application/json', '{"email":'],
  ['panel', '/v1/panel/client', 'application/json', '{"name":'],
  ['panel', '/v1/panel/portal/image', 'multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; na'],
  ['guests', '/w/abcdefgh1234/sign-in', 'application/x-www-form-urlencoded', 'state='],
] as const)('at the %s a broken off %s is no failure of the database', async ([place, path, type, begun]) => {
  const { server } = servers[place];
  let read = 0;
  server.once('request', request => request.once('data', () => (read += 1)));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nX-Tenant: panel\r\nAuthorization: Bearer ${token}\r\n` +
      `Content-Type: ${type}\r\nContent-Length: 1000\r\n\r\n${begun}`,
  );
  await expect.poll(() => read).toBe(1);
  // The handler listens, too.
  await sleep(500);
  socket.destroy();
  await sleep(500);
  expect(lines).toEqual([]);
});
