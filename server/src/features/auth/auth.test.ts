import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { holdBlocks } from '#features/throttle/testing/hold-blocks.ts';
import { takeMails } from '#mail/testing.ts';
import { startApi, type TestApi } from '#test/harness.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ TRUST_PROXY: '127.0.0.1' });
});

const person = {
  first_name: 'Elif',
  last_name: 'Şahin',
  location_name: 'Kafe Çınar',
  phone_number: '+90 530 111 22 33',
  password: 'kahve-fincanı-7',
};

describe('signing in', () => {
  test('returns a token and the user; signing out ends it', async () => {
    const { email } = await api.user('tenant-admin');
    const answer = await api.post('user/login', { body: { email: email.toUpperCase(), password: 'secret1' } });
    expect(answer.status).toBe(200);
    const { token, user } = answer.body.data;
    expect(user).toMatchObject({
      email,
      is_team_admin: true,
      can_create_location: true,
      full_name: expect.any(String),
    });
    expect((await api.get('panel/user/me', { token })).body.data).toEqual(user);
    expect((await api.post('user/logout', { token })).status).toBe(204);
    expect((await api.get('panel/user/me', { token })).status).toBe(401);
  });

  test('has the same error for a wrong password and an unknown account', async () => {
    const { email } = await api.user('member');
    const wrong = await api.post('user/login', { body: { email, password: 'wrong' }, language: 'tr' });
    const unknown = await api.post('user/login', {
      body: { email: 'nobody@example.com', password: 'wrong' },
      language: 'tr',
    });
    expect(wrong.status).toBe(401);
    expect(wrong.body).toEqual(unknown.body);
    expect(wrong.body.message).toBe('E-posta veya parola hatalı.');
  });

  test('requires both fields', async () => {
    const answer = await api.post('user/login', { body: { email: 'not an address' } });
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body.errors).sort()).toEqual(['email', 'password']);
  });

  test('slows down guessing for that account only', async () => {
    const { email } = await api.user('member');
    const tries = [];
    for (let n = 0; n < 11; n++) {
      if (n === 10) await holdBlocks(api.app);
      tries.push(await api.post('user/login', { body: { email, password: `guess${n}` } }));
    }
    expect(tries[0]!.status).toBe(401);
    expect(tries.at(-1)!.status).toBe(429);
    expect(Number(tries.at(-1)!.headers.get('retry-after'))).toBeGreaterThan(0);
    const other = await api.user('member');
    expect(other.token).toBeTruthy();
  });

  test('counts guesses per IPv6 network of a caller', async () => {
    const { email } = await api.user('member');
    const guess = async (ip: string) =>
      (
        await api.post('user/login', {
          body: { email, password: 'guess' },
          headers: { 'x-forwarded-for': ip },
        })
      ).status;
    for (let n = 0; n < 10; n++) expect(await guess(`2001:db8:1:2::${n}`)).toBe(401);
    await holdBlocks(api.app);
    expect(await guess('2001:db8:1:2:a:b:c:d')).toBe(429);
    expect(await guess('2001:db8:1:3::1')).toBe(401);
  });

  test('accepts a token in its own tenant only', async () => {
    const { token } = await api.user('tenant-admin');
    await api.tenantId('elsewhere');
    expect((await api.get('panel/user/me', { token, tenant: 'elsewhere' })).status).toBe(401);
    expect((await api.get('panel/user/me', { token, tenant: 'no-such-tenant' })).status).toBe(401);
    expect((await api.get('config', { tenant: 'no-such-tenant' })).status).toBe(404);
    for (const bad of ['x', 'a'.repeat(43), `${token}x`, '%00', 'é'.repeat(3)])
      expect(
        (await api.ask('GET', 'panel/user/me', { headers: { authorization: `Bearer ${encodeURIComponent(bad)}` } }))
          .status,
      ).toBe(401);
  });
});

describe('registering', () => {
  test('creates a user with a location and all its permissions', async () => {
    const answer = await api.post('user/register', { body: { ...person, email: 'Elif@Example.com' } });
    expect(answer.status).toBe(201);
    expect(answer.body.data.tenant.slug).toBe('panel');
    const login = await api.post('user/login', { body: { email: 'elif@example.com', password: person.password } });
    expect(login.body.data.user).toMatchObject({
      can_create_location: false,
      is_team_admin: false,
      total_devices: 0,
      total_portals: 0,
      active_location: { name: 'Kafe Çınar' },
      locations: [{ name: 'Kafe Çınar', time_zone: 'Europe/Istanbul' }],
      time_zone: 'Europe/Istanbul',
    });
    expect(login.body.data.user.permissions).toContain('store-clients');
    const { token, user } = login.body.data;
    const { body } = await api.get(`panel/location/${user.active_location.id}/user`, { token });
    expect(body.data).toMatchObject([{ email: 'elif@example.com', roles: [{ name: 'Manager' }], is_owner: true }]);
  });

  test('requires all fields and a password of eight characters that is not common', async () => {
    const empty = await api.post('user/register', { body: {} });
    expect(Object.keys(empty.body.errors).sort()).toEqual([
      'email',
      'first_name',
      'last_name',
      'location_name',
      'password',
      'phone_number',
    ]);
    const blank = await api.post('user/register', { body: { ...person, email: 'bos@example.com', phone_number: ' ' } });
    expect(blank.body.errors).toEqual({ phone_number: ['This field is required.'] });
    const none = await api.post('user/register', {
      body: { ...person, email: 'parolasiz@example.com', password: '' },
      language: 'tr',
    });
    expect(none.body.errors).toEqual({ password: ['Bu alan zorunludur.'] });
    const short = await api.post('user/register', {
      body: { ...person, email: 'kisa@example.com', password: 'kısa-72' },
      language: 'tr',
    });
    expect(short.body.errors).toEqual({ password: ['En az 8 karakter girin.'] });
    for (const password of ['password', 'Football', 'QWERTYUIOP', 'sunshine1!', '11111111', '1q2w3e4r5t']) {
      const common = await api.post('user/register', { body: { ...person, email: 'yaygin@example.com', password } });
      expect(common.body.errors, password).toEqual({
        password: ['This password is too common. Choose another one.'],
      });
    }
    await api.inTenant(tx => tx.run(sql`update tenants set password_min = 20`), 'strict');
    const strict = await api.post('user/register', {
      tenant: 'strict',
      body: { ...person, email: 'strict@example.com' },
    });
    expect(strict.body.errors).toEqual({ password: ['Enter at least 20 characters.'] });
  });
});

describe('the account of the caller', () => {
  test('is changed, and a new password ends the other sign-ins', async () => {
    const { email, token } = await api.user('member');
    const second = (await api.post('user/login', { body: { email, password: 'secret1' } })).body.data.token;
    const answer = await api.put('panel/user/me', {
      token,
      body: {
        first_name: 'Deniz',
        last_name: 'Ak',
        email,
        phone_number: '+905301112233',
        password: 'yeni-parolam',
        password_confirmation: 'yeni-parolam',
        current_password: 'secret1',
      },
    });
    expect(answer.status).toBe(200);
    expect(answer.body.message).toEqual(answer.body.data);
    expect(answer.body.data.full_name).toBe('Deniz Ak');
    expect((await api.get('panel/user/me', { token })).status).toBe(200);
    expect((await api.get('panel/user/me', { token: second })).status).toBe(401);
    expect((await api.post('user/login', { body: { email, password: 'secret1' } })).status).toBe(401);
    expect((await api.post('user/login', { body: { email, password: 'yeni-parolam' } })).status).toBe(200);
  });

  test('refuses passwords that differ and an address in use', async () => {
    const { token } = await api.user('member');
    const other = await api.user('member');
    const differ = await api.put('panel/user/me', {
      token,
      body: { password: 'onething', password_confirmation: 'another' },
    });
    expect(differ.body.errors).toEqual({ password_confirmation: ['The passwords do not match.'] });
    const fresh = { password: 'yeni-parolam', password_confirmation: 'yeni-parolam' };
    const without = await api.put('panel/user/me', { token, body: fresh });
    expect(without.body.errors).toEqual({ current_password: ['This field is required.'] });
    const wrong = await api.put('panel/user/me', { token, body: { ...fresh, current_password: 'yanlış' } });
    expect(wrong.body.errors).toEqual({ current_password: ['Wrong password.'] });
    const body = {
      first_name: 'A',
      last_name: 'B',
      phone_number: '+905301112233',
      email: other.email,
      current_password: 'secret1',
    };
    expect((await api.put('panel/user/me', { token, body })).body.errors).toHaveProperty('email');
    // Omitted fields keep their value; sent ones must not be empty.
    const kept = await api.put('panel/user/me', { token, body: { first_name: 'Işıl' } });
    expect([kept.status, kept.body.data.first_name]).toEqual([200, 'Işıl']);
    expect((await api.put('panel/user/me', { token, body: { last_name: '' } })).body.errors).toHaveProperty(
      'last_name',
    );
  });

  test('shows the addresses of its sign-ins', async () => {
    const { email, token } = await api.user('member');
    for (const address of ['10.1.2.3', '203.0.113.9', '127.0.0.1'])
      await api.post('user/login', {
        body: { email, password: 'secret1' },
        headers: {
          'x-forwarded-for': address,
          'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36',
        },
      });
    const { data } = (await api.get('oauth/tokens', { token })).body;
    const places = data.map((it: { ip: string; network: string }) => `${it.ip} ${it.network}`).sort();
    expect(places).toEqual(['10.1.2.3 local', '127.0.0.1 here', '127.0.0.1 here', '203.0.113.9 elsewhere']);
    expect(data[0].name).toBe('Chrome, Linux');
  });
  test('lists its sign-ins and ends them one by one', async () => {
    const { email, token } = await api.user('member');
    const second = (
      await api.post('user/login', { body: { email, password: 'secret1' }, headers: { 'user-agent': 'Second' } })
    ).body.data.token;
    const { data } = (await api.get('oauth/tokens', { token })).body;
    expect(data).toHaveLength(2);
    const other = data.find((t: { current: boolean }) => !t.current);
    expect(other.user_agent).toBe('Second');
    expect((await api.delete(`oauth/tokens/${other.id}`, { token: (await api.user('member')).token })).status).toBe(
      404,
    );
    expect((await api.delete(`oauth/tokens/${other.id}`, { token })).status).toBe(204);
    expect((await api.get('panel/user/me', { token: second })).status).toBe(401);
    expect((await api.delete('oauth/tokens/current', { token })).status).toBe(204);
    expect((await api.get('panel/user/me', { token })).status).toBe(401);
  });

  test('is notified by mail of a sign-in from a new browser, in the language of the user', async () => {
    const { email, token } = await api.user('tenant-admin');
    await api.put('panel/user/me', { token, body: { language: 'tr' } });
    const agent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36';
    const login = (headers: Record<string, string>) =>
      api.post('user/login', { body: { email, password: 'secret1' }, headers: { 'user-agent': agent, ...headers } });
    const told = async () => (await takeMails(api.app)).filter(it => it.to.includes(email));
    expect(await told(), 'the first sign-in of all').toEqual([]);
    const first = await login({ 'x-forwarded-for': '203.0.113.7' });
    const [mail, ...more] = await told();
    expect(mail?.subject).toBe('panel hesabınızda yeni oturum');
    expect(mail?.text).toContain('Chrome, Windows, 203.0.113.7');
    expect(more).toEqual([]);
    const cookie = first.headers.get('set-cookie')!.split(';')[0]!;
    expect((await login({ cookie })).status).toBe(200);
    expect(await told(), 'the same browser').toEqual([]);
    await login({ cookie: `${cookie.split('=')[0]}=forged` });
    expect((await told()).length).toBe(1);
  });

  test('works in one location at a time', async () => {
    const admin = await api.user('tenant-admin');
    const make = (name: string) => api.location(admin.token, name);
    const [one, two] = [await make('One'), await make('Two')];
    const member = await api.user('member', { location: one });
    expect((await api.get('panel/user/me', { token: member.token })).body.data.active_location.id).toBe(one);
    expect((await api.post(`panel/user/team/change/${two}`, { token: member.token })).status).toBe(404);
    const changed = await api.post(`panel/user/team/change/${two}`, { token: admin.token });
    expect(changed.body.data.active_location).toEqual({ id: two, name: 'Two' });
    await api.put(`panel/location/${two}`, { token: admin.token, body: { name: 'Two', time_zone: 'Asia/Tokyo' } });
    expect((await api.get('panel/user/me', { token: admin.token })).body.data.time_zone).toBe('Asia/Tokyo');
    const everywhere = (await api.post('panel/user/team/change/all', { token: admin.token })).body.data;
    expect(everywhere).toMatchObject({ active_location: null, time_zone: 'Europe/Istanbul' });
    expect(everywhere.locations).toContainEqual({ id: two, name: 'Two', time_zone: 'Asia/Tokyo' });
  });
});

describe('the tenant', () => {
  test('is identified by header or host, and brands the screens', async () => {
    await api.tenantId('acme');
    expect((await api.get('config', { tenant: 'acme' })).body.data).toMatchObject({
      slug: 'acme',
      variant: 'standard',
      languages: ['tr', 'en'],
      brand: { primary_color: '#2f71f2' },
    });
    const byHost = await api.server.inject({ url: '/v1/config', headers: { host: 'acme.portico.example' } });
    expect(byHost.json().data.slug).toBe('acme');
    const unknown = await api.server.inject({ url: '/v1/config', headers: { host: 'unknown.portico.example' } });
    expect(unknown.json().data.slug).toBe('panel');
  });
});
