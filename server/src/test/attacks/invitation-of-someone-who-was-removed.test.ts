import sql from 'sql-template-tag';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { takeMails } from '#mail/testing.ts';
import { startApi, type TestApi } from '../harness.ts';

/**
 * The attack: a manager expects to be dismissed, and invites an accomplice, or a second address of their own, with all rights. The
 * manager is removed, and the invitation is accepted days later.
 */

let api: TestApi;
let admin: string;
let location: string;
let manager: { id: string; token: string };
let accomplice: { email: string; token: string };
let invitation: string;
let link: string;

beforeAll(async () => {
  api = await startApi();
  admin = (await api.user('tenant-admin')).token;
});
beforeEach(async () => {
  location = await api.location(admin, 'Otel');
  await api.user('member', { location });
  manager = await api.user('member', { location });
  accomplice = await api.user('member', { location: await api.location(admin, 'Başka') });
  const body = { email: accomplice.email };
  invitation = (await api.post(`panel/location/${location}/user`, { token: manager.token, body })).body.data.id;
  const mails = (await takeMails(api.app)).filter(it => it.to.includes(accomplice.email));
  link = /\/invitation\/accept\/([\w-]+)/.exec(mails.at(-1)!.text)![1]!;
});

const attempts = async () => [
  (await api.get(`team/invitation/${link}`)).body.data.status,
  (await api.get('panel/user/invites', { token: accomplice.token })).body.data.length,
  (await api.post(`panel/user/invite/accept/${invitation}`, { token: accomplice.token })).status,
  (await api.post(`team/accept/${link}`, { token: accomplice.token })).status,
];
const ofManager = () => `panel/location/${location}/user/${manager.id}`;

test('it is not accepted once its sender was removed', async () => {
  expect((await api.delete(ofManager(), { token: admin })).status).toBe(204);
  expect(await attempts()).toEqual(['expired', 0, 404, 409]);
});

test('nor once its sender has fewer permissions', async () => {
  const body = { permissions: { devices: ['view'] } };
  expect((await api.put(ofManager(), { token: admin, body })).status).toBe(200);
  expect(await attempts()).toEqual(['expired', 0, 404, 409]);
});

test('nor once its sender was deleted', async () => {
  await api.inTenant(tx => tx.run(sql`delete from users where id = ${manager.id}`));
  expect(await attempts()).toEqual(['expired', 0, 404, 409]);
});

test('who holds the rights can send it again; who does not, cannot', async () => {
  await api.delete(ofManager(), { token: admin });
  const clerk = await api.user('member', { location, permissions: ['update-location'] });
  const again = (token: string) => api.post(`team/members/invite/resend/${invitation}`, { token });
  expect((await again(clerk.token)).body.code).toBe('outranked');
  expect((await again(admin)).body.data).toMatchObject({ status: 'pending' });
  const accepted = await api.post(`panel/user/invite/accept/${invitation}`, { token: accomplice.token });
  expect(accepted.status).toBe(200);
});
