import sql from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import { takeMails } from '#mail/testing.ts';
import { startApi, type TestApi } from '#test/harness.ts';

/**
 * The attack: a stranger prepares an account and keeps a link or a session. Later, when the account belongs to the victim, the
 * stranger takes it over.
 */

let api: TestApi;
let admin: string;
let location: string;
beforeAll(async () => {
  api = await startApi();
  admin = (await api.user('tenant-admin')).token;
  location = await api.location(admin, 'Otel');
});

const attackers = 'saldırganın-parolası';
const victims = 'kurbanın-parolası';
const person = { first_name: 'A', last_name: 'B', phone_number: '+905301112233' };
const login = (email: string, password: string) => api.post('user/login', { body: { email, password } });
const tokenOf = async (email: string, password: string): Promise<string> =>
  (await login(email, password)).body.data.token;
async function mailed(email: string, pattern: RegExp): Promise<string> {
  const mails = (await takeMails(api.app)).filter(it => it.to.includes(email));
  return pattern.exec(mails.map(it => `${it.subject}\n${it.text}`).join('\n'))?.[1] ?? 'no mail';
}
const linkIn = /confirm-email\/([\w-]+)\?/;
/** Subjects begin with it. A link may have six digits in a row by chance. */
const codeIn = /^(\d{6})\b/m;
const confirm = (link: string, email: string, token?: string) =>
  api.post('visitor/confirm-email', { token, body: { token: link, email } });
const askChange = async (token: string, to: string, password: string): Promise<string> => {
  const answer = await api.put('panel/user/me', { token, body: { ...person, email: to, current_password: password } });
  expect(answer.status).toBe(200);
  return mailed(to, linkIn);
};
async function resetPassword(email: string, password: string): Promise<void> {
  await api.post('user/forgot-password', { body: { email } });
  const code = await mailed(email, codeIn);
  const body = { email, code, password, password_confirmation: password };
  expect((await api.post('user/reset-password', { body })).status).toBe(204);
}
const addressOf = async (token: string) => (await api.get('panel/user/me', { token })).body.data.email;

test('a registered victim: the link of a change asked before the reset and the invitation opens nothing', async () => {
  const [victim, attacker] = ['kurban@example.com', 'saldirgan@example.com'];
  await api.post('user/register', {
    body: { ...person, email: victim, location_name: 'Sahte', password: attackers },
  });
  const stolen = await tokenOf(victim, attackers);
  const link = await askChange(stolen, attacker, attackers);

  await api.post(`panel/location/${location}/user`, { token: admin, body: { email: victim } });
  const invitation = await mailed(victim, /invitation\/accept\/([\w-]+)/);
  await resetPassword(victim, victims);
  const accepted = await api.post(`team/accept/${invitation}`, { body: { password: victims } });
  expect(accepted.status).toBe(200);

  expect((await confirm(link, attacker)).status).toBe(404);
  expect((await confirm(link, attacker, stolen)).status).toBe(401);
  await api.post('user/forgot-password', { body: { email: attacker } });
  expect(await mailed(attacker, codeIn)).toBe('no mail');
  expect(await addressOf(await tokenOf(victim, victims))).toBe(victim);
});

test('a stolen session: a new password drops the change that was asked with it', async () => {
  const { email, token: stolen } = await api.user('member', { location });
  const link = await askChange(stolen, 'hirsiz@example.com', 'secret1');
  const own = await tokenOf(email, 'secret1');
  const body = { password: victims, password_confirmation: victims, current_password: 'secret1' };
  expect((await api.put('panel/user/me', { token: own, body })).status).toBe(200);
  expect((await confirm(link, 'hirsiz@example.com', own)).status).toBe(404);
  expect(await addressOf(own)).toBe(email);
});

test('an administrator’s new password for a user drops the change and every token', async () => {
  const reseller = await api.user('reseller');
  const link = await askChange(reseller.token, 'hirsiz2@example.com', 'secret1');
  const made = await api.post('panel/user/token', {
    token: reseller.token,
    body: { name: 'Yedek', permissions: ['view-clients'] },
  });
  const personal = made.body.data.token;
  expect((await api.get('panel/client', { token: personal })).status).toBe(200);
  await api.put(`panel/tenant/users/${reseller.id}`, { token: admin, body: { password: victims } });
  expect((await api.get('panel/client', { token: personal })).status).toBe(401);
  const own = await tokenOf(reseller.email, victims);
  expect((await confirm(link, 'hirsiz2@example.com', own)).status).toBe(404);
});

test('personal tokens end with a password reset', async () => {
  const { email, token } = await api.user('tenant-admin');
  const made = await api.post('panel/user/token', { token, body: { name: 'Yedek', permissions: ['view-clients'] } });
  await resetPassword(email, victims);
  expect((await api.get('panel/client', { token: made.body.data.token })).status).toBe(401);
});

test('the link alone changes nothing: confirming takes the session of the account', async () => {
  const { email, token } = await api.user('member', { location });
  const other = await api.user('member', { location });
  const link = await askChange(token, 'yeni-adres@example.com', 'secret1');
  for (const caller of [undefined, other.token]) {
    const answer = await confirm(link, 'yeni-adres@example.com', caller);
    expect([answer.status, answer.body.code]).toEqual([403, 'sign_in_to_confirm']);
  }
  expect(await addressOf(token)).toBe(email);
  expect((await confirm(link, 'yeni-adres@example.com', token)).status).toBe(200);
});

test('an invitation to an address that a stranger registered goes to the mailbox’s owner, with all access of the stranger ended', async () => {
  const email = 'davetli@example.com';
  await api.post('user/register', { body: { ...person, email, location_name: 'Sahte', password: attackers } });
  const stranger = await tokenOf(email, attackers);
  const setup = await api.post('panel/user/two-factor', { token: stranger, body: { password: attackers } });
  expect(setup.status).toBe(200);
  await api.inTenant(tx => tx.run(sql`update users set totp_enabled = true where email = ${email}`));
  await takeMails(api.app);
  await api.post(`panel/location/${location}/user`, { token: admin, body: { email } });
  const invitation = await mailed(email, /invitation\/accept\/([\w-]+)/);
  expect((await api.get(`team/invitation/${invitation}`)).body.data.has_account).toBe(false);
  expect((await api.post(`team/accept/${invitation}`, { token: stranger })).body.code).toBe('email_unconfirmed');

  const body = { ...person, email, password: victims, invite_token: invitation };
  expect((await api.post('user/register', { body })).status).toBe(201);
  expect((await api.get('panel/user/me', { token: stranger })).status).toBe(401);
  expect((await login(email, attackers)).status).toBe(401);
  const { user } = (await login(email, victims)).body.data;
  expect(user).toMatchObject({ email, active_location: { id: location }, two_factor: { enabled: false } });
});

test('a stranger’s second factor on an unconfirmed address ends with the owner’s password reset', async () => {
  const email = 'sifirlayan@example.com';
  await api.post('user/register', { body: { ...person, email, location_name: 'Sahte', password: attackers } });
  await api.post('panel/user/two-factor', {
    token: await tokenOf(email, attackers),
    body: { password: attackers },
  });
  await api.inTenant(tx => tx.run(sql`update users set totp_enabled = true where email = ${email}`));
  await takeMails(api.app);
  await resetPassword(email, victims);
  expect((await login(email, victims)).status).toBe(200);
});
