import sql, { type Sql } from 'sql-template-tag';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { makeScene, type Scene } from '#features/sessions/testing/scene.ts';
import { type Body, startApi } from '#test/harness.ts';

const api = await startApi();
let scene: Scene;
let admin: string;
let id: string;
beforeAll(async () => {
  scene = await makeScene(api.app, await api.tenantId('panel'));
  admin = (await api.user('tenant-admin')).token;
  const form = { name: 'Ada', provider_type: 'username', username: 'ada', password: 'parola1' };
  const made = await api.post('panel/client', { token: admin, body: { ...form, location_id: scene.locationId } });
  expect(made.status, made.text).toBe(201);
  id = made.body.data.id;
});

const future = sql`now() + interval '1 day'`;
const past = sql`now() - interval '1 day'`;
const ending = (table: 'locations' | 'devices', end: Sql) =>
  scene.inTenant(tx =>
    tx.run(
      table === 'devices'
        ? sql`update devices set license_end_at = ${end} where location_id = ${scene.locationId}`
        : sql`update locations set license_end_at = ${end} where id = ${scene.locationId}`,
    ),
  );
beforeEach(async () => {
  await ending('locations', future);
  await ending('devices', future);
});

async function get<T>(path: string): Promise<T> {
  const answer = await api.get(path, { token: admin });
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data;
}
const list = (query = '') => get<Body[]>(`panel/client?search=ada${query}`);
const named = async (status: string) => (await list(`&status=${status}`)).map(it => it['username']);
/** Everywhere where the panel shows the state of the visitor. */
const shown = async () => {
  const hits = await get<Body[]>('panel/search?search=ada');
  return [(await list())[0], await get<Body>(`panel/client/${id}`), hits.find(it => it['kind'] === 'visitor')].map(
    it => it?.['service'],
  );
};

test('while the location is suspended, its visitors cannot sign in, and a refusal names the reason', async () => {
  expect(await shown()).toEqual(['running', 'running', 'running']);
  expect([await named('valid'), await named('closed')]).toEqual([['ada'], []]);

  const change = (what: string) => api.post(`panel/location/${scene.locationId}/${what}`, { token: admin });
  expect((await change('suspend')).status).toBe(200);
  expect(await shown()).toEqual(['suspended', 'suspended', 'suspended']);
  expect([await named('valid'), await named('closed')]).toEqual([[], ['ada']]);
  await scene.signIn({ user: 'ada', password: 'parola1' });
  expect((await get<Body[]>(`panel/client/${id}/failed-logins`))[0]).toMatchObject({ reason: 'suspended' });

  expect((await change('resume')).status).toBe(200);
  expect(await shown()).toEqual(['running', 'running', 'running']);
});

test('once the licence of the location is over, its visitors cannot sign in, unless a device has its own', async () => {
  await ending('locations', past);
  expect(await shown(), 'with a device that has its own').toEqual(['running', 'running', 'running']);
  await ending('devices', past);
  expect(await shown()).toEqual(['ended', 'ended', 'ended']);
  expect([await named('valid'), await named('closed')]).toEqual([[], ['ada']]);
  await scene.signIn({ user: 'ada', password: 'parola1' });
  expect((await get<Body[]>(`panel/client/${id}/failed-logins`))[0]).toMatchObject({ reason: 'license_over' });
});

test('what keeps the visitor alone out comes first', async () => {
  await ending('locations', past);
  await ending('devices', past);
  await scene.inTenant(tx => tx.run(sql`update visitors set blocked = true where id = ${id}`));
  try {
    expect([await named('paused'), await named('closed')]).toEqual([['ada'], []]);
  } finally {
    await scene.inTenant(tx => tx.run(sql`update visitors set blocked = false where id = ${id}`));
  }
});
