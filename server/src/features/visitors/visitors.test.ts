import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Body, startApi, type TestApi } from '#test/harness.ts';

let api: TestApi;
let admin: string;
let location: string;
let other: string;
beforeAll(async () => {
  api = await startApi();
  admin = (await api.user('tenant-admin')).token;
  location = await api.location(admin, 'Otel');
  other = await api.location(admin, 'Kafe');
});

const citizenId = '10000000146';
let names = 0;
const user = (more: object = {}) => ({
  name: 'Ayşe Yılmaz',
  provider_type: 'username',
  username: `ayse${++names}`,
  password: 'parola1',
  location_id: location,
  ...more,
});
const born = { birth_day: 29, birth_month: 2, birth_year: 1984 };
const citizen = (more: object = {}) => ({
  name: 'Ali',
  provider_type: 'citizen-id',
  provider_id: citizenId,
  ...born,
  location_id: location,
  ...more,
});
const room = (more: object = {}) => ({
  name: 'Veli',
  provider_type: 'room-number',
  room_number: '101',
  ...born,
  location_id: location,
  ...more,
});
const make = async (body: object): Promise<Body> => {
  const answer = await api.post('panel/client', { token: admin, body });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
};
const at = (id: string) => `panel/client/${id}`;
const total = async () => (await api.inTenant(tx => tx.one<{ n: number }>(sql`select count(*) as n from visitors`))).n;
const viewer = async () => (await api.user('member', { location, permissions: ['view-clients'] })).token;

describe('visitors', () => {
  test('take times as the clocks of their location show them', async () => {
    const times = { session_start_at: '2026-01-01 00:00:00', session_end_at: '2026-01-02T12:30' };
    const moments = { session_start_at: '2025-12-31T21:00:00Z', session_end_at: '2026-01-02T09:30:00Z' };
    const visitor = await make(user({ username: 'local-times', ...times }));
    expect(visitor).toMatchObject(moments);
    const body = user({ username: 'local-times', ...moments, session_end_at: '2026-01-02 13:30:00' });
    const changed = await api.put(at(visitor.id), { token: admin, body });
    expect(changed.body.data).toMatchObject({ ...moments, session_end_at: '2026-01-02T10:30:00Z' });
    const bulk = { total_user: 1, location_id: location, ...times };
    const [made] = (await api.post('panel/client/bulk', { token: admin, body: bulk })).body.data;
    expect((await api.get(at(made.id), { token: admin })).body.data).toMatchObject(moments);
    for (const bad of [
      { session_end_at: '2025-12-31T21:00:00Z' },
      { session_end_at: '2026-01-01 00:00:00' },
      { session_end_at: '2026-02-30 00:00:00' },
    ]) {
      const answer = await api.put(at(visitor.id), { token: admin, body: { ...body, ...times, ...bad } });
      expect(answer.status, answer.text).toBe(422);
      expect(Object.keys(answer.body.errors)).toEqual(['session_end_at']);
    }
  });

  test('are made, read, changed and deleted', async () => {
    const visitor = await make(
      user({ username: 'fatma', email: 'Fatma@Example.com', phone: '', session_start_at: '2026-01-01T00:00:00+03:00' }),
    );
    expect(visitor).toMatchObject({
      name: 'Ayşe Yılmaz',
      provider_type: 'username',
      provider_id: 'fatma',
      password: 'parola1',
      email: 'fatma@example.com',
      phone: null,
      device: null,
      profile: null,
      special_profile: false,
      session_start_at: '2025-12-31T21:00:00Z',
      session_duration: { is_active: false, option: 'day', value: 1 },
      location: { name: 'Otel' },
    });
    expect((await api.get(at(visitor.id), { token: admin })).body.data).toEqual(visitor);
    const changed = await api.put(at(visitor.id), {
      token: admin,
      body: {
        name: 'Fatma',
        provider_type: 'username',
        username: 'fatma2',
        special_profile: true,
        shared_user: 4,
        max_upload: { is_active: true, option: 'kbps', value: 512 },
      },
    });
    expect(changed.status, changed.text).toBe(200);
    expect(changed.body.data).toMatchObject({
      username: 'fatma2',
      password: 'parola1',
      special_profile: true,
      shared_user: 4,
      email: null,
    });
    expect((await api.delete(at(visitor.id), { token: admin })).status).toBe(204);
    expect((await api.get(at(visitor.id), { token: admin })).status).toBe(404);
  });

  test('keep what is personal encrypted, and hidden from those who only look', async () => {
    const visitor = await make(citizen());
    expect(visitor).toMatchObject({
      provider_id: citizenId,
      birth_date: '1984-02-29',
      birth_year: 1984,
      birth_month: 2,
      birth_day: 29,
    });
    const stored = await api.inTenant(tx =>
      tx.one<{ row: string }>(sql`select v::text as row from visitors v where id = ${visitor.id}`),
    );
    expect(stored.row).not.toContain(citizenId);
    expect(stored.row).not.toContain('1984-02-29');
    const looking = await viewer();
    const secret = await make(user({ password: 'cok-gizli' }));
    const seen = (await api.get(at(visitor.id), { token: looking })).body.data;
    expect(seen).toMatchObject({
      provider_id: '100******46',
      idNumber: '100******46',
      birth_date: null,
      birth_year: null,
    });
    expect((await api.get(at(secret.id), { token: looking })).body.data).not.toHaveProperty('password');
    const list = await api.get('panel/client?per_page=1000', { token: looking });
    expect(list.text).not.toContain(citizenId);
    expect((await api.get('panel/client?per_page=1000', { token: admin })).text).not.toContain('cok-gizli');
  });

  test('take fields that do not apply as empty texts, as forms send them', async () => {
    const blank = { username: '', password: '', room_number: '', idNumber: '', email: '', phone: '', profile_id: '' };
    const times = { session_start_at: '', session_end_at: '' };
    const made = await make(citizen({ ...blank, ...times, provider_id: '19191919190' }));
    expect(made).toMatchObject({ provider_id: '19191919190', username: null, profile: null, session_end_at: null });
    const unborn = { birth_day: '', birth_month: '', birth_year: '', provider_id: '' };
    const named = await make(user({ ...blank, ...times, ...unborn, username: 'bos', password: 'parola1' }));
    expect(named).toMatchObject({ username: 'bos', birth_date: null });
    const missing = await api.post('panel/client', { token: admin, body: user({ username: '', password: '' }) });
    expect(Object.keys(missing.body.errors).sort()).toEqual(['password', 'username']);
    const bulk = { location_id: location, total_user: 1, ...blank, ...times, ...unborn, name: '' };
    expect((await api.post('panel/client/bulk', { token: admin, body: bulk })).status).toBe(201);
  });

  test('of a room may carry an identity number, and come again', async () => {
    const first = await make(room({ idNumber: 'U1234567' }));
    expect(first).toMatchObject({ provider_id: '101', idNumber: 'U1234567', room_number: '101' });
    expect((await make(room({ idNumber: 'U1234567', room_number: '102' }))).id).not.toBe(first.id);
  });

  test('change their sign-in method, and lose what the old one knew', async () => {
    const visitor = await make(user());
    const changed = await api.put(at(visitor.id), { token: admin, body: room({ room_number: '205' }) });
    expect(changed.body.data).toMatchObject({ provider_id: '205', username: null, password: null });
    const back = await api.put(at(visitor.id), {
      token: admin,
      body: { name: 'x', provider_type: 'username', username: 'geri' },
    });
    expect(back.body.errors).toHaveProperty('password');
    const sms = await api.put(at(visitor.id), { token: admin, body: { name: 'x', provider_type: 'sms' } });
    expect(sms.body.errors).toHaveProperty('provider_type');
  });

  test.each([
    ['name', user({ name: '' })],
    ['provider_type', user({ provider_type: 'sms' })],
    ['username', user({ username: undefined })],
    ['username', user({ username: '   ' })],
    ['password', user({ password: undefined })],
    ['provider_id', citizen({ provider_id: undefined })],
    ['provider_id', citizen({ provider_id: '10000000147' })],
    ['provider_id', citizen({ provider_id: '00000000000' })],
    ['birth_day', citizen({ birth_day: undefined })],
    ['birth_day', citizen({ birth_day: 30 })],
    ['birth_year', citizen({ birth_year: 1929 })],
    ['birth_year', citizen({ birth_year: 2999 })],
    ['birth_day', citizen({ birth_month: 2, birth_day: 30 })],
    ['birth_month', room({ birth_month: 13 })],
    ['room_number', room({ room_number: '' })],
    ['session_end_at', user({ session_start_at: '2026-01-02T00:00:00Z', session_end_at: '2026-01-02T00:00:00Z' })],
    ['session_start_at', user({ session_start_at: 'yesterday' })],
    ['email', user({ email: 'nobody' })],
    ['phone', user({ phone: 'call me' })],
    ['max_upload.value', user({ max_upload: { is_active: true, option: 'kbps', value: 2000 } })],
    ['profile_id', user({ profile_id: '00000000-0000-4000-8000-000000000000' })],
    ['location_id', user({ location_id: '00000000-0000-4000-8000-000000000000' })],
  ])('are refused with bad %s', async (field, bad) => {
    const before = await total();
    // The table above is read before there is a location.
    const body = { ...bad, location_id: (bad as Body).location_id ?? location };
    const answer = await api.post('panel/client', { token: admin, body });
    expect(answer.status, answer.text).toBe(422);
    expect(answer.body.errors).toHaveProperty([field]);
    expect(await total()).toBe(before);
  });

  test('have a username and an identity number of their own at a location', async () => {
    const visitor = await make(user());
    const { username } = visitor;
    expect((await api.post('panel/client', { token: admin, body: user({ username }) })).body.errors).toHaveProperty(
      'username',
    );
    expect((await make(user({ username, location_id: other }))).username).toBe(username);
    expect((await api.post('panel/client', { token: admin, body: citizen() })).body.errors).toHaveProperty(
      'provider_id',
    );
    const second = await make(user());
    const body = { name: 'x', provider_type: 'username', username };
    expect((await api.put(at(second.id), { token: admin, body })).body.errors).toHaveProperty('username');
    const at_once = await Promise.all(
      Array.from({ length: 5 }, () => api.post('panel/client', { token: admin, body: user({ username: 'yaris' }) })),
    );
    expect(at_once.filter(answer => answer.status === 201)).toHaveLength(1);
    expect(at_once.every(answer => [201, 409, 422].includes(answer.status))).toBe(true);
  });

  test('take no profile of another location', async () => {
    const profile = (
      await api.post('panel/location/user-profile', { token: admin, body: { name: 'Başka', location_id: other } })
    ).body.data;
    expect(
      (await api.post('panel/client', { token: admin, body: user({ profile_id: profile.id }) })).body.errors,
    ).toHaveProperty('profile_id');
  });

  test('are found by any part of what they are known by', async () => {
    const visitor = await make(user({ name: 'Gülşah 100% Öztürk', phone: '+90 532 765 43 21' }));
    const found = async (query: string) => (await api.get(`panel/client?${query}`, { token: admin })).body;
    for (const part of ['gülşah', '765 43', '100%', 'ÖZTÜRK'.slice(1, 4)])
      expect(
        (await found(`search=${encodeURIComponent(part)}`)).data.map((v: Body) => v.id),
        part,
      ).toContain(visitor.id);
    expect((await found('search=100_')).meta.total).toBe(0);
    expect((await found(`search=${encodeURIComponent('gülşah')}&providers=sms,citizen-id`)).data).toEqual([]);
    expect(
      (await found(`search=${encodeURIComponent('gülşah')}&providers[]=username&providers[]=sms`)).meta.total,
    ).toBe(1);
    expect((await found(`search=${encodeURIComponent('gülşah')}&location_id=${other}`)).data).toEqual([]);
    const named = encodeURIComponent('gülşah');
    expect(
      (await found(`query=${named}`)).data.map((v: Body) => v.id),
      'document 2 calls it query',
    ).toEqual([visitor.id]);
    expect((await found(`search=100_&query=${named}`)).meta.total, 'the decisions win').toBe(0);
    const file = await api.post('panel/client/export', { token: admin, body: { query: 'gülşah' } });
    expect(file.text.trim().split('\r\n')).toHaveLength(2);
    expect((await found('providers=nobody')).errors).toBeDefined();
    expect((await found('providers=')).meta.total, 'nothing chosen is no filter').toBe((await found('')).meta.total);
  });

  test('are paged, newest first', async () => {
    const made = [
      await make(user({ name: 'Sayfa' })),
      await make(user({ name: 'Sayfa' })),
      await make(user({ name: 'Sayfa' })),
    ];
    const paged = (await api.get('panel/client?search=Sayfa&per_page=2&page=2', { token: admin })).body;
    expect(paged.data.map((v: Body) => v.id)).toEqual([made[0].id]);
    expect(paged.meta).toMatchObject({ total: 3, last_page: 2, from: 3, to: 3 });
    const all = (await api.get(`panel/client?location_id=${location}&per_page=1`, { token: admin })).body;
    expect(all.data[0].id).toBe(made[2].id);
  });
});

describe('many visitors', () => {
  test('are made at once, with passwords that can be read once', async () => {
    const answer = await api.post('panel/client/bulk', {
      token: admin,
      body: { total_user: 250, username: 'kongre-', name: 'Kongre', location_id: location },
    });
    expect(answer.status, answer.text).toBe(201);
    const people: Body[] = answer.body.data;
    expect(people).toHaveLength(250);
    expect(new Set(people.map(p => p.username)).size).toBe(250);
    expect(people.every(p => /^kongre-[a-z2-9]{6}$/.test(p.username) && /^[a-hjkmnp-z2-9]{8}$/.test(p.password))).toBe(
      true,
    );
    expect(people[9].name).toBe('Kongre 10');
    const one = (await api.get(at(people[0].id), { token: admin })).body.data;
    expect(one).toMatchObject({
      username: people[0].username,
      password: people[0].password,
      provider_type: 'username',
    });
  });

  test('need no prefix, and are refused beyond a thousand', async () => {
    const people = (
      await api.post('panel/client/bulk', { token: admin, body: { total_user: 2, location_id: location } })
    ).body.data;
    expect(people[0].name).toBe(people[0].username);
    const before = await total();
    for (const body of [{ total_user: 0 }, { total_user: 1001 }, { total_user: 'x' }, {}])
      expect(
        (await api.post('panel/client/bulk', { token: admin, body: { ...body, location_id: location } })).body.errors,
      ).toHaveProperty('total_user');
    for (const missing of [{}, { total_user: '' }, { total_user: null }])
      expect(
        (await api.post('panel/client/bulk', { token: admin, body: { ...missing, location_id: location } })).body
          .errors,
      ).toEqual({ total_user: ['This field is required.'] });
    const foreign = await api.post('panel/client/bulk', {
      token: admin,
      body: { total_user: 3, location_id: location, profile_id: location },
    });
    expect(foreign.body.errors).toHaveProperty('profile_id');
    expect(await total()).toBe(before);
  });
});

describe('the export', () => {
  test('is a CSV file in the language of the caller, harmless and without secrets', async () => {
    await make(user({ name: '=HYPERLINK("x")', username: 'disari', password: 'asla-yazma' }));
    const file = await api.post('panel/client/export', {
      token: admin,
      language: 'tr',
      body: { location_id: location },
    });
    expect(file.status).toBe(200);
    expect(file.headers.get('content-type')).toContain('text/csv');
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="user-list.csv"');
    const lines = file.text.replace(/^\uFEFF/, '').split('\r\n');
    expect(lines[0]).toBe('Ad,E-posta,Telefon,Lokasyon,Cihaz,Giriş yöntemi,Giriş bilgisi,Oturum profili,Oluşturulma');
    expect(lines[1]).toMatch(/^"'=HYPERLINK\(""x""\)",,,Otel,,Kullanıcı adı,disari,,\d{4}-/);
    expect(file.text).not.toContain('asla-yazma');
    expect(file.text).not.toContain('Kafe');
  });

  test('holds every visitor of a long list, as the filter says', async () => {
    const place = await api.location(admin, 'Büyük');
    for (let n = 0; n < 3; n++)
      await api.post('panel/client/bulk', {
        token: admin,
        body: { total_user: 700, username: `b${n}-`, location_id: place },
      });
    const lines = async (query: string) =>
      (await api.post(`panel/client/export?${query}`, { token: admin, body: {} })).text.trim().split('\r\n').length - 1;
    expect(await lines(`location_id=${place}`)).toBe(2100);
    expect(await lines(`location_id=${place}&search=b1-`)).toBe(700);
    expect(await lines(`location_id=${place}&providers=sms`)).toBe(0);
  });
});

describe('who may', () => {
  test('others find nothing', async () => {
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
    expect((await api.get('panel/client?search=rünmez', { token: foreign, tenant: 'elsewhere' })).body.data).toEqual(
      [],
    );
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

  test('a member limited to devices sees their guests, and those who were at none yet', async () => {
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
