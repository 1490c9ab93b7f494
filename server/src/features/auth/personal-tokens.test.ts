import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { takeMails } from '#mail/testing.ts';
import { type Body, startApi, type TestApi } from '#test/harness.ts';

let api: TestApi;
let admin: string;
let location: string;
let other: string;

beforeAll(async () => {
  api = await startApi({ TOKEN_RATE_LIMIT: '40' });
  admin = (await api.user('tenant-admin')).token;
  location = await api.location(admin, 'Otel');
  other = await api.location(admin, 'Öteki');
});

const make = async (token: string, permissions: string[], more: object = {}): Promise<Body> => {
  const answer = await api.post('panel/user/token', { token, body: { name: 'ERP', permissions, ...more } });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
};

describe('a personal access token', () => {
  test('is shown once, listed and revoked', async () => {
    const member = await api.user('member', { location });
    const made = await make(member.token, ['view-clients']);
    expect(made).toMatchObject({
      name: 'ERP',
      permissions: ['view-clients'],
      location: { id: location },
      last_used_at: null,
    });
    expect((await api.get('panel/client', { token: made.token })).status).toBe(200);
    const list = await api.get('panel/user/token', { token: member.token });
    expect(list.body.data.map((it: Body) => it.id)).toEqual([made.id]);
    expect(list.text).not.toContain(made.token);
    expect((await api.get('oauth/tokens', { token: member.token })).body.data).toHaveLength(1);
    expect((await api.delete(`oauth/tokens/${made.id}`, { token: member.token })).status).toBe(404);
    expect((await api.delete(`panel/user/token/${made.id}`, { token: admin })).status).toBe(404);
    expect((await api.delete(`panel/user/token/${made.id}`, { token: member.token })).status).toBe(204);
    expect((await api.get('panel/client', { token: made.token })).status).toBe(401);
  });

  test('is reported to its owner by mail', async () => {
    const member = await api.user('member', { location });
    await takeMails(api.app);
    await make(member.token, ['view-clients']);
    const [mail] = await takeMails(api.app);
    expect(mail).toMatchObject({ to: member.email, subject: 'New access token for your panel account' });
    expect(mail!.text).toContain('ERP');
  });

  test('is one of at most 50, and a revoked or expired one makes room', async () => {
    const member = await api.user('member', { location });
    const made = await make(member.token, ['view-clients']);
    await api.inTenant(tx =>
      tx.run(sql`
        insert into tokens (id, user_id, hash, name, scopes, expires_at)
        select gen_random_uuid(), ${member.id}, decode(md5(n::text), 'hex'), 'ERP', '{view-clients}', now() + n * interval '1 day'
        from generate_series(0, 49) n`),
    );
    const one = { token: member.token, language: 'tr', body: { name: 'POS', permissions: ['view-clients'] } } as const;
    const refused = await api.post('panel/user/token', one);
    expect([refused.status, refused.body]).toEqual([
      409,
      { code: 'tokens_enough', message: 'Hesabınızda 50 erişim anahtarı var. Önce birini iptal edin.' },
    ]);
    expect((await api.get('panel/user/token', { token: member.token })).body.data).toHaveLength(50);
    expect((await api.delete(`panel/user/token/${made.id}`, { token: member.token })).status).toBe(204);
    expect((await api.post('panel/user/token', one)).status).toBe(201);
    expect((await api.post('panel/user/token', one)).status).toBe(409);
  });

  test('has its own permissions only, even if its owner has more', async () => {
    const made = await make(admin, ['view-clients'], { location_id: location });
    const token = made.token;
    const body = { location_id: location, name: 'Ada', provider_type: 'username', username: 'ada', password: 'gizli1' };
    for (const [method, at, sent] of [
      ['POST', 'panel/client', body],
      ['GET', 'panel/device'],
      ['POST', 'panel/location', { name: 'Yeni' }],
      ['GET', 'panel/audit'],
      ['GET', 'panel/tenant/users'],
      ['POST', 'panel/tenant', { brand_name: 'x', brand_long_name: 'x' }],
      ['PUT', 'panel/user/me', { first_name: 'x' }],
      ['POST', 'panel/user/token', { name: 'more', permissions: ['view-clients'] }],
      ['GET', 'panel/user/token'],
      ['GET', 'oauth/tokens'],
      ['GET', 'panel/notification'],
      ['GET', 'panel/user/invites'],
      ['DELETE', 'oauth/tokens/current'],
      ['POST', 'panel/user/two-factor', { password: 'secret1' }],
      ['POST', `panel/user/team/change/${other}`],
      ['POST', 'user/logout'],
      ['DELETE', `panel/location/${location}`],
    ] as const)
      expect((await api.ask(method, at, { token, body: sent })).status, `${method} ${at}`).toBe(403);
    expect((await api.get('panel/user/me', { token })).status).toBe(200);
  });

  test('is limited to its location and its tenant', async () => {
    const admin = (await api.user('reseller')).token;
    const [location, other] = [await api.location(admin, 'Otel'), await api.location(admin, 'Öteki')];
    for (const [at, name] of [
      [location, 'Burada'],
      [other, 'Orada'],
    ])
      await api.post('panel/client', {
        token: admin,
        body: { location_id: at, name, provider_type: 'username', username: name!.toLowerCase(), password: 'gizli1' },
      });
    const names = async (token: string) =>
      (await api.get('panel/client?per_page=50', { token })).body.data.map((it: Body) => it.name).sort();
    const here = await make(admin, ['view-clients'], { location_id: location });
    expect(await names(here.token)).toEqual(['Burada']);
    // It does not depend on the active location of its owner.
    await api.post(`panel/user/team/change/${other}`, { token: admin });
    expect(await names(here.token)).toEqual(['Burada']);
    await api.post('panel/user/team/change/all', { token: admin });
    const everywhere = await make(admin, ['view-clients']);
    expect(await names(everywhere.token)).toEqual(['Burada', 'Orada']);
    expect((await api.get('panel/client', { token: here.token, tenant: 'elsewhere' })).status).toBe(401);
  });

  test('for one location cannot access objects of other locations by id', async () => {
    const brands = (await api.get('panel/device/brands', { token: admin })).body.data;
    const thing = async (at: string, body: object): Promise<string> => {
      const answer = await api.post(at, { token: admin, body });
      expect(answer.status, answer.text).toBe(201);
      return answer.body.data.id;
    };
    const there = { location_id: other };
    const visitor = await thing('panel/client', {
      ...{ ...there, name: 'Uzak', provider_type: 'username', username: 'uzak', password: 'gizli1' },
    });
    const device = await thing('panel/device', {
      ...{ ...there, name: 'Uzak', brand_id: brands.find((it: Body) => it.slug === 'mikrotik').id },
      mac_address: 'A1:B2:C3:D4:E5:91',
    });
    await api.post('panel/user/team/change/all', { token: admin });
    const shared = await thing('panel/portal', { name: 'Herkesin' });
    const keys = [
      'view-clients',
      'update-clients',
      'store-clients',
      'delete-clients',
      'view-devices',
      'update-devices',
    ];
    const more = ['update-location', 'view-portals', 'update-portals', 'view-identity'];
    const { token } = await make(admin, [...keys, ...more], { location_id: location });
    for (const [method, at, body] of [
      ['GET', `panel/client/${visitor}`],
      ['GET', `panel/client?location_id=${other}`],
      ['POST', `panel/client/${visitor}/pause`],
      ['DELETE', `panel/client/${visitor}`],
      ['POST', 'panel/client', { ...there, name: 'x', provider_type: 'username', username: 'x', password: 'gizli1' }],
      ['GET', `panel/device/${device}`],
      ['GET', `panel/device/${device}/logs`],
      ['GET', `panel/location/${other}`],
      ['PUT', `panel/location/${other}`, { name: 'x' }],
      ['GET', `panel/location/${other}/user`],
      ['GET', `panel/location/${other}/role`],
      ['PUT', `panel/portal/${shared}`, { name: 'x' }],
    ] as const) {
      const answer = await api.ask(method, at, { token, body });
      const about = `${method} ${at} → ${answer.status} ${answer.text.slice(0, 200)}`;
      if (answer.status === 200) expect(answer.body.data, about).toEqual([]);
      else expect([404, 422], about).toContain(answer.status);
    }
    const list = await api.get('panel/location', { token });
    expect(list.body.data.map((it: Body) => it.id)).toEqual([location]);
    expect((await api.get(`panel/location/${location}`, { token })).status).toBe(200);
  });

  test('of a member of two locations works at its own location only', async () => {
    const member = await api.user('member', { location });
    await api.inTenant(tx =>
      tx.run(sql`insert into location_members (location_id, user_id, permissions)
        select ${other}, user_id, permissions from location_members where user_id = ${member.id}`),
    );
    const keys = ['update-location', 'store-clients', 'view-clients', 'store-devices'];
    const { token } = await make(member.token, keys, { location_id: location });
    const attempts = (at: string) =>
      [
        ['GET', `panel/location/${at}`],
        ['PUT', `panel/location/${at}`, { name: 'Otel' }],
        ['GET', `panel/location/${at}/user`],
        ['GET', `panel/location/${at}/role`],
        ['POST', `panel/location/${at}/role`, { name: `Kat ${at}`, permissions: ['view-clients'] }],
        ['POST', 'panel/location/user-profile', { location_id: at, name: 'Bir saat' }],
      ] as const;
    for (const [method, at, body] of attempts(other)) {
      const { status, text } = await api.ask(method, at, { token, body });
      expect([403, 404, 422], `${method} ${at} → ${status} ${text.slice(0, 200)}`).toContain(status);
    }
    for (const [method, at, body] of attempts(location).slice(0, 1)) {
      const { status, text } = await api.ask(method, at, { token, body });
      expect(status, `${method} ${at} → ${text.slice(0, 200)}`).toBeLessThan(300);
    }
  });

  test('of a reseller ends when its customer is transferred', async () => {
    const [reseller, rival] = [await api.user('reseller'), await api.user('reseller')];
    const customer = await api.location(reseller.token, 'Müşteri');
    const { token } = await make(reseller.token, ['view-clients'], { location_id: customer });
    expect((await api.get('panel/client', { token })).status).toBe(200);
    const given = await api.post(`panel/location/${customer}/hand-over`, {
      token: admin,
      body: { email: rival.email },
    });
    expect(given.status, given.text).toBe(204);
    expect((await api.get('panel/client', { token })).status).toBe(401);
  });

  test('of a reseller is for its own customers', async () => {
    const reseller = await api.user('reseller');
    const body = { name: 'ERP', permissions: ['view-clients'], location_id: location };
    const refused = await api.post('panel/user/token', { token: reseller.token, body });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['location_id']]);
  });

  test('never has more permissions than its owner, and ends when the owner is deleted', async () => {
    const limited = await api.user('member', { location, permissions: ['view-clients', 'store-clients'] });
    const tooMuch = await api.post('panel/user/token', {
      token: limited.token,
      language: 'tr',
      body: { name: 'x', permissions: ['delete-clients'] },
    });
    expect(tooMuch.body.errors).toEqual({ permissions: ['Yalnızca kendi sahip olduğunuz yetkileri verebilirsiniz.'] });
    const elsewhere = { name: 'x', permissions: ['view-clients'], location_id: other };
    expect((await api.post('panel/user/token', { token: limited.token, body: elsewhere })).status).toBe(422);
    const { token } = await make(limited.token, ['view-clients', 'store-clients']);
    expect((await api.get('panel/client', { token })).status).toBe(200);
    await api.inTenant(tx =>
      tx.run(sql`update location_members set permissions = array['store-clients'] where user_id = ${limited.id}`),
    );
    expect((await api.get('panel/client', { token })).status).toBe(403);
    await api.inTenant(tx => tx.run(sql`delete from location_members where user_id = ${limited.id}`));
    expect((await api.post('panel/client', { token, body: {} })).status).toBe(403);
    await api.inTenant(tx => tx.run(sql`delete from users where id = ${limited.id}`));
    expect((await api.get('panel/client', { token })).status).toBe(401);
  });

  test('ends at its expiry', async () => {
    const daysOf = (it: Body) => (Date.parse(it['expires_at']) - Date.now()) / 86_400_000;
    expect(daysOf(await make(admin, ['view-clients'])), 'by default').toBeCloseTo(90, 1);
    const made = await make(admin, ['view-clients'], { days: 1 });
    expect(daysOf(made)).toBeCloseTo(1, 1);
    const { token, id } = made;
    await api.inTenant(tx => tx.run(sql`update tokens set expires_at = now() where id = ${id}`));
    expect((await api.get('panel/client', { token })).status).toBe(401);
    for (const days of [0, 366, 'x'])
      expect(
        (await api.post('panel/user/token', { token: admin, body: { name: 'x', permissions: ['view-clients'], days } }))
          .body.errors,
      ).toHaveProperty('days');
    for (const body of [{}, { name: 'x', permissions: [] }, { name: 'x', permissions: ['tenant-admin'] }])
      expect((await api.post('panel/user/token', { token: admin, body })).status).toBe(422);
  });

  test('has a limit of calls per minute with a time to retry; other tokens are not affected', async () => {
    const [one, two] = [await make(admin, ['view-clients']), await make(admin, ['view-clients'])];
    const statuses: number[] = [];
    let last;
    for (let i = 0; i < 42; i++) {
      last = await api.get('panel/user/me', { token: one.token });
      statuses.push(last.status);
    }
    expect(statuses.indexOf(429)).toBe(40);
    expect(Number(last!.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await api.get('panel/user/me', { token: two.token })).status).toBe(200);
    expect((await api.get('panel/user/me', { token: admin })).status).toBe(200);
  });
});
