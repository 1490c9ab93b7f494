import { api as contract } from '@portico/contract/api.ts';
import { type Endpoint, endpoints, takesIdempotencyKey } from '@portico/contract/endpoint.ts';
import { type WebhookEvent, webhookEvents } from '@portico/contract/integration-names.ts';
import { webhookPayloads } from '@portico/contract/webhook-events.ts';
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { startIdentityProvider } from '#features/auth/sso/testing/identity-provider.ts';
import { panelHost } from '#features/auth/testing/passkey-user.ts';
import { type Calls, callsOf } from './audit-walk.calls.ts';
import { endsTheToken, unrepeatable, untold, unwritten, unwrittenFiles } from './audit-walk.exceptions.ts';
import { freshDatabase } from './database.ts';
import { startDns } from './dns-server.ts';
import { expectSchema } from './documented-schema.ts';
import { type Answer, startApi, type TestApi } from './harness.ts';
import { relay } from './relay.ts';
import { type Scene, setScene } from './scene.ts';

const keyOf = (endpoint: Endpoint): string => `${endpoint.method} ${endpoint.path}`;
/** The nesting depth of a resource; a location contains all others. */
const depth = ({ path }: Endpoint): number => (path === '/v1/panel/location/:id' ? 0 : path.split('/').length);
const changing = [...endpoints(contract)].map(([, endpoint]) => endpoint).filter(it => it.method !== 'GET');
/** Deletions come last, the innermost first, because the other calls need the resources. */
const inOrder = [
  ...changing.filter(it => it.method !== 'DELETE'),
  ...changing.filter(it => it.method === 'DELETE').sort((a, b) => depth(b) - depth(a) || a.path.localeCompare(b.path)),
];

let api: TestApi;
let scene: Scene;
let admin: string;
let arranged: Calls;

/** Sets a scene with one thing of each kind. Returns what ends it. */
async function start(): Promise<() => Promise<void>> {
  const dns = await startDns();
  api = await startApi({
    TRUST_PROXY: '127.0.0.1',
    PUBLIC_URL: `http://${panelHost}`,
    INTEGRATIONS_INSIDE: '1',
    ROUTERS_INSIDE: '1',
    RADSEC_PORT: '2083',
    DNS_SERVERS: dns.address,
  });
  const redirectUris = [`http://${panelHost}/auth/sso`];
  const identities = await startIdentityProvider({ id: 'portico', secret: 'secret', redirectUris });
  scene = await setScene(api);
  admin = (await api.user('tenant-admin')).token;
  const location = scene.things['/v1/panel/location/:id']!;
  const { url } = await freshDatabase({ empty: true });
  const hotel = new pg.Client({ connectionString: url });
  await hotel.connect();
  await hotel.query('create table guests (a text, b text, c date, d timestamp, e timestamp, f text)');
  const connection = {
    type: 'postgresql',
    db_host: '127.0.0.1',
    db_port: await relay(),
    db_username: 'postgres',
    db_password: 'gizli-parola',
    db_name: hotel.database,
    db_table: 'guests',
  };
  arranged = callsOf({ api, scene, admin, location, connection, dnsRecords: dns.records, identities });
  return () => {
    identities.close();
    return hotel.end();
  };
}

/** The path with ids: those of the call, or those of scene.ts. */
function pathOf(endpoint: Endpoint, own: Record<string, string>): string {
  return endpoint.path.replace(/:(\w+)/g, (_place, name: string, offset: number) => {
    const end = endpoint.path.indexOf('/', offset);
    const upTo = endpoint.path.slice(0, end < 0 ? undefined : end);
    return own[name] ?? scene.things[`${endpoint.method} ${upTo}`] ?? scene.things[upTo] ?? `no-${name}`;
  });
}

const written = async (): Promise<{ id: string; text: string }[]> =>
  (await api.app.db.pool.query('select id, row_to_json(a)::text as text from audit_log a order by id')).rows;

interface Called {
  readonly answer: Answer;
  readonly news: string[];
  readonly events: SentEvent[];
  /** Sends the same call with the same Idempotency-Key. */
  readonly repeat: () => Promise<Called>;
}

/** A webhook of the whole tenant that asked for every event. */
async function everyEvent(): Promise<void> {
  const params = { connection: { type: 'webhook', url: 'https://example.com/', events: webhookEvents } };
  const body = { name: 'Bayi', location_id: null, integration_id: 'webhook', params };
  const made = await api.post('panel/integration', { token: admin, body });
  expect(made.status, made.text).toBe(201);
}

interface SentEvent {
  type: WebhookEvent;
  data: object;
}
/** The events since the last call. */
async function told(): Promise<SentEvent[]> {
  const { rows } = await api.app.db.pool.query(
    `delete from webhook_deliveries where location_id is null returning id, body::jsonb as body`,
  );
  return rows.map(({ body }) => body as SentEvent);
}

async function call(endpoint: Endpoint): Promise<Called> {
  const { things = {}, ...own } = (await arranged[keyOf(endpoint)]?.()) ?? {};
  const open = endpoint.access === 'public' ? {} : { token: admin };
  const body = endpoint.method === 'DELETE' ? {} : { body: scene.bodies[keyOf(endpoint)] ?? {} };
  const headers = { ...own.headers, 'idempotency-key': crypto.randomUUID() };
  const at = pathOf(endpoint, things);
  const send = async (): Promise<Called> => {
    const before = new Set((await written()).map(it => it.id));
    await told();
    const answer = await api.ask(endpoint.method, at, { ...open, ...body, ...own, headers });
    const news = (await written()).filter(it => !before.has(it.id)).map(it => it.text);
    return { answer, news, events: await told(), repeat: send };
  };
  return send();
}

const readings = [...endpoints(contract)]
  .map(([, endpoint]) => endpoint)
  .filter(it => it.method === 'GET' && it.access !== 'public' && typeof it.reply !== 'string');

/** Fields other than a name whose changes are compared. The names of guests are not in the audit log. */
const compared: Record<string, string> = {
  'PUT /v1/panel/user/me': 'first_name',
  'PUT /v1/panel/tenant/users/:id': 'first_name',
  'PUT /v1/panel/location/by-external-id/:externalId': 'city',
  'PUT /v1/panel/client/:id': 'shared_user',
  'PUT /v1/panel/package/:id': 'price',
  'PUT /v1/panel/license-terms': 'price',
  'PUT /v1/panel/location/:id/voucher-card': 'ssid',
};

describe('while nothing is deleted', () => {
  beforeAll(start);

  test('every reading has an answer as the description of the API says', async () => {
    for (const endpoint of readings) {
      const answer = await api.ask('GET', pathOf(endpoint, {}), { token: admin });
      if (answer.status !== 200) expect([404, 409, 422], keyOf(endpoint)).toContain(answer.status);
      expectSchema(endpoint, answer);
    }
  });

  describe('every export writes an audit entry', () => {
    const files = [...endpoints(contract)]
      .map(([, endpoint]): Endpoint => endpoint)
      .filter(it => it.method === 'GET' && (it.csvDownload || it.reply === 'csv' || it.reply === 'file'));
    const audited = files.filter(it => !(keyOf(it) in unwrittenFiles));

    test.for(audited.map(endpoint => [keyOf(endpoint), endpoint] as const))('%s', async ([key, endpoint]) => {
      const before = new Set((await written()).map(it => it.id));
      const at = `${pathOf(endpoint, {})}${endpoint.csvDownload ? '?download=true' : ''}`;
      const answer = await api.get(at, { token: admin });
      expect(answer.status, `${key}: ${answer.text.slice(0, 300)}`).toBe(200);
      const news = (await written()).filter(it => !before.has(it.id)).map(it => JSON.parse(it.text));
      expect(news, key).toMatchObject([{ verb: 'export' }]);
    });

    test('except those that are listed, which exist', () => {
      const known = files.map(keyOf);
      expect(Object.keys(unwrittenFiles).filter(key => !known.includes(key))).toEqual([]);
    });
  });

  describe('changes at the same time are recorded one after another, each with the value that it replaced', () => {
    // A saved view is another one under another name, and of changes of single sign-on at the same time one is made.
    const others = ['PUT /v1/panel/saved-view', 'PUT /v1/panel/tenant/sso'];
    const puts = changing.filter(it => it.method === 'PUT' && !(keyOf(it) in unwritten) && !others.includes(keyOf(it)));
    const bodyOf = (key: string) => (scene.bodies[key] ?? {}) as Record<string, unknown>;
    const fieldOf = (key: string) => compared[key] ?? ['name', 'title'].find(it => typeof bodyOf(key)[it] === 'string');

    test.for(puts.map(endpoint => [keyOf(endpoint), endpoint] as const))('%s', async ([key, endpoint], { skip }) => {
      const field = fieldOf(key);
      if (field === undefined) return skip('a role, an order or a choice, which is locked in the same way');
      const { things = {}, ...own } = key in scene.bodies ? ((await arranged[key]?.()) ?? {}) : {};
      const body = { ...bodyOf(key), ...(own.body as object) };
      const at = pathOf(endpoint, things);
      const isNumber = field === 'shared_user' || field === 'price';
      const send = (value: number) =>
        api.ask('PUT', at, { token: admin, ...own, body: { ...body, [field]: isNumber ? value : `${value}` } });
      await send(1);
      const before = new Set((await written()).map(it => it.id));
      const answers = await Promise.all([2, 3, 4, 5].map(send));
      expect(answers.filter(it => it.status >= 300).map(it => it.text)).toEqual([]);
      const news = (await written()).filter(it => !before.has(it.id)).map(it => JSON.parse(it.text));
      const [replaced, put] = [news.map(it => Number(it.before[field])), news.map(it => Number(it.after[field]))];
      expect(replaced).toEqual([1, ...put.slice(0, -1)]);
      expect(put.toSorted()).toEqual([2, 3, 4, 5]);
    });
  });
});

describe('every change writes an audit entry and sends an event', () => {
  beforeAll(async () => {
    const end = await start();
    await everyEvent();
    return end;
  });

  async function expectRecorded(endpoint: Endpoint): Promise<void> {
    const key = keyOf(endpoint);
    const { answer, news, events, repeat } = await call(endpoint);
    expect(answer.status, `${key}: ${answer.text.slice(0, 300)}`).toBeLessThan(300);
    expectSchema(endpoint, answer);
    if (key in unwritten) expect(news, unwritten[key]).toEqual([]);
    else expect(news.length, key).toBeGreaterThan(0);
    const types = events.map(it => it.type);
    expect(types.filter(it => it === 'audit.recorded').length, key).toBe(news.length);
    const others = types.filter(it => it !== 'audit.recorded');
    if (key in unwritten || key in untold) expect(others, key).toEqual([]);
    else expect(others.length, `no event of ${key}`).toBeGreaterThan(0);
    for (const { type, data } of events) expect(webhookPayloads[type].data.strict().parse(data)).toEqual(data);
    for (const entry of news) {
      expect(entry).not.toContain('gizli-parola');
      expect(entry).not.toContain('"secret1"');
    }
    if (!takesIdempotencyKey(endpoint) || key in endsTheToken) return;
    const again = await repeat();
    expect([again.answer.headers.get('idempotency-replayed'), again.answer.text], key).toEqual(['true', answer.text]);
    expect([again.news, again.events], `${key} again`).toEqual([[], []]);
  }

  // One test, because a deletion leaves nothing for the calls before it.
  test('in the order in which the calls can be made on one tenant', async () => {
    for (const endpoint of inOrder)
      await expectRecorded(endpoint).catch(cause => {
        throw new Error(keyOf(endpoint), { cause });
      });
  });

  test('and every POST may be repeated with its Idempotency-Key, except those that only read, or whose answer is a secret', () => {
    const posts = changing.filter(it => it.method === 'POST' && it.access !== 'public' && !takesIdempotencyKey(it));
    expect(posts.map(keyOf).filter(key => !(key in unrepeatable))).toEqual([]);
    const known = posts.map(keyOf);
    expect(Object.keys(unrepeatable).filter(key => !known.includes(key))).toEqual([]);
  });

  test('every exception is an existing endpoint', () => {
    const known = changing.map(keyOf);
    expect(Object.keys(unwritten).filter(key => !known.includes(key))).toEqual([]);
    expect(Object.keys(untold).filter(key => !known.includes(key))).toEqual([]);
    expect(Object.keys(arranged).filter(key => !known.includes(key))).toEqual([]);
  });
});
