import { guestTexts } from '@portico/contract/guest-texts/flat.ts';
import { defaultMessages } from '@portico/contract/portal-messages.ts';
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cookiesOf, newGuestEachTest, onlineOf, startVenue } from './testing/venue.ts';

let venue: Awaited<ReturnType<typeof startVenue>>;
beforeAll(async () => {
  venue = await startVenue();
}, 120_000);
newGuestEachTest(() => venue);

const hebrew = (texts: Record<string, string> = {}) => ({ tag: 'he', name: 'עברית', texts });
const at = () => `panel/portal/${venue.portal.id}`;
const put = (page: object) => venue.api.put(at(), { token: venue.admin, body: { page } });
const portal = async () => (await venue.api.get(at(), { token: venue.admin })).body.data;
/** The sign-in page once the captive service has noticed the change. */
const shown = async (words: string, more: Record<string, string> = { lang: 'he' }) => {
  await expect.poll(async () => (await venue.captive.get(venue.arrival(more))).html).toContain(words);
  return (await venue.captive.get(venue.arrival(more))).html;
};

describe('a language that the owner has added', () => {
  beforeEach(async () => {
    const texts = { connect: 'להתחבר', 'online.title': 'אתם <b>מחוברים</b>', 'code.text': 'הקוד נשלח אל {phone}.' };
    expect((await put({ languages: ['de', 'he'], own_languages: [hebrew(texts)] })).status).toBe(200);
    await venue.offer({ slug: 'username' }, { slug: 'voucher' });
    const words = { welcome_message_title: { he: 'ברוכים הבאים' }, subtitle: { de: 'Guten Tag' } };
    await venue.update(at(), { messages: words });
  });

  test('is offered by its name, in its direction; missing texts are in the default language', async () => {
    const html = await shown('להתחבר');
    expect(html).toContain('<html lang="he" dir="rtl">');
    expect(html).toContain('עברית');
    expect(html).toContain('ברוכים הבאים');
    expect(html, 'the title of a method').toContain('Mit Benutzernamen anmelden');
    expect(html, 'a text that only the operator has').toContain('Guten Tag');
    expect(html, 'a text of the pages').toContain('Passwort');
  });

  test('keeps the full stop of a missing text at its end, whose direction is another', async () => {
    const html = await shown('להתחבר');
    expect(html, 'a text of the pages').toContain('\u2066Passwort anzeigen\u2069');
    expect(html, 'a message').toContain(`\u2066${defaultMessages.username_id_info.de}\u2069`);
    expect(html, 'a text that only the operator has').toContain('dir="auto">Guten Tag<');
    // Georgian and German have the same direction; Arabic has another.
    const own = [{ tag: 'ka', name: 'ქართული', texts: { connect: 'დაკავშირება' } }];
    expect((await put({ languages: ['de', 'ka'], own_languages: own })).status).toBe(200);
    expect(await shown('დაკავშირება', { lang: 'ka' })).not.toMatch(/[\u2066\u2067]/);
    expect((await put({ languages: ['ar', 'ka'], own_languages: own })).status).toBe(200);
    await expect
      .poll(async () => (await venue.captive.get(venue.arrival({ lang: 'ka' }))).html)
      .toContain(`\u2067${defaultMessages.username_id_info.ar}\u2069`);
  });

  test('is chosen by the browser, which may ask for a region', async () => {
    await shown('להתחבר');
    for (const asks of ['he', 'he-IL,en;q=0.5'])
      expect((await venue.captive.get(venue.arrival(), { 'accept-language': asks })).html).toContain('lang="he"');
    await put({ languages: ['en', 'pt-BR'], own_languages: [{ tag: 'pt-BR', name: 'Português', texts: {} }] });
    await shown('lang="pt-BR"', { lang: 'pt-BR' });
    expect((await venue.captive.get(venue.arrival(), { 'accept-language': 'pt-PT' })).html).toContain('lang="pt-BR"');
    expect((await venue.captive.get(venue.arrival(), { 'accept-language': 'he' })).html).toContain('lang="en"');
  });

  test('is kept through the sign-in, escaped on the status page, and stored with the consent', async () => {
    await venue.update(at(), { agreements: { general: { de: '<p>Bedingungen</p>' } } });
    await shown('להתחבר');
    const answer = await venue.submit({ username: await venue.visitor(), password: 'parola 1', lang: 'he' });
    const ticket = new URL(answer.headers.get('location')!).searchParams.get('username')!;
    await venue.routerAccepts(ticket);
    await venue.routerStarts(ticket, { uploadBytes: 0, downloadBytes: 0 }, { sessionId: ticket.slice(0, 9) });
    const page = await venue.captive.get(`${onlineOf(answer)}&lang=he`, { cookie: cookiesOf(answer) });
    expect(page.html).toContain('אתם &lt;b&gt;מחוברים&lt;/b&gt;');
    expect(page.html).toContain('dir="rtl"');
    const kept = await venue.rows(sql`select language from consents where client_mac = ${venue.mac}::macaddr`);
    expect(kept).toEqual([{ language: 'he' }]);
    await venue.update(at(), { agreements: { general: { de: '' } } });
  });

  test('has mails in the default language', async () => {
    await venue.offer({ slug: 'email', options: { confirm_email: true } }, { slug: 'username' });
    await shown('להתחבר');
    const sent = await venue.submit({
      method: 'email',
      email: `${venue.mac.replaceAll(':', '')}@example.com`,
      lang: 'he',
    });
    expect(sent.status).toBeLessThan(400);
    const mails = await venue.rows<{ language: string }>(
      sql`select language from outbox_mails where template = 'confirm_guest_email'`,
    );
    expect(mails.map(it => it.language)).toEqual(['de']);
    await venue.offer({ slug: 'username' });
  });

  test('is copied with the portal, and comes back from its history', async () => {
    const copy = await venue.create(`${at()}/duplicate`, { name: 'Copy' });
    expect(copy.page.own_languages).toEqual((await portal()).page.own_languages);
    const versions = async () => (await venue.api.get(`${at()}/history`, { token: venue.admin })).body.data;
    const [before] = await versions();
    expect((await put({ languages: ['de'], own_languages: [] })).status).toBe(200);
    expect((await portal()).page.own_languages).toEqual([]);
    const restored = await venue.api.post(`${at()}/history/${before.id}/restore`, { token: venue.admin, body: {} });
    expect(restored.status, restored.text).toBeLessThan(300);
    expect((await portal()).page).toMatchObject({ languages: ['de', 'he'], own_languages: [{ tag: 'he' }] });
    expect((await portal()).messages.welcome_message_title.he).toBe('ברוכים הבאים');
  });

  test('is refused with its field, and nothing changes', async () => {
    const before = await portal();
    const own = (...list: object[]) => ({ own_languages: list });
    const manyLong = Object.fromEntries(
      [...guestTexts].filter(([, it]) => !it.includes('{')).map(([key]) => [key, 'x'.repeat(100)]),
    );
    const other = (tag: string) => ({ tag, name: 'X', texts: {} });
    for (const [page, field] of [
      [own({ ...hebrew(), tag: 'hebrew language' }), 'page.own_languages.0.tag'],
      [own({ ...hebrew(), tag: 'HE' }), 'page.own_languages.0.tag'],
      [own({ ...hebrew(), tag: 'he-x-evil' }), 'page.own_languages.0.tag'],
      [own({ ...hebrew(), tag: 'fr' }), 'page.own_languages.0.tag'],
      [own({ ...hebrew(), tag: 'sms' }), 'page.own_languages.0.tag'],
      [own({ ...hebrew(), name: ' ' }), 'page.own_languages.0.name'],
      [own({ ...hebrew(), name: 'x'.repeat(41) }), 'page.own_languages.0.name'],
      [own(hebrew(), hebrew()), 'page.own_languages.1.tag'],
      [own(...['he', 'el', 'pl', 'pt', 'nl', 'da'].map(other)), 'page.own_languages'],
      [own(hebrew({ nonsense: 'x' })), 'page.own_languages.0.texts.nonsense'],
      [own(hebrew({ connect: 'x'.repeat(501) })), 'page.own_languages.0.texts.connect'],
      [own(hebrew({ 'code.text': 'ללא מספר' })), 'page.own_languages.0.texts.code.text'],
      [own(hebrew({ connect: '{phone}' })), 'page.own_languages.0.texts.connect'],
      [own(hebrew(manyLong)), 'page.own_languages.0.texts'],
      [own(), 'page.own_languages'],
      [{ languages: ['de', 'el'] }, 'page.languages'],
    ] as const) {
      const answer = await put(page);
      expect(answer.status, field).toBe(422);
      expect(Object.keys(answer.body.errors)).toEqual([field]);
      expect(answer.body.errors[field][0], field).not.toMatch(/^[a-z_]+$/);
    }
    expect(await portal()).toEqual(before);
  });
});
