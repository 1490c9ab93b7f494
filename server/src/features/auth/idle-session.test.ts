import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { startApi } from '#test/harness.ts';

test('a sign-in ends after the idle time of the setting; a personal token does not', async () => {
  const api = await startApi({ SESSION_IDLE_MINUTES: '30' });
  const { token } = await api.user('tenant-admin');
  const made = await api.post('panel/user/token', { token, body: { name: 'ERP', permissions: ['view-clients'] } });
  const personal = made.body.data.token;
  const rest = (minutes: number) =>
    api.inTenant(tx => tx.run(sql`update tokens set last_used_at = now() - make_interval(mins => ${minutes})`));
  await rest(29);
  expect((await api.get('panel/user/me', { token })).status).toBe(200);
  await rest(29);
  expect((await api.get('panel/user/me', { token })).status, 'each request starts the time again').toBe(200);
  await rest(31);
  expect((await api.get('panel/user/me', { token })).status).toBe(401);
  expect((await api.get('panel/client', { token: personal })).status).toBe(200);
});

test('a tenant can shorten the idle time, but not lengthen that of the installation', async () => {
  const api = await startApi({ SESSION_IDLE_MINUTES: '60' });
  const brand = { brand_name: 'Kısa', brand_long_name: 'Kısa' };
  const rest = (minutes: number) =>
    api.inTenant(tx => tx.run(sql`update tokens set last_used_at = now() - make_interval(mins => ${minutes})`));
  const { token } = await api.user('tenant-admin');
  const set = (idle_minutes: unknown) => api.post('panel/tenant', { token, body: { ...brand, idle_minutes } });
  const wrong = await set(4);
  expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['idle_minutes']]);
  expect((await set(20)).body.data.idle_minutes).toBe(20);
  await rest(19);
  expect((await api.get('panel/user/me', { token })).status).toBe(200);
  expect((await set(1000)).status).toBe(200);
  await rest(61);
  expect((await api.get('panel/user/me', { token })).status).toBe(401);
  const again = (await api.user('tenant-admin')).token;
  await api.post('panel/tenant', { token: again, body: { ...brand, idle_minutes: 20 } });
  await rest(21);
  expect((await api.get('panel/user/me', { token: again })).status).toBe(401);
});

test('the stream of events of an open tab does not start the idle time again', async () => {
  const api = await startApi({ SESSION_IDLE_MINUTES: '30' });
  const { token } = await api.user('tenant-admin');
  const events = () => {
    const control = new AbortController();
    const headers = { authorization: `Bearer ${token}`, 'x-tenant': 'panel' };
    return fetch(`${api.url}/v1/panel/events`, { headers, signal: control.signal }).then(({ status }) => {
      control.abort();
      return status;
    });
  };
  const rest = (minutes: number) =>
    api.inTenant(tx => tx.run(sql`update tokens set last_used_at = last_used_at - make_interval(mins => ${minutes})`));
  await rest(20);
  expect(await events()).toBe(200);
  await rest(20);
  expect(await events()).toBe(401);
});

test('the refreshes of a tab that nobody uses do not start the idle time again, and the sign-in leaves the list', async () => {
  const api = await startApi({ SESSION_IDLE_MINUTES: '30' });
  const { token, email } = await api.user('tenant-admin');
  const rest = (minutes: number) =>
    api.inTenant(tx => tx.run(sql`update tokens set last_used_at = last_used_at - make_interval(mins => ${minutes})`));
  const refresh = () => api.get('panel/user/me', { token, headers: { 'x-background': '1' } });
  await rest(20);
  expect((await refresh()).status).toBe(200);
  await rest(20);
  expect((await refresh()).status).toBe(401);
  const login = await api.post('user/login', { body: { email, password: 'secret1' } });
  const again = login.body.data.token;
  const { data } = (await api.get('oauth/tokens', { token: again })).body;
  expect(data.map((it: { current: boolean }) => it.current)).toEqual([true]);
});
