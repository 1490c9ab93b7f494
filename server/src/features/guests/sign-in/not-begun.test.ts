import { portalLanguages } from '@portico/contract/portal-languages.ts';
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { cookiesOf, newGuestEachTest, startVenue, stateOf, type Venue } from '../testing/venue.ts';

let venue: Venue;
beforeAll(async () => {
  venue = await startVenue();
  await venue.run(sql`update locations set time_zone = 'America/New_York' where id = ${venue.location}`);
}, 120_000);
newGuestEachTest(() => venue);

/** Half past eleven in the evening at the location, and the next day in Europe. */
const begins = '2099-03-04T04:30:00Z';
const early = () => venue.visitor({ session_start_at: begins });

/** The answer to the form, which leads to the page of the refusal. */
const refused = async () => {
  const state = stateOf((await venue.captive.get(venue.arrival())).html);
  const typed = { method: 'username', username: await early(), password: 'parola 1', lang: 'en' };
  const answer = await venue.captive.post(venue.signInAt, { state, ...typed });
  expect(answer.status).toBe(303);
  return { path: answer.headers.get('location')!, cookie: cookiesOf(answer) };
};

describe('a guest whose access has not begun', () => {
  test('reads when it begins on the clocks of the location, in every language', async () => {
    const { path, cookie } = await refused();
    const page = await venue.captive.get(path, { cookie });
    expect(page.status).toBe(422);
    expect(page.html).toContain('It begins on 3 Mar 2099, 23:30. Please try again');
    for (const language of portalLanguages) {
      const { html } = await venue.captive.get(path.replace('lang=en', `lang=${language}`), { cookie });
      expect(html, language).toMatch(/(20|۲۰|٢٠)(99|۹۹|٩٩)|۱۴۷۷/);
      expect(html, language).not.toContain('{time}');
    }
  });

  test('reads it in a browser that refuses cookies', async () => {
    const { path } = await refused();
    expect((await venue.captive.get(path)).html).toContain('It begins on 3 Mar 2099, 23:30.');
    const elsewhere = await venue.captive.get(path, { 'user-agent': 'another browser' });
    expect(elsewhere.html).not.toContain('2099');
  });

  test('reads no time once it has begun, and is let in', async () => {
    const username = await early();
    await venue.run(
      sql`update visitors set session_start_at = now() - interval '1 minute' where username = ${username}`,
    );
    const answer = await venue.submit({ username, password: 'parola 1' });
    expect(answer.headers.get('location')).toContain('10.5.50.1');
  });

  test('reads it behind the code of its card', async () => {
    const body = { total_user: 1, name: 'Kart', provider_type: 'username', location_id: venue.location };
    const [it] = await venue.create('panel/client/bulk', { ...body, session_start_at: begins });
    const page = await venue.captive.get(`${it.sign_in_url.replace('http://guests.example', '')}?lang=en`);
    expect(page.status).toBe(403);
    expect(page.html).toContain('It begins on 3 Mar 2099, 23:30.');
  });
});
