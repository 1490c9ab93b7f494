import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { takeMails } from '#mail/testing.ts';
import { cookiesOf, newGuestEachTest, startVenue, type Venue } from '../testing/venue.ts';

let venue: Venue;
beforeAll(async () => {
  venue = await startVenue();
  await venue.offer({ slug: 'email', options: { confirm_email: true } });
}, 120_000);
newGuestEachTest(() => venue);

/** The path of the link in a guest's mail. */
async function linkTo(address: string): Promise<string> {
  const answer = await venue.submit({ method: 'email', email: address, lang: 'de' });
  expect(answer.status).toBe(303);
  const { text } = (await takeMails(venue.api.app)).find(it => it.to === address)!;
  const link = /http:\/\/guests\.example(\S+confirm-email\S+)/.exec(text)![1]!;
  return link;
}

const gone = 'Dieser Link gilt nicht mehr';

/** The page leads through the router to a new sign-in, and can be read in every language of the portal. */
async function expectWayBack(path: string): Promise<void> {
  const page = await venue.captive.get(path);
  expect(page.status).toBe(404);
  expect(page.html.includes(gone)).toBe(true);
  const wayBack = `href="/o/${venue.nas}">`;
  expect(page.html.includes(`${wayBack}Erneut anmelden`)).toBe(true);
  for (const language of ['tr', 'en', 'ru', 'ar']) {
    const href = new RegExp(`<a lang="${language}" href="([^"]+)"`).exec(page.html)?.[1]?.replaceAll('&amp;', '&');
    const other = await venue.captive.get(href!);
    expect(other.html.includes(`<html lang="${language}"`), language).toBe(true);
    expect(other.html.includes(wayBack), language).toBe(true);
  }
}

describe('an old link from a mail', () => {
  test('that has expired leads back, in the languages of the guests', async () => {
    const path = await linkTo('ayse@example.com');
    expect((await venue.captive.get(path)).status).toBe(200);
    await venue.run(
      sql`update email_confirmations set expires_at = now() - interval '1 second' where email = 'ayse@example.com'`,
    );
    await expectWayBack(path);
    const token = new URLSearchParams(path.split('?')[1]).get('t')!;
    const pressed = await venue.captive.form(`/w/${venue.nas}/confirm-email`, { t: token, lang: 'de' });
    expect(pressed.html).toContain(gone);
    expect(pressed.html).toContain(`href="/o/${venue.nas}"`);
    expect(
      await venue.rows(sql`select from visitors where email = 'ayse@example.com' and email_confirmed_at is not null`),
    ).toEqual([]);
  });

  test('leads a guest who is online to the page that mails another one', async () => {
    const answer = await venue.submit({ method: 'email', email: 'can@example.com', lang: 'de' });
    const cookie = cookiesOf(answer);
    const path = `/w/${venue.nas}/confirm-email?t=old&lang=de`;
    const status = `href="/w/${venue.nas}/online?lang=de"`;
    expect((await venue.captive.get(path, { cookie })).html.includes(status)).toBe(true);
    expect((await venue.captive.get(path)).html.includes(status)).toBe(false);
    const pressed = await venue.captive.form(`/w/${venue.nas}/confirm-email`, { t: 'old', lang: 'de' }, { cookie });
    expect(pressed.html.includes(status)).toBe(true);
  });

  test('that never was one leads back too', () =>
    expectWayBack(`/w/${venue.nas}/confirm-email?t=${'x'.repeat(300)}&lang=de`));

  test('to an address that the staff has changed confirms nothing, and says so', async () => {
    const path = await linkTo('mehmet@example.com');
    await venue.run(sql`update visitors set email = 'right@example.com' where email = 'mehmet@example.com'`);
    const token = new URLSearchParams(path.split('?')[1]).get('t')!;
    expect((await venue.captive.get(path)).html.includes(gone)).toBe(true);
    const pressed = await venue.captive.form(`/w/${venue.nas}/confirm-email`, { t: token, lang: 'de' });
    expect(pressed.html.includes(gone)).toBe(true);
    expect(pressed.html).not.toContain('mehmet@example.com');
  });

  test('to the own data leads back', async () => {
    const page = await venue.captive.get(`/w/${venue.nas}/my-data?s=old&lang=de`);
    expect(page.status).toBe(404);
    expect(page.html).toMatch(new RegExp(`href="/o/${venue.nas}"`));
  });

  test('or from a card that is no longer valid can be read in other languages', async () => {
    const page = await venue.captive.get(`/q/${'A'.repeat(64)}?lang=de`);
    expect(page.html).toContain(`href="/q/${'A'.repeat(64)}?lang=tr"`);
    expect((await venue.captive.get(`/q/${'A'.repeat(64)}?lang=tr`)).html).toContain('<html lang="tr"');
  });
});
