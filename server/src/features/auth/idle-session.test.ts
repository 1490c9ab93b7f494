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
