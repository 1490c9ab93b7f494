import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { api as contract } from '@portico/contract/api.ts';
import { type Endpoint, endpoints } from '@portico/contract/endpoint.ts';
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { afterFile } from './after-file.ts';
import { freshDatabase } from './database.ts';
import { startApi, type TestApi } from './harness.ts';
import { pathOf, type Scene, setScene } from './scene.ts';

/*
 * Calls every endpoint while the database goes away: before the first message to it, before the second, and so on until the
 * call needs no more of them. The answer is 503 with Retry-After, or what the call answers without a database, never a 500.
 */
const mostMessages = 8;

let api: TestApi;
let scene: Scene;
let admin: string;
let database: Awaited<ReturnType<typeof startFragile>>;

beforeAll(async () => {
  const { url } = await freshDatabase();
  database = await startFragile(url);
  api = await startApi({ DATABASE_URL: database.url, RATE_LIMIT: '10000000', COA_TIMEOUT: '1' });
  scene = await setScene(api);
  admin = (await api.user('tenant-admin')).token;
}, 120_000);

/** A way to the database that breaks before a message. */
async function startFragile(url: string) {
  // The embedded server listens on a unix socket only, whose address is no URL to the parser of the platform.
  const { host, port: targetPort = 5432, database: name } = new pg.Client({ connectionString: url });
  /** How many more messages get through; undefined: all. */
  let left: number | undefined;
  let broken = false;
  const sockets = new Set<Socket>();
  const server = createServer(inbound => {
    const outbound = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${targetPort}`) : connect(targetPort, host);
    for (const socket of [inbound, outbound]) {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      // Both ends go together: no answer of the database outlives its connection.
      socket.on('error', () => undefined);
      socket.on('close', () => (socket === inbound ? outbound : inbound).destroy());
    }
    outbound.on('data', chunk => void inbound.write(chunk));
    inbound.on('data', chunk => {
      if (broken) return void inbound.destroy();
      if (left === 0) {
        broken = true;
        for (const socket of sockets) socket.destroy();
        return;
      }
      if (left !== undefined) left -= 1;
      outbound.write(chunk);
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  afterFile(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `postgresql://postgres@127.0.0.1:${port}/${name}`,
    /** Lets some messages through, then breaks every connection and refuses new ones. */
    breakAfter: (messages: number) => void (left = messages),
    /** Mends it, and tells whether it had broken. */
    mend: (): boolean => {
      const was = broken;
      left = undefined;
      broken = false;
      return was;
    },
  };
}

async function call(endpoint: Endpoint): Promise<{ status: number; text: string; retryAfter: string | null }> {
  const controller = new AbortController();
  const sends = endpoint.method !== 'GET' && endpoint.method !== 'DELETE';
  const body = endpoint.upload
    ? new FormData()
    : JSON.stringify(scene.bodies[`${endpoint.method} ${endpoint.path}`] ?? {});
  if (body instanceof FormData) body.set('file', new Blob(['x']), 'x.png');
  const at = /:(token|nas)\b/.test(endpoint.path) ? endpoint.path.replace(/:\w+/g, 'unknown') : pathOf(scene, endpoint);
  const response = await fetch(api.url + at, {
    method: endpoint.method,
    signal: controller.signal,
    headers: {
      'x-tenant': 'panel',
      ...(endpoint.access === 'public' ? {} : { authorization: `Bearer ${admin}` }),
      ...(sends && !endpoint.upload ? { 'content-type': 'application/json' } : {}),
    },
    ...(sends ? { body } : {}),
  });
  const retryAfter = response.headers.get('retry-after');
  if (endpoint.reply === 'events') {
    controller.abort();
    return { status: response.status, text: '', retryAfter };
  }
  return { status: response.status, text: await response.text(), retryAfter };
}

// Deletions come last, because the other calls need what they delete. Signing out would end the walk.
const walked = [...endpoints(contract)]
  .filter(([, e]) => e.path !== '/v1/user/logout')
  .toSorted(([, a], [, b]) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));

describe('a database that goes away in the middle of a call', () => {
  test.for(walked)('is no failure of %s', async ([, endpoint]) => {
    let outages = 0;
    for (let messages = 0; messages < mostMessages; messages++) {
      database.breakAfter(messages);
      const { status, text, retryAfter } = await call(endpoint);
      const wasAway = database.mend();
      const about = `${endpoint.method} ${endpoint.path} without message ${messages + 1}: ${status} ${text.slice(0, 300)}`;
      if (status >= 500) {
        expect([status, Number(retryAfter) > 0], about).toEqual([503, true]);
        outages += 1;
      }
      if (!wasAway) break;
    }
    if (endpoint.access !== 'public') expect(outages, endpoint.path).toBeGreaterThan(0);
  });
});
