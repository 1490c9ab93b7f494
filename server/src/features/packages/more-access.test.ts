import { beforeEach, expect, test } from 'vitest';
import { cookiesOf } from '#features/guests/testing/venue.ts';
import { startShop } from './testing/shop.ts';

const { venue, day } = await startShop();

const advice = 'To go on, ask the staff.';
/** The buttons that lead on, by their words. */
const waysOf = (html: string) =>
  Object.fromEntries(
    [...html.matchAll(/<a class="button[^"]*" href="([^"]*)"[^>]*>([^<]*)/g)].map(([, href, words]) => [
      words,
      href!.replaceAll('&amp;', '&'),
    ]),
  );
const sell = (is_active: boolean) => venue.update(`panel/package/${day['id']}`, { is_active });
let ended: string;
beforeEach(async () => {
  ended ??= await venue.visitor({ session_end_at: '2020-01-01T00:00:00Z' });
});

test('a guest whose access has ended is offered what the portal has, and the staff only without it', async () => {
  const refusal = async () => {
    const answer = await venue.submit({ username: ended, password: 'parola 1' });
    expect(answer.html).toContain('<h1>Your access has ended</h1>');
    return answer;
  };
  await venue.offer({ slug: 'username' }, { slug: 'voucher' });
  const both = await refusal();
  const ways = waysOf(both.html);
  expect(Object.keys(ways)).toEqual(['Choose a package', 'Sign in with a voucher', 'To the sign-in page']);
  expect(both.html).not.toContain(advice);
  expect((await venue.captive.get(ways['Choose a package']!)).html).toContain('Day &lt;pass&gt;');
  // The form of the voucher is open, also in the browser that has just sent another one.
  for (const cookie of ['', cookiesOf(both)]) {
    const form = await venue.captive.get(ways['Sign in with a voucher']!, { cookie });
    expect(/<details name="method" open[^>]*>.*?name="method" value="(\w+)"/s.exec(form.html)?.[1]).toBe('voucher');
  }

  await venue.offer({ slug: 'username' });
  expect(Object.keys(waysOf((await refusal()).html))).toEqual(['Choose a package', 'To the sign-in page']);

  await sell(false);
  const none = await refusal();
  expect(Object.keys(waysOf(none.html))).toEqual(['To the sign-in page']);
  expect(none.html).toContain(advice);
  await sell(true);
});

test.each([
  ['data', 'Your data allowance for today is used up.', 'Today’s data is used up'],
  ['time', 'Your time for today is used up.', 'Today’s time is used up'],
])('a guest who has used up the %s of the day is offered it too', async (_, error, title) => {
  await venue.offer({ slug: 'username' }, { slug: 'voucher' });
  const { html } = await venue.captive.get(venue.arrival({ error }));
  expect(html).toContain(`<h1>${title}</h1>`);
  expect(Object.keys(waysOf(html))).toEqual(['Choose a package', 'Sign in with a voucher', 'To the sign-in page']);
});

test('the preview shows it as well', async () => {
  await venue.offer({ slug: 'username' }, { slug: 'voucher' });
  const preview = await venue.captive.ask(`/preview/${venue.portal.id}?tenant=panel&lang=en`, {
    method: 'POST',
    body: JSON.stringify({ view: { page: 'over' } }),
    headers: { 'content-type': 'application/json' },
  });
  expect(Object.keys(waysOf(JSON.parse(preview.html).body))).toContain('Sign in with a voucher');
});
