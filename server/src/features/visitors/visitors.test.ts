import sql from 'sql-template-tag';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Body } from '#test/harness.ts';
import { citizenId, type Desk, openDesk } from './testing/desk.ts';

let api: Desk['api'];
let admin: Desk['admin'];
let location: Desk['location'];
let other: Desk['other'];
let user: Desk['user'];
let citizen: Desk['citizen'];
let room: Desk['room'];
let make: Desk['make'];
let at: Desk['at'];
let total: Desk['total'];
let viewer: Desk['viewer'];
beforeAll(async () => {
  ({ api, admin, location, other, user, citizen, room, make, at, total, viewer } = await openDesk());
});

// There is one visitor per identity number.
afterEach(() => api.inTenant(tx => tx.run(sql`delete from visitors where provider_type = 'citizen-id'`)));

describe('visitors', () => {
  test('have times in the time zone of their location', async () => {
    const times = { session_start_at: '2026-01-01 00:00:00', session_end_at: '2026-01-02T12:30' };
    const moments = { session_start_at: '2025-12-31T21:00:00Z', session_end_at: '2026-01-02T09:30:00Z' };
    const visitor = await make(user({ username: 'local-times', ...times }));
    expect(visitor).toMatchObject(moments);
    const body = user({ username: 'local-times', ...moments, session_end_at: '2026-01-02 13:30:00' });
    const changed = await api.put(at(visitor.id), { token: admin, body });
    expect(changed.body.data).toMatchObject({ ...moments, session_end_at: '2026-01-02T10:30:00Z' });
    const bulk = { total_user: 1, name: 'Toplu', provider_type: 'username', location_id: location, ...times };
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

  test('are refused with all that is missing, not with a part of it', async () => {
    const birth = ['birth_day', 'birth_month', 'birth_year'];
    const missing = {
      username: ['username', 'password'],
      'citizen-id': ['provider_id', ...birth],
      sms: ['provider_type'],
    };
    for (const [provider_type, fields] of Object.entries(missing)) {
      const body = { provider_type, location_id: location };
      const { errors } = (await api.post('panel/client', { token: admin, body })).body;
      expect(Object.keys(errors).sort()).toEqual([...fields, 'name'].sort());
    }
    const wrong = {
      provider_type: 'citizen-id',
      provider_id: 10000000146,
      birth_day: 5,
      birth_month: 13,
      birth_year: 1990,
    };
    const { errors } = (await api.post('panel/client', { token: admin, body: { ...wrong, location_id: location } }))
      .body;
    expect(Object.keys(errors).sort(), 'one message for a fault').toEqual(['birth_month', 'name', 'provider_id']);
  });

  test('are created, read, changed and deleted', async () => {
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
        email: '',
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

  test('store personal data encrypted, and mask it for users without edit permission', async () => {
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

  test('accept empty texts for fields that do not apply', async () => {
    const blank = { username: '', password: '', room_number: '', idNumber: '', email: '', phone: '', profile_id: '' };
    const times = { session_start_at: '', session_end_at: '' };
    const made = await make(citizen({ ...blank, ...times, provider_id: '19191919190' }));
    expect(made).toMatchObject({ provider_id: '19191919190', username: null, profile: null, session_end_at: null });
    const unborn = { birth_day: '', birth_month: '', birth_year: '', provider_id: '' };
    const named = await make(user({ ...blank, ...times, ...unborn, username: 'bos', password: 'parola1' }));
    expect(named).toMatchObject({ username: 'bos', birth_date: null });
    const missing = await api.post('panel/client', { token: admin, body: user({ username: '', password: '' }) });
    expect(Object.keys(missing.body.errors).sort()).toEqual(['password', 'username']);
    const many = { location_id: location, total_user: 1, ...blank, ...times, ...unborn };
    const bulk = { ...many, name: 'Toplu', provider_type: 'username' };
    expect((await api.post('panel/client/bulk', { token: admin, body: bulk })).status).toBe(201);
  });

  test('of a room may have an identity number, and the same guest may return', async () => {
    const first = await make(room({ idNumber: 'U1234567' }));
    expect(first).toMatchObject({ provider_id: '101', idNumber: 'U1234567', room_number: '101' });
    expect((await make(room({ idNumber: 'U1234567', room_number: '102' }))).id).not.toBe(first.id);
  });

  test('keep every field that a change omits', async () => {
    const values = {
      username: 'kalan',
      email: 'kalan@example.com',
      special_profile: true,
      shared_user: 3,
      max_upload: { is_active: true, option: 'mbps', value: 5 },
      session_end_at: '2030-01-01T00:00:00Z',
    };
    const made = await make(user(values));
    const change = async (id: string, body: Body) => (await api.put(at(id), { token: admin, body })).body;
    const renamed = await change(made.id, { name: 'Yeni' });
    expect(renamed.data).toMatchObject({ ...values, name: 'Yeni', password: made['password'] });
    expect((await change(made.id, { max_upload: { value: 7 } })).data).toMatchObject({
      max_upload: { is_active: true, option: 'mbps', value: 7 },
    });
    expect((await change(made.id, { max_upload: { value: 1025 } })).errors).toHaveProperty(['max_upload.value']);
    expect((await change(made.id, { session_end_at: null })).data).toMatchObject({
      name: 'Yeni',
      session_end_at: null,
    });
    expect((await change(made.id, { username: '' })).errors).toHaveProperty('username');
    const before = await make(citizen({ provider_id: '12345678028' }));
    const { name, ...rest } = (await change(before.id, { name: 'Yeni' })).data;
    expect([name, rest]).toMatchObject([
      'Yeni',
      { provider_id: before['provider_id'], birth_year: before['birth_year'] },
    ]);
    expect((await change(before.id, { birth_month: 2, birth_day: 30 })).errors).toHaveProperty('birth_day');
  });

  test('lose the data of the old sign-in method when it changes', async () => {
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

  test.each<[string, () => Body]>([
    ['name', () => user({ name: '' })],
    ['provider_type', () => user({ provider_type: 'sms' })],
    ['username', () => user({ username: undefined })],
    ['username', () => user({ username: '   ' })],
    ['password', () => user({ password: undefined })],
    ['provider_id', () => citizen({ provider_id: undefined })],
    ['provider_id', () => citizen({ provider_id: '10000000147' })],
    ['provider_id', () => citizen({ provider_id: '00000000000' })],
    ['birth_day', () => citizen({ birth_day: undefined })],
    ['birth_day', () => citizen({ birth_day: 30 })],
    ['birth_year', () => citizen({ birth_year: 1929 })],
    ['birth_year', () => citizen({ birth_year: 2999 })],
    ['birth_day', () => citizen({ birth_month: 2, birth_day: 30 })],
    ['birth_month', () => room({ birth_month: 13 })],
    ['room_number', () => room({ room_number: '' })],
    [
      'session_end_at',
      () => user({ session_start_at: '2026-01-02T00:00:00Z', session_end_at: '2026-01-02T00:00:00Z' }),
    ],
    ['session_start_at', () => user({ session_start_at: 'yesterday' })],
    ['session_start_at', () => user({ session_start_at: '0000-01-01T00:00:00Z' })],
    ['email', () => user({ email: 'nobody' })],
    ['phone', () => user({ phone: 'call me' })],
    ['max_upload.value', () => user({ max_upload: { is_active: true, option: 'kbps', value: 2000 } })],
    ['profile_id', () => user({ profile_id: '00000000-0000-4000-8000-000000000000' })],
    ['location_id', () => user({ location_id: '00000000-0000-4000-8000-000000000000' })],
  ])('are refused with bad %s', async (field, bad) => {
    const before = await total();
    const answer = await api.post('panel/client', { token: admin, body: bad() });
    expect(answer.status, answer.text).toBe(422);
    expect(answer.body.errors).toHaveProperty([field]);
    expect(await total()).toBe(before);
  });

  test('have a unique username and identity number within a location', async () => {
    const visitor = await make(user());
    const { username } = visitor;
    expect((await api.post('panel/client', { token: admin, body: user({ username }) })).body.errors).toHaveProperty(
      'username',
    );
    expect((await make(user({ username, location_id: other }))).username).toBe(username);
    await make(citizen());
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
    expect(at_once.every(answer => [201, 422].includes(answer.status))).toBe(true);
  });

  test('cannot have a profile of another location', async () => {
    const profile = (
      await api.post('panel/location/user-profile', { token: admin, body: { name: 'Başka', location_id: other } })
    ).body.data;
    expect(
      (await api.post('panel/client', { token: admin, body: user({ profile_id: profile.id }) })).body.errors,
    ).toHaveProperty('profile_id');
  });

  test('are found by a misspelled name if that is asked for and nothing else matches', async () => {
    const { id } = await make(user({ name: 'Nurdan Kızıltepe' }));
    const ids = async (search: string, more = '&similar=true', token = admin) =>
      (await api.get(`panel/client?search=${encodeURIComponent(search)}${more}`, { token })).body.data.map(
        (v: Body) => v.id,
      );
    expect(await ids('kiziltepe')).toEqual([id]);
    for (const wrong of ['kızıltpee', 'Nurdn']) {
      expect(await ids(wrong), wrong).toContain(id);
      expect(await ids(wrong, ''), wrong).toEqual([]);
    }
    const body = { search: 'kızıltpee', similar: 'true' };
    const file = await api.post('panel/client/export', { token: admin, body });
    expect(file.text, 'the file has the same rows').toContain('Nurdan Kızıltepe');
    const elsewhere = (await api.user('member', { location: other })).token;
    expect(await ids('kızıltpee', '&similar=true', elsewhere)).toEqual([]);
  });

  test('are all found by digits that could be a phone number, in the list and in the file', async () => {
    const numbers = Array.from({ length: 51 }, (_, n) => `7700770${String(n).padStart(2, '0')}`);
    for (const username of numbers) await make(user({ username }));
    const list = await api.get('panel/client?search=7700770&similar=true', { token: admin });
    expect(list.body.meta.total).toBe(51);
    const body = { search: '7700770', similar: 'true' };
    const file = await api.post('panel/client/export', { token: admin, body });
    expect(numbers.filter(it => !file.text.includes(it))).toEqual([]);
    expect(file.text.trimEnd().split('\r\n')).toHaveLength(52);
  });

  test('are found by any part of their names and numbers', async () => {
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
