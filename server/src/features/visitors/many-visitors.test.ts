import { beforeAll, describe, expect, test } from 'vitest';
import type { Body } from '#test/harness.ts';
import { type Desk, openDesk } from './testing/desk.ts';

let api: Desk['api'];
let admin: Desk['admin'];
let location: Desk['location'];
let user: Desk['user'];
let make: Desk['make'];
let at: Desk['at'];
let total: Desk['total'];
let bulk: Body;
beforeAll(async () => {
  ({ api, admin, location, user, make, at, total } = await openDesk());
  bulk = { name: 'Toplu', provider_type: 'username', location_id: location };
});

describe('many visitors', () => {
  test('are created together, and their passwords are shown once', async () => {
    const answer = await api.post('panel/client/bulk', {
      token: admin,
      body: { ...bulk, total_user: 250, username: 'kongre-', name: 'Kongre' },
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

  test('need no prefix; more than a thousand are refused', async () => {
    const people = (await api.post('panel/client/bulk', { token: admin, body: { ...bulk, total_user: 2 } })).body.data;
    expect(people[0].username).toMatch(/^[a-hjkmnp-z2-9]{8}$/);
    const before = await total();
    for (const body of [{ total_user: 0 }, { total_user: 1001 }, { total_user: 'x' }, {}])
      expect(
        (await api.post('panel/client/bulk', { token: admin, body: { ...bulk, ...body } })).body.errors,
      ).toHaveProperty('total_user');
    for (const missing of [{}, { total_user: '' }, { total_user: null }])
      expect(
        (await api.post('panel/client/bulk', { token: admin, body: { ...bulk, ...missing } })).body.errors,
      ).toEqual({ total_user: ['This field is required.'] });
    const unnamed = await api.post('panel/client/bulk', {
      token: admin,
      body: { total_user: 1, location_id: location },
    });
    expect(unnamed.body.errors, 'the rules of the visitor form').toEqual({
      name: ['This field is required.'],
      provider_type: ['This field is required.'],
    });
    const foreign = await api.post('panel/client/bulk', {
      token: admin,
      body: { ...bulk, total_user: 3, profile_id: location },
    });
    expect(foreign.body.errors).toHaveProperty('profile_id');
    expect(await total()).toBe(before);
  });
});

describe('the export', () => {
  test('is a CSV file in the caller’s language, without formulas and secrets', async () => {
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
    expect(lines[1]).toMatch(
      /^"'=HYPERLINK\(""x""\)",,,Otel,,Kullanıcı adı,disari,,\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\+03$/,
    );
    expect(file.text).not.toContain('asla-yazma');
    expect(file.text).not.toContain('Kafe');
  });

  test('contains all visitors of a long list that match the filter', async () => {
    const place = await api.location(admin, 'Büyük');
    for (let n = 0; n < 3; n++)
      await api.post('panel/client/bulk', {
        token: admin,
        body: { ...bulk, total_user: 700, username: `b${n}-`, location_id: place },
      });
    const lines = async (query: string) =>
      (await api.post(`panel/client/export?${query}`, { token: admin, body: {} })).text.trim().split('\r\n').length - 1;
    expect(await lines(`location_id=${place}`)).toBe(2100);
    expect(await lines(`location_id=${place}&search=b1-`)).toBe(700);
    expect(await lines(`location_id=${place}&providers=sms`)).toBe(0);
  });
});
