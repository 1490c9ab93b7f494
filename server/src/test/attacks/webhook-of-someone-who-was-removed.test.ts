import { beforeAll, expect, test } from 'vitest';
import { mailNotices } from '#features/notifications/mails.service.ts';
import { takeMails } from '#mail/testing.ts';
import { type Body, startApi, type TestApi } from '../harness.ts';

/**
 * The attack: a member sets up a webhook that leads to a server of their own, and is removed. It goes on telling about every
 * guest, without a sign of it in the panel.
 */

let api: TestApi;
let admin: string;
let location: string;
beforeAll(async () => {
  api = await startApi({ INTEGRATIONS_INSIDE: '1' });
  admin = (await api.user('tenant-admin')).token;
  location = await api.location(admin, 'Otel');
});

const hook = (token: string, name: string) => {
  const connection = { type: 'webhook', url: 'http://127.0.0.1:9/mine', events: ['visitor.created'] };
  const body = { name, location_id: location, integration_id: 'webhook', params: { connection } };
  return api.post('panel/integration', { token, body });
};

test('the members who remain are told, in the panel and by mail', async () => {
  const [member, other] = [await api.user('member', { location }), await api.user('member', { location })];
  expect((await hook(member.token, 'Mine')).status).toBe(201);
  expect((await hook(other.token, 'ERP')).status).toBe(201);
  await takeMails(api.app);
  expect((await api.delete(`panel/location/${location}/user/${member.id}`, { token: admin })).status).toBe(204);
  const notices: Body[] = (await api.get('panel/notification', { token: other.token })).body.data;
  const [notice] = notices.filter(it => it.kind === 'webhooks_left');
  expect(notice).toMatchObject({ location_id: location });
  expect(notice!.body).toMatch(/^Mine: Test User \d+ set these up/);
  expect(notice!.body).not.toContain('ERP');
  await mailNotices(api.app);
  expect((await takeMails(api.app)).flatMap(mail => mail.to)).toContain(other.email);
});

test('a member who made none leaves no notice', async () => {
  const [member, other] = [await api.user('member', { location }), await api.user('member', { location })];
  await api.delete(`panel/location/${location}/user/${member.id}`, { token: admin });
  const notices: Body[] = (await api.get('panel/notification', { token: other.token })).body.data;
  expect(notices.filter(it => it.kind === 'webhooks_left')).toEqual([]);
});
