import { expect, test } from 'vitest';
import { startVenue } from '#features/guests/testing/venue.ts';
import { startApi } from '../harness.ts';

/**
 * The attack: holding the event loop, which RADIUS and guests share, with large JSON bodies of a caller who is not
 * signed in. Such a body must be refused by its length, or by the missing token, before it is parsed.
 */

const api = await startApi();
const zeros = (bytes: number) => `{"email":[${'0,'.repeat(bytes / 2)}0]}`;
const json = { 'content-type': 'application/json' };

test.each(['user/login', 'user/register', 'user/forgot-password', 'user/reset-password', 'team/accept/token'])(
  'a public call with more than 16 KB is refused with 413: %s',
  async path => {
    const answer = await api.post(path, { body: zeros(17_000), language: 'tr' });
    expect([answer.status, answer.body.message]).toEqual([413, 'Gönderilen veri çok büyük.']);
    expect((await api.post(path, { body: zeros(12_000) })).status).not.toBe(413);
  },
);

test.each([
  ['POST', 'panel/location'],
  ['PUT', 'panel/user/me'],
  ['POST', 'panel/client/import'],
])('a call without a token is refused before its body is read: %s %s', async (method, path) => {
  const answer = await api.ask(method, path, { body: '{"name": ', headers: json });
  expect([answer.status, answer.body.code]).toEqual([401, 'not_signed_in']);
});

test('a guest’s form of more than 16 KB, or 64 KB for the answers to a survey, is refused with 413 on every route', async () => {
  const venue = await startVenue();
  const post = (path: string, type: string, bytes: number) =>
    venue.captive.ask(path, {
      method: 'POST',
      headers: { 'content-type': type },
      body: `{"a":"${'0'.repeat(bytes)}"}`,
    });
  const form = 'application/x-www-form-urlencoded';
  for (const route of ['sign-in', 'social', 'survey', 'make-room', 'log-out', 'my-data/mail', 'my-data/delete'])
    expect([
      route,
      (await post(`/w/${venue.nas}/${route}`, form, route === 'survey' ? 66_000 : 17_000)).status,
    ]).toEqual([route, 413]);
  const preview = `/preview/${venue.portal.id}?tenant=panel`;
  expect((await post(preview, 'application/json', 17_000)).status, 'without a token').toBe(413);
  expect((await post(`${preview}&token=guessed`, 'application/json', 200_000)).status).toBe(403);
}, 120_000);

test('a large body of half a million values is refused with its field and does not end the process', async () => {
  const { token } = await api.user('tenant-admin');
  const answer = await api.post('panel/location', { token, body: zeros(1_000_000).replace('email', 'name') });
  expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['name']]);
});
