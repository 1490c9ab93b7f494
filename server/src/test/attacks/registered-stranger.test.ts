import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { holdBlocks } from '#features/throttle/testing/hold-blocks.ts';
import { takeMails } from '#mail/testing.ts';
import { startApi, type TestApi } from '#test/harness.ts';

/** A stranger may register, and wants to send mails and messages at the operator's cost. */

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ INVITATIONS_PER_DAY: '60' });
});

const password = 'kahve-fincanı-7';
let people = 0;
async function stranger(): Promise<{ id: string; token: string; location: string; email: string }> {
  const email = `yabanci${(people += 1)}@example.com`;
  const names = { first_name: 'A', last_name: 'B', phone_number: '+905301112233', location_name: 'X' };
  await api.post('user/register', { body: { ...names, email, password } });
  const { token, user } = (await api.post('user/login', { body: { email, password } })).body.data;
  await takeMails(api.app);
  return { id: user.id, token, location: user.active_location.id, email };
}
const confirmed = async () => {
  const it = await stranger();
  await api.inTenant(tx => tx.run(sql`update users set email_confirmed_at = now() where id = ${it.id}`));
  return it;
};
const invite = (who: { token: string; location: string }, email: string) =>
  api.post(`panel/location/${who.location}/user`, { token: who.token, body: { email } });

describe('before the address is confirmed', () => {
  test('no invitation is sent', async () => {
    const who = await stranger();
    const answer = await invite(who, 'hedef@example.com');
    expect([answer.status, answer.body.code]).toEqual([403, 'email_unconfirmed']);
    expect(await takeMails(api.app)).toEqual([]);
  });

  test('no report is mailed to others', async () => {
    const who = await stranger();
    const body = {
      ...{ location_id: who.location, name: 'Haftalık', frequency: 'weekly', reports: ['visits'] },
      ...{ recipients: ['hedef@example.com'], language: 'tr', is_active: true },
    };
    const answer = await api.post('panel/reports/mail', { token: who.token, body });
    expect([answer.status, answer.body.code]).toEqual([403, 'email_unconfirmed']);
  });
});

test('invitations of a member are limited per day, those of a tenant too', async () => {
  const who = await confirmed();
  const statuses: number[] = [];
  for (let n = 0; n < 52; n += 1) {
    statuses.push((await invite(who, `hedef${n}@example.com`)).status);
    if (n >= 49) await holdBlocks(api.app);
  }
  expect(statuses.filter(status => status === 201).length).toBeLessThanOrEqual(51);
  expect(statuses.at(-1)).toBe(429);
  const admin = (await api.user('tenant-admin')).token;
  const location = await api.location(admin, 'Otel');
  const rest: number[] = [];
  for (let n = 0; n < 20; n += 1) {
    rest.push((await invite({ token: admin, location }, `diger${n}@example.com`)).status);
    await holdBlocks(api.app);
  }
  expect(rest[0]).toBe(201);
  expect(rest.at(-1)).toBe(429);
});

describe('a tenant or an installation by invitation only', () => {
  const body = {
    first_name: 'A',
    last_name: 'B',
    phone_number: '+905301112233',
    location_name: 'X',
    email: 'kapali@example.com',
    password,
  };
  test('refuses registrations without an invitation', async () => {
    const admin = await api.user('tenant-admin', { tenant: 'kapali' });
    const brand = { brand_name: 'K', brand_long_name: 'K', registration: 'invitation' };
    const options = { token: admin.token, tenant: 'kapali' };
    expect((await api.post('panel/tenant', { ...options, body: brand })).status).toBe(200);
    expect((await api.get('config', { tenant: 'kapali' })).body.data.registration).toBe('invitation');
    const answer = await api.post('user/register', { tenant: 'kapali', body });
    expect([answer.status, answer.body.code]).toEqual([403, 'registration_closed']);
  });

  test('and the installation’s setting rules over the tenant’s', async () => {
    const closed = await startApi({ REGISTRATION: 'invitation' });
    expect((await closed.get('config')).body.data.registration).toBe('invitation');
    expect((await closed.post('user/register', { body })).body.code).toBe('registration_closed');
  });
});
