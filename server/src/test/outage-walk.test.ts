import { api as contract } from '@portico/contract/api.ts';
import { type Endpoint, endpoints } from '@portico/contract/endpoint.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { startFragileDatabase } from './fragile-database.ts';
import { startApi, type TestApi } from './harness.ts';
import { pathOf, type Scene, setScene } from './scene.ts';

/*
 * Calls every endpoint while the database goes away: before the first message to it, before the second, and so on until the
 * call needs no more of them. The answer is 503 with Retry-After, or what the call answers without a database, never a 500.
 */
const maxMessages = 8;

let api: TestApi;
let scene: Scene;
let admin: string;
let database: Awaited<ReturnType<typeof startFragileDatabase>>;

beforeAll(async () => {
  database = await startFragileDatabase();
  api = await startApi({ DATABASE_URL: database.url, RATE_LIMIT: '10000000', COA_TIMEOUT: '1' });
  scene = await setScene(api);
  admin = (await api.user('tenant-admin')).token;
}, 120_000);

interface Answered {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

async function call(endpoint: Endpoint): Promise<Answered> {
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
  const { status, headers } = response;
  if (endpoint.reply === 'events') {
    controller.abort();
    return { status, text: '', headers };
  }
  return { status, text: await response.text(), headers };
}

// Deletions come last, because the other calls need what they delete. Signing out would end the walk.
const walked = [...endpoints(contract)]
  .filter(([, e]) => e.path !== '/v1/user/logout')
  .toSorted(([, a], [, b]) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));

describe('a database that goes away in the middle of a call', () => {
  test.for(walked)('is no failure of %s', async ([, endpoint]) => {
    let outages = 0;
    for (let messages = 0; messages < maxMessages; messages++) {
      database.breakAfter(messages);
      const { status, text, headers } = await call(endpoint);
      const wasAway = database.mend();
      const about = `${endpoint.method} ${endpoint.path} without message ${messages + 1}: ${status} ${text.slice(0, 300)}`;
      if (status >= 500) {
        expect([status, Number(headers.get('retry-after')) > 0], about).toEqual([503, true]);
        // The refusal is no file, although the call may have begun one.
        expect(headers.get('content-disposition'), about).toBeNull();
        expect(headers.get('content-type'), about).toMatch(/json|html/);
        outages += 1;
      }
      if (!wasAway) break;
    }
    if (endpoint.access !== 'public') expect(outages, endpoint.path).toBeGreaterThan(0);
  });
});
