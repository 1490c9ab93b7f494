import { beforeAll, expect, test } from 'vitest';
import { startApi, type TestApi } from '../harness.ts';

/**
 * The attack: a personal token that may change the settings of one location is stolen. Its owner registered the location and is an
 * administrator; the thief uses that.
 */

let api: TestApi;
let admin: string;
let location: string;
let token: string;
beforeAll(async () => {
  api = await startApi();
  admin = (await api.user('tenant-admin')).token;
  location = await api.location(admin, 'Otel');
  const form = { name: 'ERP', location_id: location, permissions: ['update-location'] };
  token = (await api.post('panel/user/token', { token: admin, body: form })).body.data.token;
});

test('it changes or removes no member who may do more than it', async () => {
  const { id } = await api.user('member', { location });
  const at = `panel/location/${location}/user/${id}`;
  const changed = await api.put(at, { token, body: { permissions: {} } });
  const removed = await api.delete(at, { token });
  expect([changed.body.code, removed.body.code]).toEqual(['outranked', 'outranked']);
  const clerk = await api.user('member', { location, permissions: ['update-location'] });
  expect((await api.delete(`panel/location/${location}/user/${clerk.id}`, { token })).status).toBe(204);
});

test('it deletes no location, not even one that its owner registered', async () => {
  const at = `panel/location/${location}`;
  expect((await api.get(`${at}/contents`, { token })).body.data.deletable).toBe(false);
  expect((await api.delete(at, { token })).body.code).toBe('not_allowed');
  expect((await api.get(at, { token: admin })).status).toBe(200);
  expect((await api.get(`${at}/contents`, { token: admin })).body.data.deletable).toBe(true);
});

test('it makes no invitation valid again that grants more than it', async () => {
  const invitationOf = async (permissions?: readonly string[]): Promise<string> => {
    const sender = await api.user('member', { location, ...(permissions && { permissions }) });
    const body = { email: `guest-${sender.email}` };
    const { id } = (await api.post(`team/members/invite/${location}`, { token: sender.token, body })).body.data;
    const left = await api.delete(`panel/location/${location}/user/${sender.id}`, { token: admin });
    expect(left.status).toBe(204);
    return id;
  };
  const resend = (id: string, by: string) => api.post(`team/members/invite/resend/${id}`, { token: by });
  const wide = await invitationOf();
  expect((await resend(wide, token)).body.code).toBe('outranked');
  const { data } = (await api.get(`panel/location/${location}/invites`, { token: admin })).body;
  expect(data).toMatchObject([{ id: wide, status: 'expired' }]);
  expect((await resend(wide, admin)).status).toBe(200);
  expect((await resend(await invitationOf(['update-location']), token)).status).toBe(200);
});

test('a token invites people with its own permissions only, even if its owner has more', async () => {
  const invite = (body: object) => api.post(`team/members/invite/${location}`, { token, body });
  const wide = await invite({ email: 'wide@example.com', permissions: { clients: ['view', 'update'] } });
  expect([wide.status, Object.keys(wide.body.errors)]).toEqual([422, ['permissions']]);
  const narrow = await invite({ email: 'narrow@example.com' });
  expect(narrow.status, narrow.text).toBe(201);
  const { data } = (await api.get(`panel/location/${location}/invites`, { token: admin })).body;
  const { permissions } = data.find((it: { email: string }) => it.email === 'narrow@example.com');
  const given = Object.entries(permissions as Record<string, string[]>).filter(([, verbs]) => verbs.length > 0);
  expect(given).toEqual([['location', ['update']]]);
});
