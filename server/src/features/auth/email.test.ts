import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '#lib/ids.ts';
import { takeMails } from '#mail/testing.ts';
import { startApi, type TestApi } from '#test/harness.ts';
import { askConfirmation } from './public.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
// Mails that another test left.
beforeEach(async () => {
  await takeMails(api.app);
});

let people = 0;
const fresh = () => `yeni${++people}@example.com`;
const names = { first_name: 'Elif', last_name: 'Şahin', phone_number: '+905301112233' };
const change = (token: string, email: string, current_password?: string) =>
  api.put('panel/user/me', { token, body: { ...names, email, ...(current_password ? { current_password } : {}) } });
const confirm = (link: string, email: string, token?: string) =>
  api.post('visitor/confirm-email', { token, body: { token: link, email } });
const login = (email: string, password = 'secret1') => api.post('user/login', { body: { email, password } });
/** The number of valid codes for a forgotten password. */
const pendingCodes = async (email: string): Promise<number> =>
  (
    await api.inTenant(tx =>
      tx.one<{ n: number }>(sql`
        select count(*)::int as n from reset_codes c join users u on u.id = c.user_id where u.email = ${email} and c.expires_at > now()`),
    )
  ).n;
async function linkIn(email: string) {
  const mails = (await takeMails(api.app)).filter(it => it.to.includes(email));
  return /\/visitor\/confirm-email\/([\w-]+)\?email=/.exec(mails.at(-1)?.text ?? '')?.[1] ?? 'no mail';
}

describe('a new e-mail address', () => {
  test('requires the password and takes effect when it is confirmed', async () => {
    const { email, token } = await api.user('member');
    const next = fresh();
    expect((await change(token, next)).body.errors).toEqual({ current_password: ['This field is required.'] });
    expect((await change(token, next, 'wrong')).body.errors).toEqual({ current_password: ['Wrong password.'] });
    const asked = await change(token, next.toUpperCase(), 'secret1');
    expect(asked.body.data).toMatchObject({ email, pending_email: next, first_name: 'Elif' });
    expect((await login(next)).status).toBe(401);
    const mails = await takeMails(api.app);
    expect(mails.map(it => it.to).sort()).toEqual([email, next].sort());
    expect(mails.find(it => it.to === email)!.text).toContain(next);
    const link = /confirm-email\/([\w-]+)\?email=/.exec(mails.find(it => it.to === next)!.text)![1]!;
    const done = await confirm(link, next, token);
    expect(done.body.data).toEqual({ email: next, kind: 'user' });
    expect((await confirm(link, next)).status).toBe(200);
    expect((await login(next)).status).toBe(200);
    expect((await login(email)).status).toBe(401);
    expect((await api.get('panel/user/me', { token })).body.data).toMatchObject({ email: next, pending_email: null });
  });

  test('is cancelled by saving the old one; only the newest link works', async () => {
    const { email, token } = await api.user('member');
    const [one, two] = [fresh(), fresh()];
    await change(token, one, 'secret1');
    const first = await linkIn(one);
    await change(token, two, 'secret1');
    const second = await linkIn(two);
    expect((await confirm(first, one, token)).status).toBe(404);
    expect((await change(token, email)).body.data.pending_email).toBeNull();
    expect((await confirm(second, two, token)).status).toBe(404);
    expect((await login(email)).status).toBe(200);
  });

  test('is refused if it is in use, also if that happens before its confirmation', async () => {
    const { token, email } = await api.user('member');
    const other = await api.user('member');
    expect((await change(token, other.email, 'secret1')).body.errors).toHaveProperty('email');
    const next = fresh();
    await change(token, next, 'secret1');
    const link = await linkIn(next);
    await api.inTenant(tx => tx.run(sql`update users set email = ${next} where id = ${other.id}`));
    expect((await confirm(link, next, token)).body.errors).toHaveProperty('email');
    expect((await login(email)).status).toBe(200);
  });

  test('is confirmed by its own user alone, and ends the codes that were mailed to the old one', async () => {
    const { email, token } = await api.user('member');
    const next = fresh();
    await change(token, next, 'secret1');
    const link = await linkIn(next);
    expect((await api.post('user/forgot-password', { body: { email } })).status).toBe(204);
    expect(await pendingCodes(email)).toBe(1);
    const someone = await api.user('tenant-admin');
    expect((await confirm(link, next, someone.token)).body.code).toBe('sign_in_to_confirm');
    expect((await confirm(link, next)).body.code).toBe('sign_in_to_confirm');
    expect((await confirm(link, next, token)).status).toBe(200);
    expect(await pendingCodes(next)).toBe(0);
  });

  test('requires a valid link that has not expired', async () => {
    const { token } = await api.user('member');
    const next = fresh();
    await change(token, next, 'secret1');
    const link = await linkIn(next);
    expect((await confirm(link, 'someone@example.com')).status).toBe(404);
    const unknown = await confirm('x'.repeat(43), next);
    expect([unknown.status, unknown.body.code]).toEqual([404, 'link_unknown']);
    await api.tenantId('elsewhere');
    const away = await api.post('visitor/confirm-email', { tenant: 'elsewhere', body: { token: link, email: next } });
    expect(away.status).toBe(404);
    const after = (hours: number) =>
      api.inTenant(tx =>
        tx.run(sql`update email_confirmations set expires_at = expires_at - make_interval(hours => ${hours})
          where email = ${next}`),
      );
    await after(73);
    expect((await confirm(link, next, token)).body.code).toBe('link_over');
    await after(-2);
    expect((await confirm(link, next, token)).status, 'within three days').toBe(200);
    expect(Object.keys((await api.post('visitor/confirm-email', { body: {} })).body.errors).sort()).toEqual([
      'email',
      'token',
    ]);
  });
});

test('a newly registered user confirms the address from the welcome mail', async () => {
  const email = fresh();
  await api.post('user/register', {
    language: 'tr',
    body: { ...names, email, location_name: 'Kafe', password: 'kahve-fincanı-7' },
  });
  const mails = await takeMails(api.app);
  expect(mails[0]).toMatchObject({ to: email, subject: 'panel hesabınız hazır' });
  const link = /confirm-email\/([\w-]+)\?email=/.exec(mails[0]!.text)![1]!;
  const { token } = (await login(email, 'kahve-fincanı-7')).body.data;
  const me = async () => (await api.get('panel/user/me', { token })).body.data;
  expect(await me()).toMatchObject({ pending_email: null, email_confirmed: false });
  expect((await api.post('panel/user/confirm-email', { token })).status).toBe(204);
  expect((await confirm(link, email, token)).status, 'a newer link took its place').toBe(404);
  const again = /confirm-email\/([\w-]+)\?email=/.exec((await takeMails(api.app))[0]!.text)![1]!;
  expect((await confirm(again, email)).body.code).toBe('sign_in_to_confirm');
  expect((await confirm(again, email, token)).status).toBe(200);
  expect((await me()).email_confirmed).toBe(true);
  expect((await api.post('panel/user/confirm-email', { token })).status).toBe(409);
  const row = await api.inTenant(tx =>
    tx.one<{ confirmed: boolean }>(
      sql`select email_confirmed_at is not null as confirmed from users where email = ${email}`,
    ),
  );
  expect(row.confirmed).toBe(true);
});

/** A visitor with an address that waits for its confirmation. */
async function visitorToConfirm() {
  const admin = await api.user('tenant-admin');
  const location = await api.location(admin.token, 'Otel');
  const [id, email] = [newId(), fresh()];
  await api.inTenant(async tx => {
    await tx.run(sql`insert into visitors (id, location_id, name, provider_type, email, session_duration, max_upload, max_download)
      values (${id}, ${location}, 'Misafir', 'email', ${email}, '{}', '{}', '{}')`);
    const whose = { visitorId: id };
    await askConfirmation(tx, api.app, { slug: 'panel', whose, email, name: 'Misafir', language: 'tr' });
  });
  const confirmed = async () =>
    (
      await api.inTenant(tx =>
        tx.one<{ done: boolean }>(sql`select email_confirmed_at is not null as done from visitors where id = ${id}`),
      )
    ).done;
  return { id, email, link: await linkIn(email), confirmed };
}

test('a visitor confirms an address on the same page', async () => {
  const { email, link, confirmed } = await visitorToConfirm();
  expect((await confirm(link, email)).body.data).toEqual({ email, kind: 'visitor' });
  expect(await confirmed()).toBe(true);
});

test('a visitor cannot confirm an address by an expired link', async () => {
  const { id, email, link, confirmed } = await visitorToConfirm();
  await api.inTenant(tx => tx.run(sql`update email_confirmations set expires_at = now() where visitor_id = ${id}`));
  const late = await confirm(link, email);
  expect([late.status, late.body.code]).toEqual([409, 'link_over']);
  expect(await confirmed()).toBe(false);
});
