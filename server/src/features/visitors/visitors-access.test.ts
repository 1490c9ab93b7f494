import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Body } from '#test/harness.ts';
import { type Desk, openDesk } from './testing/desk.ts';

let api: Desk['api'];
let admin: Desk['admin'];
let location: Desk['location'];
let other: Desk['other'];
let user: Desk['user'];
let make: Desk['make'];
let at: Desk['at'];
let viewer: Desk['viewer'];
beforeAll(async () => {
  ({ api, admin, location, other, user, make, at, viewer } = await openDesk());
});

describe('access to visitors', () => {
  test('other tenants and locations find nothing', async () => {
    const visitor = await make(user({ name: 'Görünmez' }));
    const foreign = (await api.user('tenant-admin', { tenant: 'elsewhere' })).token;
    const neighbour = (await api.user('member', { location: other })).token;
    const body = { name: 'Çalındı', provider_type: 'username', username: 'x', password: 'parola1' };
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const sent = method === 'PUT' ? { body } : {};
      expect((await api.ask(method, at(visitor.id), sent)).status).toBe(401);
      expect((await api.ask(method, at(visitor.id), { token: foreign, ...sent })).status).toBe(401);
      expect((await api.ask(method, at(visitor.id), { token: foreign, tenant: 'elsewhere', ...sent })).status).toBe(
        404,
      );
      expect((await api.ask(method, at(visitor.id), { token: neighbour, ...sent })).status).toBe(404);
    }
    for (const token of [neighbour]) {
      expect((await api.get(`panel/client?search=${encodeURIComponent('görünmez')}`, { token })).body.data).toEqual([]);
      expect(
        (await api.get(`panel/client?location_id=${location}&search=${encodeURIComponent('görünmez')}`, { token })).body
          .data,
      ).toEqual([]);
      expect((await api.post('panel/client/export', { token, body: { location_id: location } })).text).not.toContain(
        'Görünmez',
      );
      expect((await api.post('panel/client', { token, body: user() })).body.errors).toHaveProperty('location_id');
    }
    const stranger = { token: foreign, tenant: 'elsewhere' };
    await api.post('panel/client/export', { ...stranger, body: { location_id: location } });
    const files = [
      'consent/export?',
      'reports/sales?download=true&',
      'purchase?download=true&',
      'audit?download=true&',
    ];
    for (const file of files)
      for (const as of [stranger, { token: neighbour }]) await api.get(`panel/${file}location_id=${location}`, as);
    const recorded = async (as: { token: string; tenant?: string }) =>
      (await api.get(`panel/audit?verb=export&location_id=${location}`, as)).body.data;
    expect(await recorded({ token: admin }), 'in the log of a location that they do not see').toEqual([]);
    expect(await recorded(stranger)).toEqual([]);
    expect((await api.get('panel/client?search=rünmez', stranger)).body.data).toEqual([]);
    // The functions of the search see all tenants, so they must check the tenant themselves.
    const found = (slug: string) =>
      api.tenantId(slug).then(id =>
        api.app.db.withTenant(id, tx =>
          tx.many(sql`select search_visitors('%rünmez%', null, null, null, null, 9)
            union all select similar_visitors('Görünmez', null, null, 9)`),
        ),
      );
    expect(await found('elsewhere')).toEqual([]);
    expect(await found('panel')).toHaveLength(2);
    expect((await api.get(at(visitor.id), { token: admin })).body.data).toEqual(visitor);
  });

  test('members need the permission', async () => {
    const visitor = await make(user());
    const looking = await viewer();
    const body = { name: 'x', provider_type: 'username', username: 'x', password: 'parola1' };
    expect((await api.post('panel/client', { token: looking, body: user() })).status).toBe(403);
    expect((await api.post('panel/client/bulk', { token: looking, body: { total_user: 1 } })).status).toBe(403);
    expect((await api.put(at(visitor.id), { token: looking, body })).status).toBe(403);
    expect((await api.delete(at(visitor.id), { token: looking })).status).toBe(403);
    const none = (await api.user('member', { location, permissions: ['store-clients'] })).token;
    expect((await api.get('panel/client', { token: none })).status).toBe(403);
    expect((await api.post('panel/client/export', { token: none, body: {} })).status).toBe(403);
    const made = await api.post('panel/client', {
      token: none,
      body: user({ location_id: undefined, password: 'yeni-parola' }),
    });
    expect(made.body.data.password).toBe('yeni-parola');
  });

  test('a member limited to devices sees their guests, and guests without a device', async () => {
    const brand = (await api.get('panel/device/brands', { token: admin })).body.data[0].id;
    const device = async (mac: string) =>
      (
        await api.post('panel/device', {
          token: admin,
          body: { brand_id: brand, name: mac, mac_address: mac, location_id: location },
        })
      ).body.data.id;
    const [mine, hidden] = [await device('020000000101'), await device('020000000102')];
    const place = async (visitor: Body, id: string) =>
      api.inTenant(tx => tx.run(sql`update visitors set device_id = ${id} where id = ${visitor.id}`));
    const [seen, unseen, fresh] = [
      await make(user({ name: 'Cihazlı' })),
      await make(user({ name: 'Cihazlı' })),
      await make(user({ name: 'Cihazlı' })),
    ];
    await place(seen, mine);
    await place(unseen, hidden);
    const limited = (await api.user('member', { location, deviceIds: [mine] })).token;
    const ids = (await api.get('panel/client?search=cihazl', { token: limited })).body.data.map((v: Body) => v.id);
    expect(ids).toEqual([fresh.id, seen.id]);
    expect((await api.get(at(unseen.id), { token: limited })).status).toBe(404);
    expect((await api.delete(at(unseen.id), { token: limited })).status).toBe(404);
    expect((await api.get('panel/client?per_page=1000', { token: limited })).text).not.toContain(unseen.id);
  });
});
