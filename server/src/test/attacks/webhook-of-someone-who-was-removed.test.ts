import sql from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import { mailNotices } from '#features/notifications/mails.service.ts';
import { takeMails } from '#mail/testing.ts';
import { type Body, startApi, type TestApi } from '../harness.ts';

/**
 * The attack: a member, an administrator or a reseller sets up a webhook that leads to a server of their own, and is removed.
 * It goes on telling about every guest, without a sign of it in the panel.
 */

let api: TestApi;
let admin: string;
let location: string;
beforeAll(async () => {
  api = await startApi({ INTEGRATIONS_INSIDE: '1' });
  admin = (await api.user('tenant-admin')).token;
  location = await api.location(admin, 'Otel');
});

const hook = (token: string, name: string, at: string | null = location) => {
  const connection = { type: 'webhook', url: 'http://127.0.0.1:9/mine', events: ['visitor.created'] };
  const body = { name, location_id: at, integration_id: 'webhook', params: { connection } };
  return api.post('panel/integration', { token, body });
};

test('the members who remain are told, in the panel and by mail', async () => {
  const [member, other] = [await api.user('member', { location }), await api.user('member', { location })];
  expect((await hook(member.token, 'Mine')).status).toBe(201);
  expect((await hook(other.token, 'ERP')).status).toBe(201);
  await takeMails(api.app);
  expect((await api.delete(`panel/location/${location}/user/${member.id}`, { token: admin })).status).toBe(204);
  const [notice] = await noticesOf(other.token);
  expect(notice).toMatchObject({ location_id: location });
  expect(notice!.body).toMatch(/^Mine: Test User \d+ set these up/);
  expect(notice!.body).not.toContain('ERP');
  await mailNotices(api.app);
  expect((await takeMails(api.app)).flatMap(mail => mail.to)).toContain(other.email);
});

test('an administrator who is removed as a member keeps access, so no notice is sent', async () => {
  const [former, other] = [await api.user('tenant-admin'), await api.user('member', { location })];
  expect((await hook(former.token, 'Mine')).status).toBe(201);
  await api.inTenant(tx =>
    tx.run(sql`
    insert into location_members (location_id, user_id, permissions, role_ids) values (${location}, ${former.id}, '{}', '{}')`),
  );
  expect((await api.delete(`panel/location/${location}/user/${former.id}`, { token: admin })).status).toBe(204);
  expect(await noticesOf(other.token)).toEqual([]);
});

test('a member who made none leaves no notice, nor does one who only deleted a webhook', async () => {
  const [member, other] = [await api.user('member', { location }), await api.user('member', { location })];
  const { id } = (await hook(member.token, 'Gone')).body.data;
  expect((await api.delete(`panel/integration/${id}`, { token: member.token })).status).toBe(204);
  await api.delete(`panel/location/${location}/user/${member.id}`, { token: admin });
  expect(await noticesOf(other.token)).toEqual([]);
});

test('of an administrator who is removed, those of the whole tenant are told to the other administrators', async () => {
  const [former, other] = [await api.user('tenant-admin'), await api.user('tenant-admin')];
  const member = await api.user('member', { location });
  expect((await hook(former.token, 'Everything', null)).status).toBe(201);
  expect((await hook(former.token, 'One place')).status).toBe(201);
  expect((await api.delete(`panel/tenant/users/${former.id}`, { token: admin })).status).toBe(204);
  const told = async (token: string) => (await noticesOf(token)).map(it => [it.location_id, it.body.split(':')[0]]);
  expect(await told(other.token)).toEqual([[null, 'Everything']]);
  expect(await told(member.token)).toEqual([[location, 'One place']]);
});

test('of an administrator who becomes a reseller, those at locations of others are told', async () => {
  const [former, other] = [await api.user('tenant-admin'), await api.user('tenant-admin')];
  const own = await api.location(admin, 'Own');
  const [member, ofOwn] = [await api.user('member', { location }), await api.user('member', { location: own })];
  expect((await hook(former.token, 'Everything', null)).status).toBe(201);
  for (const [name, at] of [
    ['Foreign', location],
    ['Own', own],
  ] as const)
    expect((await hook(former.token, name, at)).status).toBe(201);
  const lost = await api.put(`panel/tenant/users/${former.id}`, {
    token: admin,
    body: { role: 'reseller', location_ids: [own] },
  });
  expect(lost.status, lost.text).toBe(200);
  const namesTold = async (token: string) => (await noticesOf(token)).map(it => it.body.split(':')[0]);
  expect(await namesTold(other.token)).toEqual(['Everything']);
  expect(await namesTold(member.token)).toEqual(['Foreign']);
  expect(await namesTold(ofOwn.token), 'they still reach it').toEqual([]);
  expect(await noticesOf(former.token)).toEqual([]);
});

test.for(['panel', 'customers'] as const)('of a reseller whose location went to another: %s', async way => {
  const [former, next] = [await api.user('reseller'), await api.user('reseller')];
  const mine = await api.location(former.token, 'Mine');
  const kept = await api.location(former.token, 'Kept');
  for (const at of [mine, kept]) expect((await hook(former.token, 'Own', at)).status).toBe(201);
  const answer =
    way === 'panel'
      ? await api.put(`panel/tenant/users/${next.id}`, { token: admin, body: { location_ids: [mine] } })
      : await api.post(`panel/location/${mine}/hand-over`, { token: former.token, body: { email: next.email } });
  expect(answer.status, answer.text).toBeLessThan(300);
  expect((await noticesOf(next.token)).map(it => it.location_id)).toEqual([mine]);
  expect(await noticesOf(former.token)).toEqual([]);
});

async function noticesOf(token: string): Promise<Body[]> {
  const notices: Body[] = (await api.get('panel/notification', { token })).body.data;
  return notices.filter(it => it.kind === 'webhooks_left');
}
