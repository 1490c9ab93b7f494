import sql from 'sql-template-tag';
import { describe, expect, onTestFinished, test } from 'vitest';
import { cookiesOf, stateOf } from '#features/guests/testing/venue.ts';
import { holdBlocks } from '#features/throttle/testing/hold-blocks.ts';
import type { Body } from '#test/harness.ts';
import { startShop, ticketIn } from './testing/shop.ts';

const { venue, post, query, buyAt, purchaseOf, bought, goOffline } = await startShop();

describe('a purchase is restored', () => {
  const restoreAt = () => `/w/${venue.nas}/restore`;
  const form = async (fields: Record<string, string>) => {
    const page = await venue.captive.get(`${restoreAt()}?${query()}`);
    return venue.captive.form(restoreAt(), { state: stateOf(page.html), lang: 'en', ...fields });
  };
  const codeOf = (purchase: Body) => venue.api.app.secrets.decrypt(purchase['code']);

  test('on another device, with the code of the receipt, as often as the profile has devices', async () => {
    const { email } = await bought(1);
    const code = codeOf((await purchaseOf(email))[0]!);
    venue.newMac();
    const answer = await form({ voucher: `${code.slice(0, 5)}-${code.slice(5)}`.toLowerCase() });
    expect(answer.status, answer.html).toBe(303);
    const ticket = ticketIn(answer.headers.get('location')!);
    expect((await venue.routerAccepts(ticket)).outcome).toBe('accept');
    await venue.routerStarts(ticket, { uploadBytes: 0, downloadBytes: 0 }, { sessionId: 'second' });
    venue.newMac();
    const third = await form({ voucher: code });
    expect((await venue.routerAccepts(ticketIn(third.headers.get('location')!))).outcome).toBe('reject');
  });

  test('from a link of the sign-in page, also when nothing is on sale any more', async () => {
    const { email } = await bought(1);
    const code = codeOf((await purchaseOf(email))[0]!);
    venue.newMac();
    const linkOn = ({ html }: { html: string }) => /href="(\/w\/\w+\/restore\?[^"]*)"/.exec(html)?.[1];
    expect(linkOn(await venue.captive.get(venue.arrival()))).toBeDefined();
    await venue.run(sql`update packages set is_active = false`);
    onTestFinished(async () => void (await venue.run(sql`update packages set is_active = true`)));
    const page = await venue.captive.get(venue.arrival());
    expect(page.html).not.toContain(`${buyAt()}?`);
    const restore = await venue.captive.get(linkOn(page)!.replace(/&(amp|#38);/g, '&'));
    expect(restore.status, linkOn(page)).toBe(200);
    const answer = await venue.captive.post(restoreAt(), { state: stateOf(restore.html), lang: 'en', voucher: code });
    expect(answer.status, answer.html).toBe(303);
    expect((await venue.routerAccepts(ticketIn(answer.headers.get('location')!))).outcome).toBe('accept');
    // A place that has sold nothing for a year does not offer it.
    await venue.run(sql`update purchases set created_at = created_at - interval '2 years'`);
    onTestFinished(
      async () => void (await venue.run(sql`update purchases set created_at = created_at + interval '2 years'`)),
    );
    expect(linkOn(await venue.captive.get(venue.arrival()))).toBeUndefined();
  });

  test('not where its visitor was moved away from, by cookie, code or mail', async () => {
    const { email, cookie } = await bought(1);
    const code = codeOf((await purchaseOf(email))[0]!);
    await goOffline();
    const mails = async () => (await venue.rows(sql`select 1 as n from outbox_mails where address = ${email}`)).length;
    const arrive = () => venue.captive.get(venue.arrival(), { cookie });
    expect((await arrive()).status).toBe(303);
    const elsewhere = await venue.create('panel/location', { name: 'Elsewhere' });
    const [{ visitor_id: id } = { visitor_id: '' }] = await purchaseOf(email);
    const move = async (location_id: string) => {
      const moved = await post('panel/client/selected/move', { ids: [id], location_id });
      expect(moved.body.data.changed, moved.text).toBe(1);
    };
    await move(elsewhere.id);
    expect((await arrive()).status).toBe(200);
    expect((await form({ voucher: code })).html).toContain('This code is not right');
    const sent = await mails();
    await form({ contact: email });
    expect(await mails()).toBe(sent);
    await move(venue.location);
    expect((await arrive()).status).toBe(303);
  });

  test('not with a wrong code, nor that of a refunded purchase; guesses are slowed down', async () => {
    const { email, purchase } = await bought(1);
    const code = codeOf((await purchaseOf(email))[0]!);
    await post(`panel/purchase/${purchase['id']}/refund`, { reason: 'Yanlış' });
    venue.newMac();
    expect((await form({ voucher: code })).html).toContain('This code is not right');
    const guesses = await Promise.all(Array.from({ length: 12 }, () => form({ voucher: '2222222222' })));
    expect(new Set(guesses.map(it => it.status))).toEqual(new Set([422, 429]));
  });

  test('from a page that can be loaded again, and keeps what was typed in another language', async () => {
    const page = await venue.captive.get(`${restoreAt()}?${query()}`);
    const fields = { state: stateOf(page.html), lang: 'en' };
    for (const [more, status, text, german] of [
      [{ contact: 'ada@' }, 422, 'This is not an e-mail address', 'Das ist keine E'],
      [{ contact: '12' }, 422, 'This is not a mobile number', 'Das ist keine Mobil'],
      [{ voucher: '' }, 422, 'Something is missing', 'Es fehlt noch etwas'],
      [{ contact: 'ada@example.com' }, 200, 'the receipt is on its way', 'unterwegs'],
    ] as const) {
      const answer = await venue.captive.post(restoreAt(), { ...fields, ...more });
      expect(answer.status, text).toBe(303);
      const to = answer.headers.get('location')!;
      expect(to).not.toContain('ada');
      const headers = { cookie: cookiesOf(answer) };
      for (const at of [to, to]) {
        const again = await venue.captive.get(at, headers);
        expect([again.status, again.html.includes(text)], text).toEqual([status, true]);
      }
      const other = /href="([^"]*lang=de)"/.exec((await venue.captive.get(to, headers)).html)![1]!;
      const { html } = await venue.captive.get(other.replaceAll('&amp;', '&'), headers);
      expect(html).toContain(german);
      if ('contact' in more && status === 422) expect(html).toContain(`value="${more.contact}"`);
      expect((await venue.captive.get(to)).html, 'without cookies').toContain(text);
    }
  });

  test('by having the receipt sent again, to the address that bought, without telling whether there is one', async () => {
    const { email } = await bought(1);
    const mails = async (to: string) =>
      (await venue.rows(sql`select 1 as n from outbox_mails where address = ${to}`)).length;
    const [known, unknown] = [
      await form({ contact: email.toUpperCase() }),
      await form({ contact: 'nobody@example.com' }),
    ];
    const shown = (html: string) => html.replace(/name="state" value="[^"]*"|nonce="[^"]*"/g, '');
    expect(shown(known.html)).toBe(shown(unknown.html));
    expect([await mails(email), await mails('nobody@example.com')]).toEqual([2, 0]);
    const askAtOnce = (times: number) => Promise.all(Array.from({ length: times }, () => form({ contact: email })));
    await askAtOnce(2);
    // The first block lasts one second, which so many requests may take.
    await holdBlocks(venue.api.app);
    await askAtOnce(6);
    expect(await mails(email)).toBe(4);
  });
});
