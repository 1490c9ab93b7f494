import { api as contract } from '@portico/contract/api.ts';
import { type Endpoint, endpoints, statusesOf } from '@portico/contract/endpoint.ts';
import { permissions } from '@portico/contract/permissions.ts';
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startApi, type TestApi } from './harness.ts';
import { createGuard, type RowHash, rowHash, tablesOf } from './row-hash.ts';
import { pathOf, type Scene, setScene } from './scene.ts';

/** Every endpoint of the contract, so that a new one is walked without further registration. */
const all = [...endpoints(contract)];
const guarded = all.filter(([, e]) => e.access !== 'public');
/** Signing out would end the walk for that user. */
const walked = guarded.filter(([, e]) => e.path !== '/v1/user/logout');
/** Lists that a query limits to one location. */
const ofLocations = walked.filter(
  ([, e]) =>
    e.method === 'GET' && !e.path.includes(':') && e.query instanceof z.ZodObject && 'location_id' in e.query.shape,
);
/** Data of the product itself, the same for every tenant. */
const isShared = (endpoint: Endpoint): boolean => endpoint.path.startsWith('/v1/panel/device/brands');

let api: TestApi;
let scene: Scene;
let thieves: Awaited<ReturnType<typeof makeThieves>>;
/** All rows except sign-ins, whose time of last use changes with every call, and the counts of failed attempts. */
let everything: RowHash;
const expectUnchanged = createGuard((after, before) => expect(after).toBe(before));
beforeAll(async () => {
  api = await startApi();
  scene = await setScene(api);
  thieves = await makeThieves();
  const { pool } = api.app.db;
  const tables = (await tablesOf(pool)).filter(
    table => !['tokens', 'throttles', 'call_counts', 'migrations'].includes(table),
  );
  everything = rowHash(
    pool,
    'everything',
    tables.map(table => ({ table })),
  );
});

/** Tokens of more attackers. They are made first, because the rows must not change between the tests. */
async function makeThieves() {
  const alike = await api.user('tenant-admin', { tenant: 'panel-2' });
  const form = { name: 'ERP', permissions: ['view-clients'] };
  const personal = await api.post('panel/user/token', { token: scene.manager, body: form });
  const removed = await api.user('member', { location: scene.things['/v1/panel/location/:id']! });
  await api.inTenant(tx => tx.run(sql`delete from location_members where user_id = ${removed.id}`));
  const reseller = await api.user('reseller');
  const own = await api.post('panel/location', { token: reseller.token, body: { name: 'Bayinin yeri' } });
  return {
    alike: alike.token,
    personal: personal.body.data.token as string,
    removed: removed.token,
    reseller: { token: reseller.token, location: own.body.data.id as string },
    admin: (await api.user('tenant-admin')).token,
  };
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
  // An event stream does not end by itself.
  if (endpoint.reply === 'events') {
    controller.abort();
    return { status: response.status, text: '' };
  }
  const text = await response.text();
  if (!statusesOf(endpoint).includes(response.status))
    throw new Error(`${endpoint.method} ${endpoint.path} answered ${response.status}, which is not documented`);
  return { status: response.status, text };
}

/** Expects a refusal, or, for lists and the caller's own resources, an answer without any of the victim's data. */
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
  test('answers 401 without a token', async () => {
    await expectUnchanged(everything, async () => {
      for (const [name, e] of guarded) expect((await attempt(e, {})).status, name).toBe(401);
    });
  });

  test('answers 401 to a token of another tenant', async () => {
    await expectUnchanged(everything, async () => {
      for (const [name, e] of guarded) expect((await attempt(e, { token: scene.foreigner })).status, name).toBe(401);
    });
  });

  test.for(walked)('%s reveals nothing to another tenant', async ([, e]) => {
    await expectUnchanged(scene.ofVictim, () =>
      expectNothing(e, { token: scene.foreigner, tenant: 'elsewhere' }, [403, 404, 405, 409, 422]),
    );
  });

  test.for(walked)('%s reveals nothing to another location', async ([, e]) => {
    await expectUnchanged(scene.ofVictim, () =>
      expectNothing(e, { token: scene.neighbour }, [403, 404, 405, 409, 422]),
    );
  });

  test.for(walked.filter(([, e]) => (permissions as readonly string[]).includes(e.access)))(
    '%s answers 403 to a member without its permission',
    async ([, e]) => {
      await expectUnchanged(everything, async () => {
        expect((await attempt(e, { token: scene.powerless })).status).toBe(403);
      });
    },
  );

  test.for(walked.filter(([, e]) => ['tenant-admin', 'read-tenant', 'create-location'].includes(e.access)))(
    '%s is refused to a member who has every permission at one location',
    async ([, e]) => {
      await expectUnchanged(everything, async () => {
        expect([403, 404]).toContain((await attempt(e, { token: scene.manager })).status);
      });
    },
  );

  test('answers 401 to an administrator of a tenant whose name begins alike', async () => {
    const token = thieves.alike;
    await expectUnchanged(everything, async () => {
      for (const [name, e] of guarded) expect((await attempt(e, { token })).status, name).toBe(401);
    });
    await expectUnchanged(scene.ofVictim, async () => {
      for (const [, e] of walked.filter(([, it]) => it.method === 'GET'))
        await expectNothing(e, { token, tenant: 'panel-2' }, [403, 404, 405, 409, 422]);
    });
  });

  test('is refused to a stolen personal token beyond its permission, and to the account of its owner', async () => {
    const token = thieves.personal;
    const beyond = walked.filter(
      ([, e]) =>
        !['view-clients', 'read-profiles'].includes(e.access) && !(e.access === 'signed-in' && e.method === 'GET'),
    );
    await expectUnchanged(everything, async () => {
      for (const [name, e] of beyond) expect([403, 404], name).toContain((await attempt(e, { token })).status);
    });
    for (const at of [
      'oauth/tokens',
      'panel/user/token',
      'panel/user/passkey',
      'panel/user/invites',
      'panel/user/notification',
    ])
      expect((await api.get(at, { token })).status, at).toBe(403);
  });

  test('is refused to a member who was removed, with the session from before', async () => {
    const token = thieves.removed;
    const held = walked.filter(([, e]) => e.access !== 'signed-in');
    await expectUnchanged(everything, async () => {
      for (const [name, e] of held) expect([403, 404], name).toContain((await attempt(e, { token })).status);
    });
  });

  test.for(walked.filter(([, e]) => e.path.startsWith('/v1/panel/device/:id')))(
    '%s hides a device from a member limited to another device',
    async ([, e]) => {
      await expectUnchanged(scene.ofVictim, async () => {
        expect([403, 404]).toContain((await attempt(e, { token: scene.limited })).status);
      });
    },
  );

  test.for(walked.filter(([, e]) => e.method === 'GET'))(
    '%s reveals nothing of a device to a member limited to another device',
    async ([name, e]) => {
      const { text } = await attempt(e, { token: scene.limited });
      for (const secret of scene.secretsOfDevice) expect(text, name).not.toContain(secret);
    },
  );
});

test('row-level security keeps a tenant from reading, changing and referencing the rows of another', async () => {
  const count = (slug: string) =>
    api.inTenant(tx => tx.one<{ n: number }>(sql`select count(*) as n from locations`), slug);
  const tenant = await api.tenantId('panel');
  expect((await count('panel')).n).toBeGreaterThan(0);
  const mine = scene.things['/v1/panel/location/:id']!;
  const point = api.inTenant(
    tx =>
      tx.run(sql`insert into profiles (id, location_id, name, session_duration, max_upload, max_download, paid_sale)
        values (gen_random_uuid(), ${mine}, 'x', '{}', '{}', '{}', '{}')`),
    'elsewhere',
  );
  await expect(point).rejects.toThrow(/foreign key/);
  const plant = api.inTenant(
    tx =>
      tx.run(sql`insert into locations (id, tenant_id, name)
        select gen_random_uuid(), ${tenant}, 'planted'`),
    'elsewhere',
  );
  await expect(plant).rejects.toThrow(/row-level security/);
  const changed = await api.inTenant(tx => tx.run(sql`update locations set name = 'stolen'`), 'elsewhere');
  expect(changed).toBe((await count('elsewhere')).n);
  expect(await api.inTenant(tx => tx.many(sql`select 1 from locations where name = 'stolen'`))).toEqual([]);
});

test('a list is limited to the location that the query names, and shown to those who reach it only', async () => {
  const { reseller, admin } = thieves;
  const victim = scene.things['/v1/panel/location/:id']!;
  const read = async (path: string, location: string, token: string) => {
    const { status, text } = await api.get(`${path.slice('/v1/'.length)}?location_id=${location}`, { token });
    // The addresses of further pages repeat the query.
    const shown = scene.secrets.filter(secret => secret !== location && text.includes(secret));
    return { status, text, shown };
  };
  const seen: string[] = [];
  for (const [name, { path }] of ofLocations) {
    if ((await read(path, victim, admin)).shown.length > 0) seen.push(name);
    for (const answer of [
      await read(path, reseller.location, admin),
      await read(path, victim, reseller.token),
      await read(path, victim, scene.neighbour),
    ]) {
      expect(answer.status, `${name} ${answer.text.slice(0, 200)}`).toBeLessThan(500);
      expect(answer.shown, name).toEqual([]);
    }
  }
  expect(seen.length, seen.join(', ')).toBeGreaterThan(12);
});
