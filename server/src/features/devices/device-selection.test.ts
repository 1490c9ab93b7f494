import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeScene } from '#features/sessions/testing/scene.ts';
import { type Body, startApi, type TestApi } from '#test/harness.ts';

let api: TestApi;
let admin: string;
let location: string;
let brand: string;
beforeAll(async () => {
  api = await startApi();
  admin = (await api.user('tenant-admin')).token;
  location = await api.location(admin, 'Otel');
  const brands: Body[] = (await api.get('panel/device/brands', { token: admin })).body.data;
  brand = brands.find(it => it.slug === 'mikrotik')!.id;
});

let macs = 0;
async function make(name = 'Lobi', at = location): Promise<string> {
  macs += 1;
  const body = { name, location_id: at, brand_id: brand, mac_address: `02:00:00:00:01:${String(macs + 10)}` };
  const answer = await api.post('panel/device', { token: admin, body });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data.id;
}
const on = (verb: string, body: object, token = admin) => api.post(`panel/device/selected/${verb}`, { token, body });
const isOn = async (id: string) =>
  (await api.get(`panel/device/${id}`, { token: admin })).body.data.hotspot_status as boolean;
const entries = async (verb: string): Promise<Body[]> =>
  (await api.get(`panel/audit?subject_type=device&verb=${verb}`, { token: admin })).body.data;
const nowhere = '00000000-0000-4000-8000-000000000000';

describe('selected devices', () => {
  test('are switched together; those that are so already, or without a licence, are skipped', async () => {
    const [one, two, off, ended] = [await make(), await make(), await make(), await make()];
    await on('hotspot', { ids: [off], hotspot_status: false });
    await api.inTenant(tx =>
      tx.run(sql`update devices set trial_end_at = now() - interval '1 day' where id = ${ended}`),
    );
    await api.inTenant(tx =>
      tx.run(sql`update locations set trial_end_at = now() - interval '1 day' where id = ${location}`),
    );
    const before = (await entries('update')).length;
    const answer = await on('hotspot', { ids: [one, two, off, ended, one], hotspot_status: false });
    expect(answer.body.data, answer.text).toEqual({ changed: 2, skipped: 2 });
    expect([await isOn(one), await isOn(two), await isOn(off), await isOn(ended)]).toEqual([false, false, false, true]);
    const news = (await entries('update')).slice(0, -before || undefined);
    expect(news.map(it => it.subject.id).sort()).toEqual([one, two].sort());
    expect(news[0]).toMatchObject({ before: { hotspot_status: true }, after: { hotspot_status: false } });
    const refused = await on('hotspot', { ids: [ended], hotspot_status: false });
    expect([refused.status, refused.body.code]).toEqual([409, 'no_subscription']);
    expect((await api.post(`panel/location/${location}/suspend`, { token: admin })).status).toBe(200);
    expect((await on('hotspot', { ids: [ended], hotspot_status: false })).body.code).toBe('service_suspended');
    expect((await api.post(`panel/location/${location}/resume`, { token: admin })).status).toBe(200);
  });

  test('are deleted together, each with an entry', async () => {
    const ids = [await make('Depo'), await make('Teras')];
    expect((await on('delete', { ids })).body.data).toEqual({ changed: 2, skipped: 0 });
    for (const id of ids) expect((await api.get(`panel/device/${id}`, { token: admin })).status).toBe(404);
    const news = (await entries('delete')).filter(it => ids.includes(it.subject.id));
    expect(news.map(it => it.subject.name).sort()).toEqual(['Depo', 'Teras']);
    expect((await on('delete', { ids })).body.errors).toHaveProperty('ids');
  });

  test('are changed all or not at all, by whom it is granted to', async () => {
    const elsewhere = await api.location(admin, 'Kafe');
    const [here, there] = [await make(), await make('Bar', elsewhere)];
    const change = { hotspot_status: false };
    const manager = await api.user('member', { location, permissions: ['view-devices', 'update-devices'] });
    const limited = await api.user('member', {
      location,
      permissions: ['view-devices', 'update-devices', 'delete-devices'],
      deviceIds: [here],
    });
    const second = await make();
    const foreign = await on('hotspot', { ids: [here, there], ...change }, manager.token);
    expect([foreign.status, foreign.body.errors]).toMatchObject([422, { ids: [expect.any(String)] }]);
    expect((await on('delete', { ids: [here] }, manager.token)).status).toBe(403);
    expect((await on('delete', { ids: [here, second] }, limited.token)).body.errors).toHaveProperty('ids');
    expect((await on('hotspot', { ids: [nowhere], ...change })).body.errors).toHaveProperty('ids');
    for (const ids of [[], 'x', ['x'], Array.from({ length: 201 }, () => here)])
      expect((await on('hotspot', { ids, ...change })).status).toBe(422);
    expect((await on('hotspot', { ids: [here] })).body.errors).toHaveProperty('hotspot_status');
    expect([await isOn(here), await isOn(there), await isOn(second)]).toEqual([true, true, true]);
    expect((await on('delete', { ids: [here] }, limited.token)).body.data).toEqual({ changed: 1, skipped: 0 });
  });
});

test('devices are ordered by name and by when they were heard from', async () => {
  const place = await api.location(admin, 'Sıra');
  const [zeta, cinar, alpha] = [await make('zeta', place), await make('Çınar', place), await make('Alpha', place)];
  await api.inTenant(tx => tx.run(sql`update devices set last_seen_at = now() - interval '1 hour' where id = ${zeta}`));
  await api.inTenant(tx => tx.run(sql`update devices set last_seen_at = now() where id = ${alpha}`));
  const order = async (query: string) =>
    (await api.get(`panel/device?location_id=${place}&${query}`, { token: admin })).body.data.map((it: Body) => it.id);
  expect(await order('')).toEqual([alpha, cinar, zeta]);
  expect(await order('order=asc')).toEqual([zeta, cinar, alpha]);
  expect(await order('sort=name&order=asc')).toEqual([alpha, cinar, zeta]);
  expect(await order('sort=name&order=desc')).toEqual([zeta, cinar, alpha]);
  expect(await order('sort=seen&order=asc'), 'the one never heard from first').toEqual([cinar, zeta, alpha]);
  expect(await order('sort=seen&order=desc')).toEqual([alpha, zeta, cinar]);
  expect(await order('sort=name&order=asc&per_page=1&page=2')).toEqual([cinar]);
  const wrong = await api.get('panel/device?sort=secret', { token: admin });
  expect([wrong.status, wrong.body.errors]).toMatchObject([422, { sort: [expect.any(String)] }]);
});

describe('beside the routers', () => {
  const slug = 'busy';

  test('a deletion that waits for accounting holds nothing that accounting needs', async () => {
    const tenant = await api.tenantId(slug);
    const { token } = await api.user('tenant-admin', { tenant: slug });
    const scene = await makeScene(api.app, tenant);
    const devices = [scene.device, await scene.addDevice(), await scene.addDevice()].map(it => it.id);
    const { ids } = await scene.inTenant(tx =>
      tx.one<{ ids: string[] }>(sql`
        select array_agg(id order by lock_key('router', id)) as ids from unnest(${devices}::text[]) id`),
    );
    const deletion = await scene.inTenant(async tx => {
      await tx.run(sql`select pg_advisory_xact_lock_shared(lock_key('router', ${ids[0]}))`);
      const answer = api.post('panel/device/selected/delete', {
        ...{ token, tenant: slug },
        body: { ids: ids.toReversed() },
      });
      // Other test files have their databases on the same server.
      const waiting = () =>
        tx.maybe(sql`select 1 from pg_locks where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`);
      while (!(await waiting())) await sleep(10);
      const free = await tx.one(sql`
        select bool_and(pg_try_advisory_xact_lock_shared(lock_key('router', id))) as free from unnest(${ids}::text[]) id`);
      expect(free).toEqual({ free: true });
      await tx.run(sql`select from devices where id = any(${ids}) for key share nowait`);
      return { answer };
    });
    const { status, text } = await deletion.answer;
    expect(status, text).toBe(200);
  });

  test('a switch and a guest who signs in or is accounted do not wait for each other', async () => {
    const tenant = await api.tenantId(slug);
    const { token } = await api.user('tenant-admin', { tenant: slug });
    const scene = await makeScene(api.app, tenant);
    const id = scene.device.id;
    const post = (verb: string, body: object) =>
      api.post(`panel/device/selected/${verb}`, { token, tenant: slug, body });
    await scene.inTenant(async tx => {
      // The locks that account() and a sign-in take.
      await tx.run(sql`select pg_advisory_xact_lock_shared(lock_key('router', ${id}))`);
      await tx.run(sql`select from devices where id = ${id} for key share`);
      const answer = await post('hotspot', { ids: [id], hotspot_status: false });
      expect(answer.status, answer.text).toBe(200);
    });
  });
});
