import { permissions } from '@portico/contract/permissions.ts';
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { takeMails } from '#mail/testing.ts';
import { type Body, startApi, type TestApi } from '#test/harness.ts';

let api: TestApi;
let admin: string;
let location: string;
let other: string;
let manager: { id: string; email: string; token: string };
let people = 0;
const someone = () => `guest${++people}@example.com`;

beforeAll(async () => {
  api = await startApi();
  admin = (await api.user('tenant-admin')).token;
});
beforeEach(async () => {
  location = await api.location(admin, 'Otel Mavi');
  other = await api.location(admin, 'Kafe Yeşil');
  manager = await api.user('member', { location });
  await takeMails(api.app);
});

const invite = (email: string, body: object = {}, at = location, token = manager.token) =>
  api.post(`panel/location/${at}/user`, { token, body: { email, ...body } });
/** The token of the newest invitation mailed to an address. */
async function linkFor(email: string): Promise<string> {
  const mails = (await takeMails(api.app)).filter(it => it.to.includes(email));
  return /\/invitation\/accept\/([\w-]+)/.exec(mails.at(-1)?.text ?? '')?.[1] ?? 'no mail';
}
const registration = (email: string, invite_token: string) => ({
  body: {
    first_name: 'Can',
    last_name: 'Ak',
    email,
    phone_number: '+905301112233',
    password: 'kahve-fincanı-7',
    invite_token,
  },
});
const members = async (at = location) =>
  (await api.get(`panel/location/${at}/user`, { token: admin })).body.data.map((m: { email: string }) => m.email);
const login = async (email: string, password = 'kahve-fincanı-7') =>
  (await api.post('user/login', { body: { email, password } })).body.data;

describe('inviting someone without an account', () => {
  test('mails a link; registering with it joins the location, once, without a location of their own', async () => {
    const email = someone();
    const invited = await invite(email.toUpperCase(), { permissions: { devices: ['view'], 'basic-stats': ['view'] } });
    expect(invited.status).toBe(201);
    expect(invited.body.data).toMatchObject({
      email,
      status: 'pending',
      deviceIds: null,
      permissions: { devices: ['view'], portals: [] },
    });
    expect(JSON.stringify(invited.body)).not.toMatch(/token/);
    const token = await linkFor(email);
    const page = await api.get(`team/invitation/${token}`);
    expect(page.body.data).toMatchObject({
      status: 'pending',
      email,
      location: { name: 'Otel Mavi' },
      has_account: false,
    });

    expect((await api.post('user/register', registration(email, token))).status).toBe(201);
    const { user, token: session } = await login(email);
    expect(user).toMatchObject({
      active_location: { id: location },
      locations: [{ id: location }],
      permissions: ['view-devices', 'view-basic-stats'],
    });
    expect((await api.get('panel/location', { token: session })).body.meta.total).toBe(1);
    expect(await members()).toContain(email);
    expect((await api.get(`team/invitation/${token}`)).body.data.status).toBe('accepted');
    const again = await api.post('user/register', registration(someone(), token));
    expect(again.body.code).toBe('invitation_used');
    const mails = await takeMails(api.app);
    expect(mails.map(it => it.subject).sort()).toEqual(['Can Ak joined Otel Mavi', 'Welcome to panel']);
    expect(mails.find(it => it.subject.includes('joined'))!.to).toContain(manager.email);
  });

  test('takes a password with a warning, and does not keep it', async () => {
    const email = someone();
    const password = 'by the inviter 7';
    const sent = await invite(email, { password });
    expect([sent.status, sent.body.warnings]).toEqual([
      201,
      ['The invited person chooses the password. Yours was not kept.'],
    ]);
    const other = await api.post(`team/members/invite/${location}`, {
      token: manager.token,
      body: { email: someone(), password },
      language: 'tr',
    });
    expect(other.body.warnings).toEqual(['Parolayı davet edilen kişi belirler. Gönderdiğiniz parola saklanmadı.']);
    expect((await api.post('user/register', registration(email, await linkFor(email)))).status).toBe(201);
    expect((await api.post('user/login', { body: { email, password } })).status).toBe(401);
    expect((await login(email)).user.email).toBe(email);
  });

  test('takes the form of the documents: empty names, and all of their scopes for everything', async () => {
    const all = ['view', 'store', 'update', 'delete'];
    const scopes = { devices: all, portals: all, clients: all, integrations: all, 'basic-stats': ['view'] };
    const form = { first_name: '', last_name: '', password: '', permissions: scopes };
    const whole = await invite(someone(), form);
    expect(whole.status).toBe(201);
    expect(whole.body.warnings).toEqual([]);
    expect(whole.body.data).toMatchObject({ first_name: '', permissions: { ...scopes, location: ['update'] } });
    const part = await invite(someone(), { permissions: { ...scopes, devices: ['view'] } });
    expect(part.body.data.permissions).toMatchObject({ devices: ['view'], location: [] });
    const without = await invite(someone(), { permissions: { ...scopes, location: [] } });
    expect(without.body.data.permissions.location).toEqual([]);
  });

  test('takes the invited address only', async () => {
    const email = someone();
    await invite(email);
    const token = await linkFor(email);
    const answer = await api.post('user/register', registration(someone(), token));
    expect(answer.body.errors).toEqual({ email: ['Use the e-mail address that received the invitation.'] });
    expect((await api.post('user/register', registration(email, 'x'.repeat(43)))).status).toBe(404);
  });

  test('resends with a new link; the old one opens nothing', async () => {
    const email = someone();
    const { id } = (await invite(email)).body.data;
    const old = await linkFor(email);
    await api.inTenant(tx => tx.run(sql`update invitations set expires_at = now() - interval '1 day'`));
    expect((await api.get(`panel/location/${location}/invites`, { token: manager.token })).body.data[0].status).toBe(
      'expired',
    );
    const resent = await api.post(`team/members/invite/resend/${id}`, { token: manager.token });
    expect(resent.status).toBe(200);
    expect(resent.body.data.status).toBe('pending');
    const fresh = await linkFor(email);
    expect((await api.get(`team/invitation/${old}`)).status).toBe(404);
    expect((await api.post('user/register', registration(email, old))).status).toBe(404);
    expect((await api.post('user/register', registration(email, fresh))).status).toBe(201);
  });

  test('registers once, also when the form is sent twice at once', async () => {
    const email = someone();
    await invite(email);
    const token = await linkFor(email);
    const twice = await Promise.all([1, 2].map(() => api.post('user/register', registration(email, token))));
    expect(twice.map(it => it.status).sort()[0]).toBe(201);
    expect(twice.every(it => it.status < 500)).toBe(true);
    expect((await members()).filter((it: string) => it === email)).toHaveLength(1);
  });
});

describe('inviting someone with an account', () => {
  test('to a second location: accepted inside the panel, keeping the first', async () => {
    const member = await api.user('member', { location: other });
    await invite(member.email, { permissions: ['view-clients'] });
    const own = (await api.get('panel/user/invites', { token: member.token })).body.data;
    expect(own).toMatchObject([{ location: { id: location, name: 'Otel Mavi' } }]);
    const notices = (await api.get('panel/notification', { token: member.token, language: 'tr' })).body;
    expect(notices.meta.unread).toBe(1);
    expect(notices.data[0]).toMatchObject({
      kind: 'invitation_received',
      title: 'Otel Mavi lokasyonuna davet edildiniz',
    });
    const accepted = await api.post(`panel/user/invite/accept/${own[0].id}`, { token: member.token });
    expect(accepted.status).toBe(200);
    expect(accepted.body.data.locations.map((l: { id: string }) => l.id).sort()).toEqual([location, other].sort());
    expect(accepted.body.data.active_location.id).toBe(other);
    expect((await api.post(`panel/user/invite/accept/${own[0].id}`, { token: member.token })).status).toBe(404);
    const there = await api.post(`panel/user/team/change/${location}`, { token: member.token });
    expect(there.body.data.permissions).toEqual(['view-clients']);
    expect((await api.get('panel/notification', { token: manager.token })).body.data[0].kind).toBe(
      'invitation_accepted',
    );
  });

  test('are listed to them, the newest first, without closed ones', async () => {
    const member = await api.user('member', { location: other });
    const third = await api.location(admin, 'Bar');
    await invite(member.email);
    await invite(member.email, {}, third, admin);
    const own = async () => (await api.get('panel/user/invites', { token: member.token })).body.data;
    expect((await own()).map((it: Body) => it.location.name)).toEqual(['Bar', 'Otel Mavi']);
    await api.post(`panel/user/invite/deny/${(await own())[0].id}`, { token: member.token });
    expect((await own()).map((it: Body) => it.location.name)).toEqual(['Otel Mavi']);
  });

  test('by link: signed in, or signing in with the password', async () => {
    const member = await api.user('member', { location: other });
    await invite(member.email);
    const token = await linkFor(member.email);
    expect((await api.get(`team/invitation/${token}`)).body.data.has_account).toBe(true);
    expect((await api.post(`team/accept/${token}`)).status).toBe(401);
    expect((await api.post(`team/accept/${token}`, { body: { password: 'wrong' } })).status).toBe(401);
    const answer = await api.post(`team/accept/${token}`, { body: { password: 'secret1' } });
    expect(answer.status).toBe(200);
    expect(answer.body.data.user.active_location.id).toBe(location);
    expect((await api.get('panel/user/me', { token: answer.body.data.token })).status).toBe(200);
    expect((await api.post(`team/accept/${token}`, { token: member.token })).body.code).toBe('invitation_used');
  });

  test('is not accepted while signed in as someone else, nor with a stolen link', async () => {
    const member = await api.user('member', { location: other });
    const thief = await api.user('member', { location: other });
    await invite(member.email);
    const token = await linkFor(member.email);
    const answer = await api.post(`team/accept/${token}`, { token: thief.token });
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({ code: 'invitation_for_other', message: expect.stringContaining(member.email) });
    const { id } = (await api.get('panel/user/invites', { token: member.token })).body.data[0];
    expect((await api.post(`panel/user/invite/accept/${id}`, { token: thief.token })).status).toBe(404);
    expect((await api.post(`panel/user/invite/deny/${id}`, { token: thief.token })).status).toBe(404);
    expect(await members()).not.toContain(thief.email);
    expect((await api.post(`team/accept/${token}`, { token: member.token })).status).toBe(200);
  });

  test('an existing member, oneself, or an administrator of the tenant is refused', async () => {
    const member = await api.user('member', { location });
    for (const email of [member.email, manager.email])
      expect((await invite(email)).body.errors).toEqual({ email: ['This person is already a member.'] });
    const auditor = await api.user('auditor');
    expect((await invite(auditor.email)).body.errors).toHaveProperty('email');
    expect(await takeMails(api.app)).toEqual([]);
  });

  test('cannot be accepted by a stranger who registered the address', async () => {
    const email = someone();
    const body = {
      first_name: 'A',
      last_name: 'B',
      location_name: 'X',
      email,
      phone_number: '+905301112233',
      password: 'başkasının-parolası',
    };
    await api.post('user/register', { body });
    const { token } = await login(email, 'başkasının-parolası');
    const { id } = (await invite(email)).body.data;
    expect((await api.get('panel/user/invites', { token })).body.data).toEqual([]);
    expect((await api.post(`panel/user/invite/accept/${id}`, { token })).status).toBe(404);
    const link = await linkFor(email);
    expect((await api.get(`team/invitation/${link}`)).body.data.has_account).toBe(false);
    expect((await api.post(`team/accept/${link}`, { token })).body.code).toBe('email_unconfirmed');
    const stranger = await api.post(`team/accept/${link}`, { body: { password: 'başkasının-parolası' } });
    expect(stranger.body.code).toBe('email_unconfirmed');
    expect(await members()).not.toContain(email);
  });
});

describe('an invitation', () => {
  test('is not sent twice; after its end it may be', async () => {
    const email = someone();
    await invite(email);
    expect((await invite(email)).body.errors.email[0]).toContain('already');
    const both = await Promise.all([1, 2].map(() => invite('twice@example.com')));
    expect(both.map(it => it.status).sort()).toEqual([201, 422]);
    await api.inTenant(tx => tx.run(sql`update invitations set expires_at = now() where email = ${email}`));
    expect((await invite(email)).status).toBe(201);
    expect((await api.get(`panel/location/${location}/invites`, { token: manager.token })).body.meta.total).toBe(2);
  });

  test('that was withdrawn or expired is not accepted', async () => {
    const [one, two] = [someone(), await api.user('member', { location: other })];
    const { id } = (await invite(one)).body.data;
    const first = await linkFor(one);
    expect((await api.delete(`team/members/invite/${id}`, { token: manager.token })).status).toBe(204);
    expect((await api.delete(`team/members/invite/${id}`, { token: manager.token })).status).toBe(404);
    expect((await api.post(`team/members/invite/resend/${id}`, { token: manager.token })).status).toBe(404);
    expect((await api.post('user/register', registration(one, first))).body.code).toBe('invitation_cancelled');
    expect((await api.get(`team/invitation/${first}`)).body.data.status).toBe('cancelled');
    await invite(two.email);
    const second = await linkFor(two.email);
    await api.inTenant(tx => tx.run(sql`update invitations set expires_at = now() - interval '1 second'`));
    const late = await api.post(`team/accept/${second}`, { token: two.token, language: 'tr' });
    expect(late.body).toMatchObject({
      code: 'invitation_expired',
      message: 'Bu davetiyenin süresi dolmuş. Yenisini isteyin.',
    });
    expect((await api.get('panel/user/invites', { token: two.token })).body.data).toEqual([]);
    expect(await members()).not.toContain(two.email);
  });

  test('of a sender whose account is gone is over, and may be sent by another', async () => {
    const [email, later] = [someone(), someone()];
    await invite(email);
    const link = await linkFor(email);
    await invite(later);
    await api.inTenant(tx => tx.run(sql`delete from users where id = ${manager.id}`));
    const list = async () => (await api.get(`panel/location/${location}/invites`, { token: admin })).body.data;
    expect(await list()).toMatchObject([later, email].map(it => ({ email: it, status: 'expired' })));
    expect((await api.post('user/register', registration(email, link))).status).not.toBe(201);
    expect((await invite(email, {}, location, admin)).status).toBe(201);
    expect((await list()).map((it: { email: string }) => it.email)).toEqual([email, later]);
  });

  test('that does not exist says so, and what to do', async () => {
    const member = await api.user('member', { location: other });
    const none = '00000000-0000-4000-8000-000000000000';
    for (const language of ['en', 'tr'] as const) {
      const answers = [
        await api.get('team/invitation/none', { language }),
        await api.post('team/deny/none', { language }),
        await api.post('team/accept/none', { token: member.token, language }),
        await api.post('user/register', { ...registration(someone(), 'none'), language }),
        await api.post(`panel/user/invite/accept/${none}`, { token: member.token, language }),
      ];
      for (const { status, body } of answers)
        expect([status, body.code, body.message]).toEqual([
          404,
          'invitation_unknown',
          expect.stringContaining(language === 'en' ? 'ask for a new invitation' : 'yeni bir davetiye isteyin'),
        ]);
    }
  });

  test('of a revoked member does not let them back in', async () => {
    const member = await api.user('member', { location: other });
    await invite(member.email);
    const token = await linkFor(member.email);
    await api.post(`team/accept/${token}`, { token: member.token });
    await api.delete(`panel/location/${location}/user/${member.id}`, { token: manager.token });
    expect((await api.post(`team/accept/${token}`, { token: member.token })).status).toBe(409);
    expect(await members()).not.toContain(member.email);
  });

  test('is declined by link or in the panel, and its sender is notified', async () => {
    const email = someone();
    await invite(email);
    const token = await linkFor(email);
    expect((await api.post(`team/deny/${token}`)).status).toBe(204);
    expect((await api.post(`team/deny/${token}`)).body.code).toBe('invitation_declined');
    expect((await api.post('user/register', registration(email, token))).status).toBe(409);
    const member = await api.user('member', { location: other });
    const { id } = (await invite(member.email)).body.data;
    expect((await api.post(`panel/user/invite/deny/${id}`, { token: member.token })).status).toBe(204);
    const notifications = (await api.get('panel/notification', { token: manager.token })).body.data;
    expect(notifications.map((n: { kind: string }) => n.kind)).toEqual(['invitation_denied', 'invitation_denied']);
    expect((await invite(email)).status).toBe(201);
  });

  test('grants no more than its sender holds, by default all of it', async () => {
    const limited = await api.user('member', { location, permissions: ['update-location', 'view-clients'] });
    const beyond = await invite(
      someone(),
      { permissions: ['view-clients', 'delete-clients'] },
      location,
      limited.token,
    );
    expect(beyond.body.errors).toEqual({ permissions: ['You can only grant permissions that you have.'] });
    const same = await invite(someone(), {}, location, limited.token);
    expect(same.body.data.permissions).toMatchObject({ clients: ['view'], location: ['update'], devices: [] });
    const all = await invite(someone());
    const held = Object.values(all.body.data.permissions as Record<string, string[]>).flat();
    expect(held).toHaveLength(permissions.length);
    const roles = (await api.get('panel/location/roles', { token: limited.token, language: 'tr' })).body.data;
    expect(roles.map((r: { name: string }) => r.name)).toContain('Resepsiyon');
    const viewer = roles.find((r: { name: string }) => r.name === 'İzleyici');
    const byRole = await invite(someone(), { roleIds: [viewer.id] });
    expect(byRole.body.data).toMatchObject({
      roles: [{ name: 'Viewer' }],
      permissions: { devices: ['view'], location: [] },
    });
    expect((await invite(someone(), { roleIds: [viewer.id] }, location, limited.token)).body.errors).toHaveProperty(
      'permissions',
    );
    const unknown = await invite(someone(), { roleIds: ['00000000-0000-4000-8000-000000000000'] });
    expect(unknown.body.errors).toHaveProperty('roleIds');
    const misspelt = await invite(someone(), { permissions: { devices: ['view'], basic_stats: ['view'] } });
    expect([misspelt.status, Object.keys(misspelt.body.errors)]).toEqual([422, ['permissions.basic_stats']]);
  });

  test('is closed to strangers: no permission, another location, no token', async () => {
    const email = someone();
    const { id } = (await invite(email)).body.data;
    const viewer = await api.user('member', { location, permissions: ['view-devices'] });
    const neighbour = await api.user('member', { location: other });
    for (const [who, status] of [
      [viewer.token, 403],
      [neighbour.token, 404],
      [undefined, 401],
    ] as const) {
      const options = who ? { token: who } : {};
      expect(
        (await api.post(`panel/location/${location}/user`, { ...options, body: { email: someone() } })).status,
      ).toBe(status);
      expect(
        (await api.post(`team/members/invite/${location}`, { ...options, body: { email: someone() } })).status,
      ).toBe(status);
      expect((await api.post(`team/members/invite/resend/${id}`, options)).status).toBe(status);
      expect((await api.delete(`team/members/invite/${id}`, options)).status).toBe(status);
      expect((await api.get(`panel/location/${location}/invites`, options)).status).toBe(status);
    }
    expect((await api.get(`team/invitation/${'a'.repeat(43)}`)).status).toBe(404);
    await api.tenantId('elsewhere');
    expect((await api.get(`team/invitation/${await linkFor(email)}`, { tenant: 'elsewhere' })).status).toBe(404);
    expect((await invite('not an address')).body.errors).toHaveProperty('email');
  });

  test('is sent at most ten times', async () => {
    const { id } = (await invite(someone())).body.data;
    const statuses = [];
    for (let n = 0; n < 10; n++)
      statuses.push((await api.post(`team/members/invite/resend/${id}`, { token: manager.token })).status);
    expect(statuses).toEqual([...Array(9).fill(200), 429]);
  });
});
