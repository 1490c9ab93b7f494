import { createHash } from 'node:crypto';
import { api as contract } from '@portico/contract/api.ts';
import { type Endpoint, endpoints } from '@portico/contract/endpoint.ts';
import { permissions } from '@portico/contract/permissions.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { startApi, type TestApi } from './harness.ts';
import { pathOf, type Scene, setScene } from './scene.ts';

/** Every endpoint there is, so that a new one is walked without anyone remembering to. */
const all = [...endpoints(contract)];
const guarded = all.filter(([, e]) => e.access !== 'public');
/** Signing out would end the walk of that person. */
const walked = guarded.filter(([, e]) => e.path !== '/v1/user/logout');
/** The product's own data, the same for everyone. */
const isShared = (endpoint: Endpoint): boolean => endpoint.path.startsWith('/v1/panel/device/brands');

let api: TestApi;
let scene: Scene;
beforeAll(async () => {
  api = await startApi();
  scene = await setScene(api);
});

/** One hash over every row that belongs to a tenant; sign-ins are left out, as looking marks them as used. */
async function everything(): Promise<string> {
  const client = await api.app.db.pool.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and c.relname not in ('tokens', 'migrations') order by 1`,
    );
    const hash = createHash('sha256');
    for (const { name } of rows) {
      const { rows: sums } = await client.query(
        `select coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as sum from ${name} t`,
      );
      hash.update(`${name}:${sums[0].sum}\n`);
    }
    return hash.digest('hex');
  } finally {
    client.release();
  }
}

async function attempt(
  endpoint: Endpoint,
  who: { token?: string; tenant?: string },
): Promise<{ status: number; text: string }> {
  const url = `${api.url}${pathOf(scene, endpoint)}`;
  const controller = new AbortController();
  const sends = endpoint.method !== 'GET' && endpoint.method !== 'DELETE';
  const body = endpoint.upload
    ? new FormData()
    : JSON.stringify(scene.bodies[`${endpoint.method} ${endpoint.path}`] ?? {});
  if (body instanceof FormData) body.set('file', new Blob(['x']), 'x.png');
  const response = await fetch(url, {
    method: endpoint.method,
    signal: controller.signal,
    headers: {
      'x-tenant': who.tenant ?? 'panel',
      ...(who.token ? { authorization: `Bearer ${who.token}` } : {}),
      ...(sends && !endpoint.upload ? { 'content-type': 'application/json' } : {}),
    },
    ...(sends ? { body } : {}),
  });
  // A stream of events does not end.
  if (endpoint.reply === 'events') {
    controller.abort();
    return { status: response.status, text: '' };
  }
  return { status: response.status, text: await response.text() };
}

/** Refused, or (for lists and one's own things) answered without a word of the victim's. */
async function expectNothing(
  endpoint: Endpoint,
  who: { token?: string; tenant?: string },
  statuses: readonly number[],
): Promise<void> {
  const { status, text } = await attempt(endpoint, who);
  const about = `${endpoint.method} ${endpoint.path} → ${status} ${text.slice(0, 200)}`;
  expect(status, about).toBeLessThan(500);
  for (const secret of scene.secrets) expect(text, about).not.toContain(secret);
  const own = !endpoint.path.includes(':') || endpoint.path.includes(':token') || isShared(endpoint);
  if (!own) expect(statuses, about).toContain(status);
}

describe('every endpoint', () => {
  test('is closed to the anonymous', async () => {
    const before = await everything();
    for (const [name, e] of guarded) expect((await attempt(e, {})).status, name).toBe(401);
    expect(await everything()).toBe(before);
  });

  test('is closed to a token of another tenant', async () => {
    const before = await everything();
    for (const [name, e] of guarded) expect((await attempt(e, { token: scene.foreigner })).status, name).toBe(401);
    expect(await everything()).toBe(before);
  });

  test.for(walked)('%s tells another tenant nothing', async ([, e]) => {
    const before = await scene.ofVictim();
    await expectNothing(e, { token: scene.foreigner, tenant: 'elsewhere' }, [403, 404, 405, 409, 422]);
    expect(await scene.ofVictim()).toBe(before);
  });

  test.for(walked)('%s tells another location nothing', async ([, e]) => {
    const before = await scene.ofVictim();
    await expectNothing(e, { token: scene.neighbour }, [403, 404, 405, 409, 422]);
    expect(await scene.ofVictim()).toBe(before);
  });

  test.for(walked.filter(([, e]) => (permissions as readonly string[]).includes(e.access)))(
    '%s is refused to a member without its permission',
    async ([, e]) => {
      const before = await everything();
      expect((await attempt(e, { token: scene.powerless })).status).toBe(403);
      expect(await everything()).toBe(before);
    },
  );

  test.for(walked.filter(([, e]) => ['tenant-admin', 'read-tenant', 'create-location'].includes(e.access)))(
    '%s is refused to a member of everything but the tenant',
    async ([, e]) => {
      const before = await everything();
      expect([403, 404]).toContain((await attempt(e, { token: scene.manager })).status);
      expect(await everything()).toBe(before);
    },
  );

  test.for(walked.filter(([, e]) => e.path.startsWith('/v1/panel/device/:id')))(
    '%s hides a device from a member limited to another',
    async ([, e]) => {
      const before = await scene.ofVictim();
      expect([403, 404]).toContain((await attempt(e, { token: scene.limited })).status);
      expect(await scene.ofVictim()).toBe(before);
    },
  );
});

describe('the fourth wall', () => {
  test('stands around every table with a tenant', async () => {
    const { rows } = await api.app.db.pool.query(
      `select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
       join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
       where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
       and not (c.relrowsecurity and c.relforcerowsecurity
         and exists (select from pg_policy p where p.polrelid = c.oid and 'portico_app'::regrole = any(p.polroles)))`,
    );
    expect(rows).toEqual([]);
  });

  test('leaves no way around a partition', async () => {
    const { rows } = await api.app.db.pool.query(
      `select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = 'public' and c.relispartition and has_table_privilege('portico_app', c.oid, 'select, insert, update, delete')
       and not (c.relrowsecurity and c.relforcerowsecurity)`,
    );
    expect(rows).toEqual([]);
  });

  test('keeps a tenant from seeing, writing and pointing at another', async () => {
    const count = (slug: string) =>
      api.inTenant(
        tx => tx.one<{ n: number }>({ text: 'select count(*) as n from locations', values: [] } as never),
        slug,
      );
    expect((await count('panel')).n).toBeGreaterThan(0);
    const mine = scene.things['/v1/panel/location/:id']!;
    const point = api.inTenant(
      tx =>
        tx.run({
          text: `insert into profiles (id, location_id, name, session_duration, max_upload, max_download, paid_sale) values (gen_random_uuid(), $1, 'x', '{}', '{}', '{}', '{}')`,
          values: [mine],
        } as never),
      'elsewhere',
    );
    await expect(point).rejects.toThrow(/foreign key/);
    const steal = await api.inTenant(
      tx => tx.run({ text: 'update locations set name = $1', values: ['stolen'] } as never),
      'elsewhere',
    );
    expect(steal).toBe((await count('elsewhere')).n);
    expect(
      (
        await api.inTenant(tx =>
          tx.many({ text: `select 1 from locations where name = 'stolen'`, values: [] } as never),
        )
      ).length,
    ).toBe(0);
  });
});
