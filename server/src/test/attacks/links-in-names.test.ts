import { beforeAll, expect, test } from 'vitest';
import { mailNotices } from '#features/notifications/mails.service.ts';
import { notify } from '#features/notifications/public.ts';
import { takeMails } from '#mail/testing.ts';
import { codeText } from '../../sms/code-text.ts';
import { startApi, type TestApi } from '../harness.ts';

/**
 * The attack: a stranger registers with the address of another person, and an advertisement as the name. The welcome, or an
 * invitation, carries its link to that person, from the mail server of the installation.
 */

const lure = 'Win http://evil.example/x';
let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});

const mailTo = async (email: string) => {
  const mail = (await takeMails(api.app)).find(it => it.to.includes(email));
  expect(mail).toBeDefined();
  return mail!;
};
const expectNoLink = ({ subject, text, html }: { subject: string; text: string; html: string }) => {
  for (const it of [subject, text, html]) expect(it).not.toMatch(/evil\.example|http:\/\/evil/);
  expect(text.replaceAll('\u2060', '')).toContain(lure);
};

test('the welcome shows the name, and nothing in it can be pressed', async () => {
  const email = 'victim@example.org';
  const body = { first_name: lure, last_name: 'x', location_name: lure, email, phone_number: '+905301112233' };
  const answer = await api.post('user/register', { body: { ...body, password: 'Harbour lamp 81' } });
  expect(answer.status, answer.text).toBeLessThan(300);
  expectNoLink(await mailTo(email));
});

test('neither can anything in the name of a location or a sender that an invitation has', async () => {
  const admin = await api.user('tenant-admin');
  await api.put('panel/user/me', { token: admin.token, body: { first_name: lure } });
  const location = await api.location(admin.token, lure);
  const email = 'invited@example.org';
  await api.post(`team/members/invite/${location}`, { token: admin.token, body: { email } });
  expectNoLink(await mailTo(email));
});

test('neither can the name of a token in the mail about it, and it turns no letters around', async () => {
  const admin = await api.user('tenant-admin');
  const body = { name: `\u202e${lure}`, permissions: ['view-clients'] };
  expect((await api.post('panel/user/token', { token: admin.token, body })).status).toBe(201);
  const mail = await mailTo(admin.email);
  expectNoLink(mail);
  expect(mail.text).not.toContain('\u202e');
});

test('neither can the name of who accepted an invitation, nor that of a location, in the mails to others', async () => {
  const admin = await api.user('tenant-admin');
  const location = await api.location(admin.token, 'Otel');
  const email = 'accepts@example.org';
  await api.post(`team/members/invite/${location}`, { token: admin.token, body: { email } });
  const invitation = await mailTo(email);
  const token = /accept\/([\w-]+)/.exec(invitation.text)![1];
  const own = { first_name: lure, last_name: 'x', email, phone_number: '+905301112233', password: 'Harbour lamp 81' };
  expect((await api.post('user/register', { body: { ...own, invite_token: token } })).status).toBe(201);
  expectNoLink(await mailTo(admin.email));
});

test('neither can the name of a router in the notice that it is away', async () => {
  const admin = await api.user('tenant-admin');
  const location = await api.location(admin.token, 'Otel');
  const tell = (kind: 'device_offline' | 'login_host_refused' | 'domain_unproven', data: Record<string, string>) =>
    api.inTenant(tx => notify(tx, { kind, to: { users: [admin.id] }, data, locationId: location }));
  const choices = (['device_offline', 'login_host_refused', 'domain_unproven'] as const).map(kind => ({
    kind,
    way: 'mail',
  }));
  const chosen = await api.put('panel/user/notification', { token: admin.token, body: { choices } });
  expect(chosen.status, chosen.text).toBe(200);
  await tell('device_offline', { device: lure, location: 'Otel' });
  await mailNotices(api.app);
  expectNoLink(await mailTo(admin.email));
  // Guests bring this host.
  await tell('login_host_refused', { device: 'Lobi', host: 'evil.example', location: 'Otel' });
  await mailNotices(api.app);
  expect((await mailTo(admin.email)).text).not.toContain('evil.example');
  // The tenant's own name can be copied.
  await tell('domain_unproven', { host: 'wifi.example', days: '3' });
  await mailNotices(api.app);
  const own = await mailTo(admin.email);
  expect(own.text).toContain('wifi.example');
  expect(own.text).not.toContain('\u2060');
});

test('a text message with a code names the place, without a link', () => {
  for (const language of ['en', 'ru'] as const) {
    const text = codeText(language, { place: 'evil.example/x Hotel', code: '123456', host: null });
    expect(text).toContain('evil example/x Hotel');
  }
});
