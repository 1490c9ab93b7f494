import { webhookEvents } from '@portico/contract/integration-names.ts';
import { beforeAll, expect, test } from 'vitest';
import { type Body, startApi, type TestApi } from '#test/harness.ts';

let api: TestApi;
let admin: string;
let location: string;
let brand_id: string;

beforeAll(async () => {
  api = await startApi();
  admin = (await api.user('tenant-admin')).token;
  location = await api.location(admin, 'Otel');
  const brands: Body[] = (await api.get('panel/device/brands', { token: admin })).body.data;
  brand_id = brands.find(it => it.slug === 'mikrotik')!.id;
});

const places = {
  location: 'panel/location',
  profile: 'panel/location/user-profile',
  device: 'panel/device',
  portal: 'panel/portal',
};
type Kind = keyof typeof places;
const kinds: readonly Kind[] = ['location', 'profile', 'device', 'portal'];
const inLocation = ['profile', 'device', 'portal'] as const;

const router = { host: '192.0.2.9', port: 443, username: 'portico', password: 'parola 1' };
let macs = 0;
/** A form with the required fields of this kind, and a setting that stays when it is left out. */
const formOf = (kind: Kind, place = location): Body => ({
  name: 'İlk',
  ...(kind !== 'location' && { location_id: place }),
  ...(kind === 'profile' && { shared_user: 3 }),
  ...(kind === 'device' && { brand_id, mac_address: `A1:B2:C3:D4:F0:${String(10 + macs++)}` }),
  ...(kind === 'portal' && { color_scheme: 'dark' }),
});
const put = (kind: Kind, externalId: string, body: object, token = admin) =>
  api.put(`${places[kind]}/by-external-id/${encodeURIComponent(externalId)}`, { token, body });
const listed = async (kind: Kind, externalId: string, token = admin): Promise<Body[]> =>
  (await api.get(`${places[kind]}?external_id=${encodeURIComponent(externalId)}`, { token })).body.data;

test.for(kinds)('a %s is created once, then changed, and found', async kind => {
  const body = formOf(kind);
  const made = await put(kind, 'erp/7:a', body);
  expect([made.status, made.body.data?.external_id], made.text).toEqual([201, 'erp/7:a']);
  const again = await put(kind, 'erp/7:a', body);
  expect([again.status, again.body.data?.id], again.text).toEqual([200, made.body.data.id]);
  const changed = await put(kind, 'erp/7:a', { name: 'Son', location_id: body['location_id'] });
  expect(changed.body.data).toMatchObject({ ...body, id: made.body.data.id, name: 'Son' });
  expect((await listed(kind, 'erp/7:a')).map(it => it.id)).toEqual([made.body.data.id]);
  expect(await listed(kind, 'erp/8')).toEqual([]);
});

test.for(kinds)('four calls at once make one %s', async kind => {
  const body = formOf(kind);
  const answers = await Promise.all(Array.from({ length: 4 }, () => put(kind, 'race', body)));
  expect(answers.map(it => it.status).sort()).toEqual([200, 200, 200, 201]);
  expect(new Set(answers.map(it => it.body.data.id)).size).toBe(1);
  expect(await listed(kind, 'race')).toHaveLength(1);
});

test.for(kinds)('a call that changes nothing of a %s leaves no time, no audit entry and no event', async kind => {
  const body = {
    ...formOf(kind),
    ...(kind === 'device' && { connection: router, secret: 'radius-secret-long-enough-1' }),
  };
  const { id, updated_at } = (await put(kind, 'same', body)).body.data;
  const other = (await api.user('tenant-admin')).token;
  const connection = { type: 'webhook', url: 'https://hooks.example/', events: webhookEvents };
  const hook = { name: 'All', location_id: null, integration_id: 'webhook', params: { connection } };
  const webhook = (await api.post('panel/integration', { token: admin, body: hook })).body.data.id;
  const traces = async () => {
    const entries = await api.get(`panel/audit?subject_id=${id}&per_page=50`, { token: admin });
    const deliveries = await api.get(`panel/integration/${webhook}/deliveries?per_page=50`, { token: admin });
    const told = deliveries.body.data
      .map((it: Body) => it['event'])
      .filter((it: string) => !it.startsWith('integration.'));
    return [entries.body.meta.total, told.filter((it: string) => it !== 'audit.recorded')];
  };
  const before = await traces();
  for (const token of [admin, admin, other]) {
    const again = await put(kind, 'same', body, token);
    expect([again.status, again.body.data?.updated_at], again.text).toEqual([200, updated_at]);
  }
  expect(await traces()).toEqual(before);
  const changed = await put(kind, 'same', { ...body, name: 'Son' });
  expect(changed.body.data.updated_at).not.toBe(updated_at);
  expect((await traces())[1]).toEqual([`${kind}.updated`]);
  await api.delete(`panel/integration/${webhook}`, { token: admin });
});

test('a repeated call leaves no trace and no version', async () => {
  const { id } = (await put('portal', 'quiet', formOf('portal'))).body.data;
  const entries = async () =>
    (await api.get(`panel/audit?subject_id=${id}&per_page=50`, { token: admin })).body.meta?.total as number;
  const versions = async () =>
    (await api.get(`panel/portal/${id}/history`, { token: admin })).body.meta.total as number;
  const before = [await entries(), await versions()];
  await put('portal', 'quiet', { name: 'İlk', location_id: location, color_scheme: 'dark' });
  expect([await entries(), await versions()]).toEqual(before);
});

test.for(inLocation)('bad input for a %s names the field and creates nothing', async kind => {
  const { name: _, ...nameless } = formOf(kind);
  const refused = await put(kind, 'bad', nameless);
  expect([refused.status, refused.body.errors]).toEqual([422, { name: [expect.any(String)] }]);
  const unknown = await put(kind, 'bad', { ...formOf(kind), location_id: '00000000-0000-4000-8000-000000000009' });
  expect([unknown.status, unknown.body.errors]).toEqual([422, { location_id: [expect.any(String)] }]);
  expect((await put(kind, 'a b', formOf(kind))).status).toBe(404);
  expect(await listed(kind, 'bad')).toEqual([]);
});

test('bad input for a location, and bad values, create nothing', async () => {
  expect((await put('location', 'bad', {})).body.errors).toHaveProperty('name');
  expect((await put('profile', 'bad', { ...formOf('profile'), shared_user: 0 })).status).toBe(422);
  expect((await put('device', 'bad', { ...formOf('device'), mac_address: 'x' })).body.errors).toHaveProperty(
    'mac_address',
  );
  for (const kind of kinds) expect(await listed(kind, 'bad')).toEqual([]);
});

test.for(inLocation)('an id of a %s counts in its location', async kind => {
  const other = await api.location(admin, `Öteki ${kind}`);
  const [here, there] = [await put(kind, 'twice', formOf(kind)), await put(kind, 'twice', formOf(kind, other))];
  expect([here.status, there.status], there.text).toEqual([201, 201]);
  // Without a location, a portal is the tenant's own.
  const vague = await put(kind, 'twice', { name: 'Hangisi' });
  if (kind === 'portal') expect([vague.status, vague.body.data.location_id]).toEqual([201, null]);
  else expect([vague.status, vague.body.errors]).toEqual([422, { location_id: [expect.any(String)] }]);
  const named = await put(kind, 'twice', { name: 'Bu', location_id: other });
  expect([named.status, named.body.data.id]).toEqual([200, there.body.data.id]);
});

test('two customers of a tenant use the same ids, and learn nothing of each other', async () => {
  const [one, two] = [await api.user('reseller'), await api.user('reseller')];
  for (const { token } of [one, two]) {
    const made = await put('location', 'shared', { name: 'Şube' }, token);
    expect(made.status, made.text).toBe(201);
    for (const kind of inLocation) {
      const first = await put(kind, 'shared', formOf(kind, made.body.data.id), token);
      expect(first.status, first.text).toBe(201);
      expect((await put(kind, 'shared', { name: 'Yine', location_id: made.body.data.id }, token)).body.data.id).toBe(
        first.body.data.id,
      );
    }
  }
  for (const kind of kinds) expect(await listed(kind, 'shared', one.token)).toHaveLength(1);
  const vague = await put('location', 'shared', { name: 'Hangisi' });
  expect([vague.status, vague.body.errors]).toEqual([422, { external_id: [expect.any(String)] }]);
});

test('a customer that goes to where its id is taken comes without it', async () => {
  const [from, to] = [await api.user('reseller'), await api.user('reseller')];
  const moved = (await put('location', 'same', { name: 'Gider' }, from.token)).body.data.id;
  await put('location', 'same', { name: 'Durur' }, to.token);
  await api.app.db.pool.query('update locations set owner_id = $1 where id = $2', [to.id, moved]);
  const all: Body[] = (await api.get('panel/location?per_page=50', { token: to.token })).body.data;
  expect(all.map(it => [it.name, it.external_id]).sort()).toEqual([
    ['Durur', 'same'],
    ['Gider', null],
  ]);
  await api.app.db.pool.query('update locations set owner_id = $1 where id = $2', [to.id, moved]);
});

test('another location or tenant, and a member without the permission, change nothing', async () => {
  for (const kind of kinds) await put(kind, 'mine', formOf(kind));
  const other = await api.location(admin, 'Öteki');
  const stranger = (await api.user('member', { location: other })).token;
  for (const kind of inLocation) {
    const away = await put(kind, 'mine', { name: 'Çalındı', location_id: location }, stranger);
    expect([away.status, away.body.errors], kind).toEqual([422, expect.anything()]);
  }
  expect((await put('location', 'mine', { name: 'Çalındı' }, stranger)).status).toBe(403);
  const permissions = ['read-profiles', 'store-devices', 'store-portals', 'view-devices', 'view-portals'];
  const reader = (await api.user('member', { location, permissions })).token;
  for (const kind of kinds) expect((await put(kind, 'mine', { name: 'Çalındı' }, reader)).status, kind).toBe(403);
  const limited = (await api.user('member', { location, deviceIds: [] })).token;
  expect((await put('device', 'mine', formOf('device'), limited)).status).toBe(404);
  for (const kind of kinds) expect((await listed(kind, 'mine'))[0], kind).toMatchObject({ name: 'İlk' });
  const elsewhere = (await api.user('tenant-admin', { tenant: 'panel-2' })).token;
  const theirs = await api.put('panel/location/by-external-id/mine', {
    token: elsewhere,
    tenant: 'panel-2',
    body: { name: 'Onların' },
  });
  expect(theirs.status, theirs.text).toBe(201);
});

test('a personal token changes locations, and creates none', async () => {
  await put('location', 'tool', { name: 'Araç' });
  const body = { name: 'Terraform', permissions: ['update-location'] };
  const { token } = (await api.post('panel/user/token', { token: admin, body })).body.data;
  expect((await put('location', 'tool', { city: 'İzmir' }, token)).body.data).toMatchObject({ city: 'İzmir' });
  expect((await put('location', 'tool-2', { name: 'Yeni' }, token)).status).toBe(403);
  expect(await listed('location', 'tool-2')).toEqual([]);
});

test('a call without a location changes nothing of another customer', async () => {
  const { token, id: reseller } = await api.user('reseller');
  const [a, b] = [await api.location(token, 'A'), await api.location(token, 'B')];
  for (const kind of inLocation) await put(kind, 'guests', formOf(kind, b), token);
  await api.app.db.pool.query('update users set active_location_id = $1 where id = $2', [a, reseller]);
  for (const kind of inLocation) {
    const { location_id: _, ...form } = formOf(kind);
    const made = await put(kind, 'guests', { ...form, name: 'A' }, token);
    expect([made.status, made.body.data?.location_id], made.text).toEqual([201, a]);
    const again = await put(kind, 'guests', { name: 'A 2' }, token);
    expect([again.status, again.body.data?.id], again.text).toEqual([200, made.body.data.id]);
    const there = await put(kind, 'guests', { location_id: b }, token);
    expect(there.body.data, there.text).toMatchObject({ name: 'İlk', location_id: b });
  }
});

test('a portal of the tenant and one of a location have the same id, and both can be changed', async () => {
  const there = await put('portal', 'main', formOf('portal'));
  const ours = await put('portal', 'main', { name: 'Ortak' });
  expect([ours.status, ours.body.data.location_id]).toEqual([201, null]);
  // That of a reseller is not the tenant's own.
  const { token } = await api.user('reseller');
  const theirs = await put('portal', 'main', { name: 'Bayi' }, token);
  expect(theirs.status).toBe(201);
  const second = (await api.user('tenant-admin')).token;
  expect((await put('portal', 'main', { name: 'Ortak 2' }, second)).body.data.id).toBe(ours.body.data.id);
  expect((await put('portal', 'main', { location_id: location, name: 'Yeri' })).body.data.id).toBe(there.body.data.id);
  const names = (await listed('portal', 'main')).map(it => it.name);
  expect(names.sort()).toEqual(['Bayi', 'Ortak 2', 'Yeri']);
});

test('a location of a reseller is not changed by its id, and not made twice', async () => {
  const { token } = await api.user('reseller');
  const theirs = (await put('location', 'branch', { name: 'Bayinin' }, token)).body.data;
  const meant = await put('location', 'branch', { name: 'Kimin' });
  expect([meant.status, meant.body.errors]).toEqual([422, { external_id: [expect.any(String)] }]);
  expect((await put('location', 'branch', { name: 'Yine' }, token)).body.data.id).toBe(theirs.id);
  // Administrators share theirs, and those without an owner.
  const ours = (await put('location', 'office', { name: 'Merkez' })).body.data;
  const second = (await api.user('tenant-admin')).token;
  expect((await put('location', 'office', { city: 'İzmir' }, second)).body.data.id).toBe(ours.id);
  await api.app.db.pool.query('update locations set owner_id = null where id = $1', [ours.id]);
  expect((await put('location', 'office', { city: 'Bursa' }, second)).body.data.id).toBe(ours.id);
});

test('rows without an owner have different ids', async () => {
  const [one, two] = [await api.user('reseller'), await api.user('reseller')];
  const kept = (await put('location', 'orphan', { name: 'Bir' }, one.token)).body.data.id;
  const left = (await put('location', 'orphan', { name: 'İki' }, two.token)).body.data.id;
  for (const id of [kept, left])
    await api.app.db.pool.query('update locations set owner_id = null where id = $1', [id]);
  const { rows } = await api.app.db.pool.query(
    'select id, external_id from locations where id = any($1) order by name',
    [[kept, left]],
  );
  expect(rows).toEqual([
    { id: kept, external_id: 'orphan' },
    { id: left, external_id: null },
  ]);
  const twice = api.app.db.pool.query(`update locations set external_id = 'orphan' where id = $1`, [left]);
  await expect(twice).rejects.toThrow('locations_external');
});
