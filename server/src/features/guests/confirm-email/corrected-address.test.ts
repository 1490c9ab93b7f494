import sql from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import { cookiesOf, newGuestEachTest, startVenue, type Venue } from '../testing/venue.ts';

let venue: Venue;
beforeAll(async () => {
  venue = await startVenue();
  await venue.offer({ slug: 'email', options: { confirm_email: true } });
  const agreements = { marketing_email: { en: 'I would like news by e-mail.' } };
  await venue.update(`panel/portal/${venue.portal.id}`, { agreements });
}, 120_000);
newGuestEachTest(() => venue);

const consents = () =>
  venue.rows(
    sql`select recipient, withdrawn_by, language, source from marketing_consents order by given_at, recipient = 'ada@example.com'`,
  );

/** Signs in, and corrects the address. */
async function correct(address: string, right: string, allows: boolean): Promise<void> {
  const page = await venue.captive.get(venue.arrival({ lang: 'en' }));
  const version = /name="allow_email"[^>]*value="(\w+)"/.exec(page.html)?.[1] ?? 'none';
  const typed = { method: 'email', email: address, lang: 'en', ...(allows && { allow_email: version }) };
  const answer = await venue.submitOn(page, typed);
  expect(answer.status).toBe(303);
  const cookie = cookiesOf(answer);
  const reply = await venue.captive.post(`/w/${venue.nas}/mail`, { lang: 'en', email: right }, { cookie });
  expect(reply.headers.get('location')).toContain('mail=sent');
}

test('a corrected address takes the consent to news with it', async () => {
  await correct('ada@exmaple.com', 'ada@example.com', true);
  expect(await consents()).toEqual([
    { recipient: 'ada@exmaple.com', withdrawn_by: 'renewal', language: 'en', source: 'sign-in' },
    { recipient: 'ada@example.com', withdrawn_by: null, language: 'en', source: 'sign-in' },
  ]);
});

test('a guest who allowed nothing has allowed nothing afterwards', async () => {
  const before = (await consents()).length;
  await correct('eda@exmaple.com', 'eda@example.com', false);
  expect((await consents()).length).toBe(before);
});
