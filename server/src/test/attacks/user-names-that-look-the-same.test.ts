import { beforeAll, expect, test } from 'vitest';
import { newGuestEachTest, startVenue, stateOf, type Venue } from '#features/guests/testing/venue.ts';
import { makeScene } from '#features/sessions/testing/scene.ts';

/**
 * The attack: a second visitor has a user name that looks like that of another one on every screen, card and report. An accent
 * is a sign of its own, or a sign cannot be seen. The guest of such a card cannot type the name either.
 */

let venue: Venue;
beforeAll(async () => {
  venue = await startVenue();
}, 120_000);
newGuestEachTest(() => venue);

const named = (username: string, at = 'panel/client') => {
  const visitor = { name: 'Guest', provider_type: 'username', username, location_id: venue.location };
  const more = at.endsWith('bulk') ? { total_user: 1 } : { password: 'parola 1' };
  return venue.api.post(at, { token: venue.admin, body: { ...visitor, ...more } });
};
const composed = 'zoë.çınar'.normalize('NFC');
const apart = composed.normalize('NFD');

const signIn = async (username: string) => {
  const page = await venue.captive.get(venue.arrival());
  const form = { state: stateOf(page.html), method: 'username', username, password: 'parola 1' };
  return (await venue.captive.form(venue.signInAt, form)).status;
};

test('accents that were taken apart are the same name, and sign the same guest in', async () => {
  const made = await named(apart);
  expect([made.status, made.body.data.username]).toEqual([201, composed]);
  const again = await named(composed);
  expect([again.status, Object.keys(again.body.errors)]).toEqual([422, ['username']]);
  expect(await signIn(composed)).toBe(303);
  venue.newMac();
  expect(await signIn(apart)).toBe(303);
});

test('so they are when the router itself asks for the name and passes on what was typed', async () => {
  const scene = await makeScene(venue.api.app);
  await scene.addVisitor(composed, 'parola 1');
  expect(await scene.signIn({ user: apart, password: 'parola 1' })).toMatchObject({ outcome: 'accept' });
  expect(await scene.signIn({ user: apart, password: 'another' })).toMatchObject({ outcome: 'reject' });
});

test.each(['guest\u200bone', 'guest\u202eeno', 'guest\none', '\u2066guest', 'gu\ufeffest', 'gu\u2028est'])(
  'signs that cannot be seen are refused: %j',
  async username => {
    for (const at of ['panel/client', 'panel/client/bulk']) {
      const answer = await named(username, at);
      expect([at, answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([at, 422, ['username']]);
    }
  },
);

test('names in other scripts stay as they are', async () => {
  for (const username of ['علی\u200cرضا', '山田', 'ÇINAR ı', 'a@b/c'])
    expect((await named(username)).body.data?.username).toBe(username);
});
