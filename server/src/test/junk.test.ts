import { api as contract } from '@portico/contract/api.ts';
import { type Endpoint, endpoints } from '@portico/contract/endpoint.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { startApi, type TestApi } from './harness.ts';
import { pathOf, type Scene, setScene } from './scene.ts';

/*
 * Sends invalid and unusual input to every endpoint as an administrator. Each call must be answered, and none may fail with
 * a 5xx. Calls may create or delete resources, so the test relies on none of them.
 */
let api: TestApi;
let scene: Scene;
let admin: string;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT: '10000000', COA_TIMEOUT: '1' });
  scene = await setScene(api);
  admin = (await api.user('tenant-admin')).token;
});

const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
/** Values for one field, as JSON. */
const odd: readonly string[] = [
  ...['null', '[]', '{}', 'true', '-1', '1e308', '9007199254740993', '0.1', '""', '"\\u0000"', '"\\ud800"', '[null]'],
  ...[
    '"2026-02-30 25:61:61"',
    '"0001-01-01 00:00"',
    '"9999-12-31 23:59"',
    '"2026-01-01 00:00+23:00"',
    '"\\u202e\\u0007"',
    '[[[[]]]]',
    '{"__proto__":{"a":1}}',
    '"Infinity"',
    '"\'; --"',
  ],
  ...['{"value":null}', '[{}]', '"🏨"', deep(200)],
];
/** Whole bodies. */
const bodies: readonly string[] = ['', 'null', '[]', '"x"', '{', '\u0000', deep(5000), `{"a":${'['.repeat(20_000)}`];
const long = JSON.stringify('x'.repeat(1_000_000));
const queries: readonly string[] = [
  ...['-1', '0001-01-01', '9999-12-31 23:59:59', '%00', '99999999999999999999'],
  ...['2026-02-30', '1e9', 'NaN', '%ff', '%ed%a0%80', 'null', '%27', '%F0%9F%8F%A8', 'x'.repeat(3000)],
];

/** The fields that a schema names, at its first level. */
function fieldsOf(schema: unknown): string[] {
  const it = schema as { shape?: object; def?: Record<string, unknown> } | undefined;
  if (!it) return [];
  if (it.shape) return Object.keys(it.shape);
  const { def = {} } = it;
  const inner = [def['in'], def['innerType'], def['left'], def['right'], def['options']].flat().filter(Boolean);
  return [...new Set(inner.flatMap(fieldsOf))];
}

/** The path with ids of the scene; paths with a token get an unknown one. */
const placeOf = (endpoint: Endpoint): string =>
  /:(token|nas)\b/.test(endpoint.path) ? endpoint.path.replace(/:\w+/g, 'unknown') : pathOf(scene, endpoint);

async function attempt(endpoint: Endpoint, it: { query?: string; body?: string; path?: string }): Promise<void> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), 20_000);
  const at = `${it.path ?? placeOf(endpoint)}${it.query ? `?${it.query}` : ''}`;
  const about = `${endpoint.method} ${at.slice(0, 200)} ${it.body?.slice(0, 120) ?? ''}`;
  const sends = endpoint.method !== 'GET' && it.body !== undefined;
  try {
    const response = await fetch(`${api.url}${at}`, {
      method: endpoint.method,
      signal: controller.signal,
      headers: {
        'x-tenant': 'panel',
        ...(endpoint.access === 'public' ? {} : { authorization: `Bearer ${admin}` }),
        ...(sends ? { 'content-type': 'application/json' } : {}),
      },
      ...(sends ? { body: it.body! } : {}),
    });
    // An unreachable hotel database or router is reported as 502 or 504.
    const away = response.status === 503 && (await response.clone().text()).includes('"away"');
    if (!away) expect(response.status, about).toBeLessThan(500);
    // An event stream does not end, and an unread body would block its connection.
    if (endpoint.reply === 'events') await response.body?.cancel();
    else await response.arrayBuffer();
  } catch (error) {
    throw new Error(about, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

const all = [...endpoints(contract)];
/** Signing out would end the test's session. */
const walked = all.filter(([, e]) => e.path !== '/v1/user/logout');

describe('junk', () => {
  test.for(walked.filter(([, e]) => e.body && !e.upload))('in the body of %s', async ([, e]) => {
    const good = scene.bodies[`${e.method} ${e.path}`] ?? {};
    const fields = [...new Set([...fieldsOf(e.body), ...Object.keys(good)])];
    for (const body of [...bodies, long]) await attempt(e, { body });
    for (const value of odd) {
      // All fields at once find values that are read before validation; one bad field among good ones gets further.
      await attempt(e, { body: `{${fields.map(field => `${JSON.stringify(field)}:${value}`).join(',')}}` });
    }
    for (const [i, field] of fields.entries()) {
      const rest = Object.entries(good).filter(([name]) => name !== field);
      const others = rest.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)},`).join('');
      for (const value of [odd[(i * 7 + 3) % odd.length]!, i === 0 ? long : odd[i % odd.length]!])
        await attempt(e, { body: `{${others}${JSON.stringify(field)}:${value}}` });
    }
  });

  test.for(walked.filter(([, e]) => e.query && e.method === 'GET'))('in the query of %s', async ([, e]) => {
    for (const [i, field] of fieldsOf(e.query).entries()) {
      // The first values always, of the others a few per field; each of them is sent for many fields.
      const values = queries.filter((_, n) => n < 6 || (n + i) % 4 === 0);
      for (const value of values) await attempt(e, { query: `${field}=${value}` });
      await attempt(e, { query: `${field}=1&${field}=2&${field}[]=3` });
      await attempt(e, { query: `${field}[a][b]=1&${field}` });
    }
  });

  test.for(walked.filter(([, e]) => e.path.includes(':')))('in the path of %s', async ([, e]) => {
    for (const value of ['null', '%00', '%ed%a0%80', '%F0%9F%8F%A8', '..%2f..', '0', 'x'.repeat(2000), '-', '%25'])
      await attempt(e, { path: e.path.replace(/:\w+/g, value), body: '{}' });
  });
});
