import sql from 'sql-template-tag';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { holdBlocks } from '#features/throttle/testing/hold-blocks.ts';
import type { PageAnswer } from './testing/captive.ts';
import { cookiesOf, newGuestEachTest, startVenue, stateOf, type Venue } from './testing/venue.ts';

/** Every form is answered by a redirect to a page that the browser can load again. */

let venue: Venue;
beforeAll(async () => {
  venue = await startVenue({ TRUST_PROXY: '127.0.0.1' });
  await venue.update(`panel/portal/${venue.portal.id}`, {
    agreements: { general: { en: '<p>Be kind</p>' }, kvkk: { tr: '<p>Aydınlatma</p>' } },
  });
  await venue.offer({ slug: 'username' }, { slug: 'email' }, { slug: 'sms' });
}, 120_000);
newGuestEachTest(() => venue);

const arrive = async (more: Record<string, string> = {}) => {
  const { html } = await venue.captive.get(venue.arrival(more));
  return { html, state: stateOf(html), agree: /name="agree"[^>]*value="(\w+)"/.exec(html)![1]! };
};
/** Follows a redirect with the cookies that it sets. */
const follow = (answer: PageAnswer) => {
  expect(answer.status, answer.html.slice(-300)).toBe(303);
  return venue.captive.get(answer.headers.get('location')!, { cookie: cookiesOf(answer) });
};
const waitOf = (html: string) => Number(/ data-wait="(\d+)"/.exec(html)?.[1]);
/** The clock of this process goes ahead. */
const pass = (seconds: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 });
afterEach(() => void vi.useRealTimers());
const opened = (html: string) => /<details name="method" open="">.*?id="form-([\w-]+)"/.exec(html)?.[1];

describe('a form of the sign-in page', () => {
  test('whose process died is not sent twice: the proxy gets a page that leads back', async () => {
    const { state, agree } = await arrive();
    const fields = { state, agree, lang: 'de', method: 'username', username: 'ayse.k', password: 'a-secret' };
    const answer = await venue.captive.post(venue.signInAt, fields, { 'portico-unanswered': '1' });
    expect(answer.status).toBe(503);
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect(answer.html).toContain('<html lang="de"');
    const back = /<a class="button" href="([^"]*step=form[^"]*)"/.exec(answer.html)![1]!.replaceAll('&amp;', '&');
    const form = await venue.captive.get(back);
    expect([form.status, form.html.includes('role="alert"')]).toEqual([200, false]);
  });

  test('leads to a page with the problem and the typed values, which can be loaded again, in any language', async () => {
    const { state, agree } = await arrive();
    const fields = {
      state,
      agree,
      notice: '1',
      lang: 'en',
      method: 'username',
      username: 'ayse@example.com',
      password: 'a-secret',
    };
    const answer = await venue.captive.post(venue.signInAt, fields);
    const location = answer.headers.get('location')!;
    expect(location).toMatch(new RegExp(`^/w/${venue.nas}\\?mac=.*&step=form&problem=wrong_credentials&lang=en$`));
    const cookie = answer.headers.get('set-cookie')!;
    expect(cookie).toMatch(
      new RegExp(`^portico_form=[\\w-]+; Path=/w/${venue.nas}; Max-Age=900; SameSite=Lax; HttpOnly`),
    );
    expect(Buffer.from(cookie.split(/[=;]/)[1]!, 'base64url').toString('latin1')).not.toContain('ayse');
    for (let times = 0; times < 2; times++) {
      const page = await follow(answer);
      expect(page.status).toBe(422);
      expect(page.html).toContain('Wrong username or password');
      expect(page.html).toContain('value="ayse@example.com"');
      expect(page.html).not.toContain('a-secret');
    }
    const again = await venue.captive.post(
      venue.signInAt,
      { ...fields, username: 'ayse.k', go: 'de' },
      { cookie: cookiesOf(answer) },
    );
    const german = await follow(again);
    expect(german.html).toContain('<html lang="de"');
    expect(german.html).toContain('value="ayse.k"');
    expect(german.html).toContain('Benutzername oder Passwort');
    // The first page, as the browser's Back button loads it: without the problem.
    const first = await venue.captive.get(venue.arrival(), { cookie: cookiesOf(again) });
    expect(first.html).toContain('value="ayse.k"');
    expect(first.html).not.toContain('role="alert"');
  });

  test('shows its problem to a browser without cookies, and nothing that was typed to another device', async () => {
    const { state, agree } = await arrive();
    const fields = { state, agree, notice: '1', method: 'username', username: 'mine-only', password: 'x' };
    const answer = await venue.captive.post(venue.signInAt, fields);
    const plain = await venue.captive.get(answer.headers.get('location')!);
    expect(plain.html).toContain('Wrong username or password');
    expect(plain.html).not.toContain('mine-only');
    venue.newMac();
    const other = await venue.captive.get(venue.arrival({ step: 'form' }), { cookie: cookiesOf(answer) });
    expect(other.html).not.toContain('mine-only');
    for (const value of ['x', 'AAAA', cookiesOf(answer).slice('portico_form='.length).slice(0, -4)]) {
      const page = await venue.captive.get(venue.arrival({ step: 'form' }), { cookie: `portico_form=${value}` });
      expect([page.status, page.html.includes('mine-only')]).toEqual([200, false]);
    }
  });

  test('keeps the method that a guest has chosen in the address of a browser without cookies', async () => {
    const { state, agree } = await arrive();
    const choice = await venue.captive.post(venue.signInAt, { state, lang: 'en', method: 'username', go: 'email' });
    const address = choice.headers.get('location')!;
    const page = await venue.captive.get(address);
    expect([opened(page.html), page.html.includes('role="alert"')]).toEqual(['email', false]);
    const fields = { state: stateOf(page.html), agree, notice: '1', method: 'email' };
    const german = await venue.captive.post(venue.signInAt, { ...fields, lang: 'en', go: 'de' });
    const other = await venue.captive.get(german.headers.get('location')!);
    expect([opened(other.html), other.html.includes('<html lang="de"')]).toEqual(['email', true]);
    const wrong = await venue.captive.post(venue.signInAt, { ...fields, lang: 'en', email: 'no address' });
    const again = await venue.captive.get(wrong.headers.get('location')!);
    expect([opened(again.html), again.html.includes('role="alert"')]).toEqual(['email', true]);
    const terms = await venue.captive.post(venue.signInAt, { ...fields, lang: 'en', go: 'general' });
    const agreement = await venue.captive.get(terms.headers.get('location')!);
    const back = /class="button quiet" href="([^"]*)"/.exec(agreement.html)![1]!.replaceAll('&amp;', '&');
    expect(opened((await venue.captive.get(back)).html)).toBe('email');
    // A browser that takes cookies has short addresses.
    const known = { cookie: cookiesOf(choice) };
    const short = await venue.captive.post(venue.signInAt, { ...fields, lang: 'en', go: 'sms' }, known);
    expect(short.headers.get('location')).not.toContain('method=');
    expect((await venue.captive.get(address.replace('method=email', 'method=fax'))).status).toBe(200);
  });

  test('leads to an agreement, and from there back to the open method and what was typed', async () => {
    const { html, state, agree } = await arrive();
    expect(opened(html)).toBe('username');
    const fields = { state, agree, notice: '1', lang: 'en', method: 'email', email: 'can@example.com', go: 'general' };
    const answer = await venue.captive.post(venue.signInAt, fields);
    expect(answer.headers.get('location')).toContain(`/w/${venue.nas}/agreement/general?mac=`);
    expect(answer.headers.get('location')).not.toMatch(/can(@|%40)/);
    const agreement = await follow(answer);
    expect(agreement.html).toContain('Be kind');
    const back = /class="button quiet" href="([^"]*)"/.exec(agreement.html)![1]!.replaceAll('&amp;', '&');
    const page = await venue.captive.get(back, { cookie: cookiesOf(answer) });
    expect(opened(page.html)).toBe('email');
    expect(page.html).toContain('value="can@example.com"');
    expect(page.html).toMatch(/id="form-email".*?name="agree"[^>]*checked=""/);
    expect(page.html).not.toContain('role="alert"');
  });

  test('opens another method in the language of the guest, though `sms` is the tag of a language too', async () => {
    const { state } = await arrive({ lang: 'de' });
    const answer = await venue.captive.post(venue.signInAt, { state, lang: 'de', method: 'username', go: 'sms' });
    expect(answer.headers.get('location')).toContain('lang=de');
    const page = await follow(answer);
    expect(opened(page.html)).toBe('sms');
    expect(page.html).toContain('<html lang="de"');
    const other = await venue.captive.get(venue.arrival({ lang: 'sms' }));
    expect(other.headers.get('set-cookie') ?? '').not.toContain('portico_language');
    expect((await venue.captive.get(venue.arrival({ lang: 'de' }))).headers.get('set-cookie')).toContain(
      'portico_language=de',
    );
  });

  test('leads nowhere with another target or a forged state', async () => {
    const { state } = await arrive();
    for (const fields of [
      { state, go: 'https://evil.example' },
      { state, go: '../x' },
      { state: 'x', go: 'tr' },
      { go: 'tr' },
      { state, go: 'a\0b' },
    ]) {
      const answer = await venue.captive.post(venue.signInAt, fields as Record<string, string>);
      expect(answer.headers.get('location')).toBe(`/w/${venue.nas}/problem?is=page_expired&lang=en`);
    }
    const page = await venue.captive.get(`/w/${venue.nas}/problem?is=<script>&lang=tr`);
    expect([page.status, page.html.includes('Bu sayfanın süresi doldu')]).toEqual([400, true]);
    expect(page.html).toContain(`href="/o/${venue.nas}"`);
    const out = await venue.captive.get(`/o/${venue.nas}`);
    expect(out.headers.get('location')).toBe('http://neverssl.com/');
  });

  test('asks for the code that was sent on a page that can be loaded again; another number can be typed', async () => {
    const { state, agree } = await arrive();
    const fields = { state, agree, notice: '1', lang: 'en', method: 'sms', phone: '0532 123 45 99' };
    const answer = await venue.captive.post(venue.signInAt, fields, { cookie: 'portico_language=en' });
    expect(answer.headers.get('location')).toMatch(/&step=form&lang=en$/);
    expect(answer.headers.get('location')).not.toMatch(/532\D*123/);
    const page = await follow(answer);
    expect(page.html).toContain('Enter the code');
    const turkish = /href="([^"]*lang=tr[^"]*)"/.exec(page.html)![1]!.replaceAll('&amp;', '&');
    const cookie = cookiesOf(answer);
    expect((await venue.captive.get(turkish, { cookie })).html).toContain('Kodu girin');
    const wrong = { state: stateOf(page.html), lang: 'en', method: 'sms', code: '000000' };
    const refused = await follow(await venue.captive.post(venue.signInAt, wrong, { cookie }));
    expect(refused.html).toMatch(/<h1>Wrong code<\/h1>/);
    const other = /class="button plain" href="([^"]*)"/.exec(refused.html)![1]!.replaceAll('&amp;', '&');
    const form = await venue.captive.get(other, { cookie });
    expect([opened(form.html), form.html.includes('Enter the code')]).toEqual(['sms', false]);
    expect(form.html).toContain('value="0532 123 45 99"');
  });

  test('has the page for the code in the address of a browser without cookies, for its device and 15 minutes', async () => {
    const { state, agree } = await arrive();
    const fields = { state, agree, notice: '1', lang: 'en', method: 'sms', phone: '0532 123 45 97' };
    const answer = await venue.captive.post(venue.signInAt, fields);
    const address = answer.headers.get('location')!;
    const kept = new URLSearchParams(address).get('kept')!;
    expect(Buffer.from(kept, 'base64url').toString('latin1')).not.toContain('5321234597');
    const asks = async (at: string) => {
      const page = await venue.captive.get(at);
      expect(page.status).toBe(200);
      return page.html.includes('Enter the code');
    };
    expect(await asks(address)).toBe(true);
    const turkish = /href="([^"]*lang=tr[^"]*)"/.exec((await venue.captive.get(address)).html)![1]!;
    expect((await venue.captive.get(turkish.replaceAll('&amp;', '&'))).html).toContain('Kodu girin');
    // A page in a browser's cookie cannot be sent to another guest.
    const inCookie = /portico_form=([\w-]+)/.exec(cookiesOf(answer))![1]!;
    expect(await asks(address.replace(kept, inCookie))).toBe(false);
    expect(await asks(address.replace(kept, `${kept.slice(0, -6)}AAAAAA`))).toBe(false);
    venue.newMac();
    expect(await asks(`${venue.arrival({ step: 'form' })}&kept=${kept}`)).toBe(false);
    pass(910);
    expect(await asks(address)).toBe(false);
  });

  test('goes on with the code where a browser without cookies has got another address, from the page that it has', async () => {
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const [first, second, sameNetwork] = [from('203.0.113.7'), from('2001:db8:1:2::7'), from('2001:db8:1:2::8')];
    const { state, agree } = await arrive();
    const fields = { state, agree, notice: '1', lang: 'en', method: 'sms', phone: '0532 123 45 96' };
    const asked = await venue.captive.post(venue.signInAt, fields, first);
    const page = await venue.captive.get(asked.headers.get('location')!, first);
    expect(page.html).toContain('Enter the code');
    // Nothing tells it from another phone to which the address was sent.
    const elsewhere = await venue.captive.get(asked.headers.get('location')!, second);
    expect([elsewhere.status, elsewhere.html.includes('Enter the code')]).toEqual([200, false]);
    const wrong = { state: stateOf(page.html), lang: 'en', method: 'sms', code: '000000' };
    const answer = await venue.captive.post(venue.signInAt, wrong, second);
    for (const headers of [second, sameNetwork])
      expect((await venue.captive.get(answer.headers.get('location')!, headers)).html).toContain('<h1>Wrong code</h1>');
  });

  test('names only the rest of the wait when the page is loaded again, and asks for none after it', async () => {
    const { state, agree } = await arrive();
    const fields = { state, agree, notice: '1', lang: 'en', method: 'sms', phone: '0532 123 45 98' };
    await venue.captive.post(venue.signInAt, fields);
    const answer = await venue.captive.post(venue.signInAt, fields);
    const asked = waitOf((await follow(answer)).html);
    expect(asked).toBeGreaterThan(40);
    pass(20);
    const later = await follow(answer);
    expect(waitOf(later.html)).toBeLessThan(asked - 18);
    expect(waitOf(later.html)).toBeGreaterThan(0);
    pass(asked + 10);
    const over = await follow(answer);
    expect([over.status, waitOf(over.html)]).toEqual([200, Number.NaN]);
    expect(over.html).not.toMatch(/aria-describedby="problem"|role="alert"/);
    expect(over.html).toContain('Enter the code');
  });

  test('leads back to the form after the wait of a guest who guessed too often', async () => {
    const { state, agree } = await arrive();
    const fields = { state, agree, notice: '1', lang: 'en', method: 'username', username: 'ayse.c', password: 'wrong' };
    for (let times = 0; times < 9; times++) await venue.captive.post(venue.signInAt, fields);
    await holdBlocks(venue.api.app);
    // Shorter than the page is kept.
    await venue.api.app.db.withSystem(tx =>
      tx.run(sql`update throttles set blocked_until = now() + interval '5 minutes' where blocked_until > now()`),
    );
    const answer = await venue.captive.post(venue.signInAt, fields);
    const first = await follow(answer);
    expect([first.status, first.html.includes('Too many attempts')]).toEqual([429, true]);
    const asked = Number(first.headers.get('retry-after'));
    pass(asked + 12);
    const over = await follow(answer);
    expect([over.status, over.html.includes('Too many attempts')]).toEqual([200, false]);
    expect([opened(over.html), over.html.includes('value="ayse.c"')]).toEqual(['username', true]);
  });

  test('leaves nothing behind once the guest is let in', async () => {
    const username = await venue.visitor();
    const { state, agree } = await arrive();
    const fields = { state, agree, notice: '1', method: 'username', username, password: 'wrong' };
    const cookie = cookiesOf(await venue.captive.post(venue.signInAt, fields));
    const admitted = await venue.captive.post(venue.signInAt, { ...fields, password: 'parola 1' }, { cookie });
    expect(admitted.headers.get('location')).toMatch(/^http:\/\/10\.5\.50\.1\/login\?/);
    expect(admitted.headers.getSetCookie().join('\n')).toMatch(/^portico_form=; .*Max-Age=0/m);
  });
});
