import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Body, startApi, type TestApi } from '#test/harness.ts';
import { fileForm, picture } from '#test/uploads.ts';

let api: TestApi;
let admin: string;
let location: string;

const newLocation = (name: string, token = admin) => api.location(token, name);
/** A member who works in a location. */
const memberOf = async (id: string, permissions?: string[]) =>
  (await api.user('member', { location: id, ...(permissions && { permissions }) })).token;
const make = async (token: string, name = 'Lobby'): Promise<Body> => {
  const answer = await api.post('panel/portal', { token, body: { name } });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
};
const upload = (file: Uint8Array | string, collection = 'logo', name = 'x.png') => fileForm(file, { collection, name });

beforeAll(async () => {
  api = await startApi();
  admin = (await api.user('tenant-admin')).token;
  location = await newLocation('Kafe Çınar');
});

describe('who may', () => {
  test('strangers, other tenants, other locations and those without the permission may not', async () => {
    const token = await memberOf(location);
    const { id } = await make(token);
    const elsewhere = await memberOf(await newLocation('Elsewhere'));
    const foreign = await api.user('tenant-admin', { tenant: 'other' });
    const viewer = await memberOf(location, ['view-portals']);
    const none = await memberOf(location, ['view-devices']);
    const auditor = (await api.user('auditor')).token;
    const survey = (await api.post(`panel/portal/${id}/surveys`, { token, body: { name: 'S' } })).body.data.id;
    const calls: [string, string, unknown?][] = [
      ['GET', `panel/portal/${id}`],
      ['PUT', `panel/portal/${id}`, { name: 'Stolen' }],
      ['POST', `panel/portal/${id}/image`, upload(await picture())],
      ['GET', `panel/portal/${id}/ads`],
      ['POST', `panel/portal/${id}/surveys`, { name: 'X' }],
      ['PUT', `panel/portal/${id}/surveys/${survey}`, { name: 'Stolen' }],
      ['DELETE', `panel/portal/${id}/surveys/${survey}`],
      ['DELETE', `panel/portal/${id}`],
    ];
    for (const [method, at, body] of calls) {
      const ask = async (who: string | undefined, tenant = 'panel') =>
        (await api.ask(method, at, { token: who, body, tenant })).status;
      expect(await ask(undefined), `${method} ${at}`).toBe(401);
      expect(await ask(foreign.token), `${method} ${at}`).toBe(401);
      expect(await ask(foreign.token, 'other'), `${method} ${at}`).toBe(404);
      expect(await ask(elsewhere), `${method} ${at}`).toBe(404);
      expect(await ask(none), `${method} ${at}`).toBe(403);
      for (const reader of [viewer, auditor])
        expect(await ask(reader), `${method} ${at}`).toBe(method === 'GET' ? 200 : 403);
    }
    expect((await api.get(`panel/portal/${id}`, { token })).body.data).toMatchObject({
      name: 'Lobby',
      surveys: [{ id: survey, name: 'S' }],
    });
  });

  test('an item is only found in its own portal', async () => {
    const [one, other] = [await make(admin), await make(admin)];
    const survey = (await api.post(`panel/portal/${one.id}/surveys`, { token: admin, body: { name: 'S' } })).body.data
      .id;
    expect(
      (await api.put(`panel/portal/${other.id}/surveys/${survey}`, { token: admin, body: { name: 'T' } })).status,
    ).toBe(404);
    expect((await api.delete(`panel/portal/${other.id}/surveys/${survey}`, { token: admin })).status).toBe(404);
  });

  test('lists show the active team: its own portals and the shared one it shows', async () => {
    const place = await newLocation('Pansiyon');
    const token = await memberOf(place);
    const shared = await make(admin, 'Shared');
    await make(admin, 'Unused');
    expect(shared.location_id).toBeNull();
    const names = async (who: string) =>
      (await api.get('panel/portal', { token: who })).body.data.map((p: Body) => p.name);
    expect(await names(token)).toEqual([]);
    await api.put(`panel/location/${place}`, { token: admin, body: { portal_id: shared.id } });
    await make(token, 'Own');
    expect(await names(token)).toEqual(['Own', 'Shared']);
    expect((await api.get('panel/user/me', { token })).body.data.total_portals).toBe(2);
    // Others show it too, so that it is not for one of them to change.
    expect((await api.get(`panel/portal/${shared.id}`, { token })).status).toBe(200);
    expect((await api.put(`panel/portal/${shared.id}`, { token, body: { name: 'Mine' } })).status).toBe(403);
    expect((await api.delete(`panel/portal/${shared.id}`, { token })).status).toBe(403);
    expect((await api.get('panel/portal?search=own&per_page=999', { token: admin })).body.data.length).toBeGreaterThan(
      0,
    );
  });

  test('a portal gives the session profiles of its own location, and a shared one those that its owner sees', async () => {
    const [ayse, burak] = [(await api.user('reseller')).token, (await api.user('reseller')).token];
    const [here, there, foreign] = [
      await newLocation('Here', ayse),
      await newLocation('There', ayse),
      await newLocation('Foreign', burak),
    ];
    const profile = async (token: string, at: string): Promise<string> =>
      (await api.post('panel/location/user-profile', { token, body: { name: 'Free', location_id: at } })).body.data.id;
    const [mine, neighbour, stranger] = [
      await profile(ayse, here),
      await profile(ayse, there),
      await profile(burak, foreign),
    ];
    const shared = await make(ayse, 'For all my customers');
    const own = (await api.post('panel/portal', { token: ayse, body: { name: 'Own', location_id: here } })).body.data;
    const give = (portal: Body, profile_id: string) =>
      api.put(`panel/portal/${portal.id}`, {
        token: ayse,
        body: { providers: [{ slug: 'temp', order: 1, options: { profile_id } }] },
      });
    for (const [portal, id] of [
      [own, mine],
      [shared, mine],
      [shared, neighbour],
    ] as const)
      expect((await give(portal, id)).status).toBe(200);
    for (const [portal, id] of [
      [own, neighbour],
      [own, stranger],
      [shared, stranger],
    ] as const)
      expect((await give(portal, id)).body.errors).toHaveProperty(['providers.0.options.profile_id']);
  });

  test('resellers see their own and their customers’', async () => {
    const [ayse, burak] = [(await api.user('reseller')).token, (await api.user('reseller')).token];
    const place = await newLocation('Hers', ayse);
    const own = await make(ayse, 'For all my customers');
    const customers = (
      await api.post('panel/portal', { token: ayse, body: { name: 'Customer’s', location_id: place } })
    ).body.data;
    expect(customers.location_id).toBe(place);
    expect((await api.get('panel/portal', { token: ayse })).body.meta.total).toBe(2);
    expect((await api.get('panel/portal', { token: burak })).body.meta.total).toBe(0);
    const counted = async (token: string) => (await api.get('panel/user/me', { token })).body.data.total_portals;
    expect([await counted(ayse), await counted(burak)]).toEqual([2, 0]);
    for (const id of [own.id, customers.id]) {
      expect((await api.get(`panel/portal/${id}`, { token: burak })).status).toBe(404);
      expect((await api.put(`panel/portal/${id}`, { token: burak, body: { name: 'X' } })).status).toBe(404);
    }
    expect((await api.post('panel/portal', { token: burak, body: { name: 'X', location_id: place } })).status).toBe(
      422,
    );
  });

  test('no table of a portal can point into another tenant', async () => {
    const { id } = await make(admin);
    await expect(
      api.inTenant(
        tx => tx.run(sql`insert into portal_surveys (id, portal_id, name) values (gen_random_uuid(), ${id}, 'x')`),
        'other',
      ),
    ).rejects.toThrow();
  });
});
