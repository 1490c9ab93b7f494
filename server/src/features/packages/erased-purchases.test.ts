import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import type { PageAnswer } from '#features/guests/testing/captive.ts';
import { cookiesOf } from '#features/guests/testing/venue.ts';
import { startShop } from './testing/shop.ts';

/** What a browser sees of a purchase that it can use no more, because its guest has deleted its data or used it up. */

const { venue, bought, purchaseOf, purchases, begin, newEmail, confirm, goOffline, decide, read, post } =
  await startShop();

const erase = (cookie: string) => venue.captive.form(`/w/${venue.nas}/my-data/delete`, { lang: 'en' }, { cookie });
const dropped = (answer: PageAnswer) =>
  answer.headers
    .getSetCookie()
    .filter(it => it.includes('Max-Age=0'))
    .map(it => it.split('=')[0]!);
const pay = (cookie: string) => venue.captive.get(`/w/${venue.nas}/pay?lang=en`, { cookie });
/** The purchase is paid, and the guest signed in by it. */
async function buyer() {
  const { email, page, purchase, cookie } = await bought(1);
  expect(page.status, page.html).toBe(303);
  return { email, id: purchase['id'] as string, cookie: `${cookie}; ${cookiesOf(page)}` };
}

test('a guest who deletes its data takes its purchase along: no browser opens it again, and the books keep it', async () => {
  const { email, id, cookie } = await buyer();
  const gone = await erase(cookie);
  expect([gone.status, gone.headers.get('location')]).toEqual([303, `/w/${venue.nas}/my-data/gone?lang=en`]);
  expect(dropped(gone)).toEqual(expect.arrayContaining(['portico_visit', 'portico_bought', 'portico_switch']));
  // A browser that kept the cookie, such as another window of the phone.
  const again = await pay(cookie);
  expect([again.status, again.html.includes('does not know your purchase')]).toEqual([200, true]);
  expect(again.html).not.toContain('Nothing was bought');
  expect((await venue.captive.get(venue.arrival(), { cookie })).status).toBe(200);
  expect(await purchaseOf(email)).toEqual([]);
  expect(await venue.rows(sql`select phone, client_mac, visitor_id from purchases where id = ${id}`)).toEqual([
    { phone: null, client_mac: null, visitor_id: null },
  ]);
  expect((await purchases()).find(it => it['id'] === id)).toMatchObject({ state: 'paid', amount: 499, email: null });
});

test('a payment that is under way keeps the address for its receipt, and the browser forgets it', async () => {
  const email = newEmail();
  const { cookie } = await begin(email, 1);
  expect(dropped(await erase(cookie))).toContain('portico_bought');
  expect(await purchaseOf(email)).toMatchObject([{ state: 'open', email }]);
});

test('a purchase that failed is paid after its guest has deleted its data: the receipt and the days go to a new visitor', async () => {
  const email = newEmail();
  const { cookie, purchase } = await begin(email, 1);
  const id = purchase['id'] as string;
  await venue.run(sql`update purchases set state = 'failed' where id = ${id}`);
  await erase(cookie);
  expect(await purchaseOf(email)).toMatchObject([{ id, state: 'failed', visitor_id: null, email }]);
  // The provider reports it late: its guest comes back from its page.
  await venue.captive.get(await decide(purchase, 'pay'));
  expect(await purchaseOf(email)).toMatchObject([{ id, state: 'paid', email }]);
  const [{ visitor_id: visitor }] = (await purchaseOf(email)) as [{ visitor_id: string }];
  expect((await read(`panel/client/${visitor}`)).data).toMatchObject({ email, total_paid_day: 1 });
  expect(await venue.rows(sql`select template from outbox_mails where address = ${email}`)).toEqual([
    { template: 'purchase_receipt' },
  ]);
});

test.each([
  ['one visitor', (id: string) => venue.api.delete(`panel/client/${id}`, { token: venue.admin })],
  ['selected visitors', (id: string) => post('panel/client/selected/delete', { ids: [id] })],
])(
  'an administrator who deletes %s takes the address out of the purchases; one that may still be paid keeps it',
  async (_which, remove) => {
    const { email, id, cookie } = await buyer();
    const [{ visitor_id: visitor }] = (await purchaseOf(email)) as [{ visitor_id: string }];
    await venue.run(sql`update purchases set phone = '+905321234567' where id = ${id}`);
    // The same guest goes on to buy once more.
    const open = newEmail();
    expect((await confirm(open, { days: 1 })).status).toBe(303);
    const [purchase] = await purchaseOf(open);
    await venue.run(sql`update purchases set visitor_id = ${visitor} where id = ${purchase!['id']}`);
    expect((await remove(visitor)).status).toBeLessThan(300);
    expect(
      await venue.rows(sql`select state, email, phone, client_mac, visitor_id from purchases where id = ${id}`),
    ).toEqual([{ state: 'paid', email: null, phone: null, client_mac: null, visitor_id: null }]);
    expect((await purchases()).find(it => it['id'] === id)).toMatchObject({ state: 'paid', amount: 499, email: null });
    expect(await purchaseOf(open)).toMatchObject([{ state: 'open', email: open }]);
    expect((await pay(cookie)).html).toContain('does not know your purchase');
  },
);

test('access that another visitor of this browser has paid for stays', async () => {
  const { email, cookie } = await buyer();
  const paid = /portico_bought=[^;]+/.exec(cookie)![0];
  await venue.offer({ slug: 'email', options: {} });
  venue.newMac();
  const other = cookiesOf(await venue.submit({ method: 'email', email: 'other@example.com' }));
  const gone = await erase(`${paid}; ${other}`);
  expect(dropped(gone)).toContain('portico_visit');
  expect(dropped(gone)).not.toContain('portico_bought');
  expect(await purchaseOf(email)).toMatchObject([{ state: 'paid', email }]);
});

test('a purchase that was used up is not shown as one that failed', async () => {
  const { id, cookie } = await buyer();
  await goOffline();
  const visitor = sql`(select visitor_id from purchases where id = ${id})`;
  for (const [change, title] of [
    [sql`blocked = true`, 'Your access is paused'],
    [sql`blocked = false, session_end_at = now() - interval '1 hour'`, 'Your access has ended'],
  ] as const) {
    await venue.run(sql`update visitors set ${change} where id = ${visitor}`);
    const page = await pay(cookie);
    expect([page.status, page.html.includes('Nothing was bought')]).toEqual([403, false]);
    expect(page.html).toContain(`<h1>${title}</h1>`);
  }
});
