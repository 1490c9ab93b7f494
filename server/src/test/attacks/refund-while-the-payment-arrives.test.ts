import sql from 'sql-template-tag';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { cookiesOf, newGuestEachTest, startVenue, stateOf, type Venue } from '#features/guests/testing/venue.ts';
import { testProvider } from '#features/integrations/payment/test-provider.ts';
import { packageJobs } from '#features/packages/public.ts';
import type { Body } from '../harness.ts';

/**
 * The attack: a buyer has the money paid back while the return, the notification and the job still report the payment. If one of
 * them counted after the refund, or two refunds counted, the days would stay, or money would go back twice.
 */

let venue: Venue;
let day: Body;
beforeAll(async () => {
  venue = await startVenue();
  const { location } = venue;
  const params = { connection: { type: 'test-payment' } };
  const account = { name: 'Deneme', location_id: location, integration_id: 'test-payment', params };
  await venue.create('panel/integration', account);
  day = await sell();
}, 120_000);
newGuestEachTest(() => venue);
afterEach(() => void vi.restoreAllMocks());

const free = { is_active: false, option: 'eur', value: 0 };
/** Offers days of a paid profile of their own. */
async function sell(): Promise<Body> {
  const form = { name: 'Gün', location_id: venue.location, paid_sale: { ...free, is_active: true, value: 5 } };
  const profile = await venue.create('panel/location/user-profile', form);
  const price = { price: 499, currency: 'eur', tax_rate: 0, max_days: 7 };
  return venue.create('panel/package', {
    ...{ location_id: venue.location, profile_id: profile.id, name: { en: 'Day' }, ...price },
  });
}

const times = <T>(count: number, work: () => Promise<T>) => Promise.all(Array.from({ length: count }, work));

/** A purchase that was paid on the page of the provider, which nothing has reported yet. */
async function paid(of = day) {
  const email = `guest${venue.mac.slice(-2)}@example.com`;
  const query = { mac: venue.mac, ip: '10.5.50.9', login: 'http://10.5.50.1/login', orig: '', lang: 'en' };
  const page = await venue.captive.get(
    `/w/${venue.nas}/buy?${new URLSearchParams({ ...query, package: of.id, days: '2' })}`,
  );
  const bought = await venue.captive.post(`/w/${venue.nas}/buy`, { state: stateOf(page.html), lang: 'en', email });
  const [row] = await venue.rows(sql`select id, pay_url from purchases where email = ${email}`);
  const id: string = row!['id'];
  const done = await venue.captive.post(new URL(row!['pay_url']).pathname, { decide: 'pay' });
  const back = new URL(done.headers.get('location')!).pathname;
  const tenant = await venue.api.tenantId('panel');
  const signature = venue.api.app.secrets.sign(`test payment ${tenant} ${id}`);
  const hook = `${venue.captive.url}/pay/hook/${tenant}/${venue.location}`;
  return {
    id,
    comeBack: () => venue.captive.get(back),
    signIn: async () => {
      const page = await venue.captive.get(`/w/${venue.nas}/pay?check=1&lang=en`, { cookie: cookiesOf(bought) });
      const ticket = new URL(page.headers.get('location')!).searchParams.get('username')!;
      expect((await venue.routerAccepts(ticket)).outcome).toBe('accept');
    },
    notify: () => fetch(hook, { method: 'POST', body: id, headers: { 'x-test-signature': signature } }),
    refund: async () =>
      (await venue.api.post(`panel/purchase/${id}/refund`, { token: venue.admin, body: { reason: 'x' } })).status,
  };
}

const booksOf = (id: string) =>
  venue.rows(sql`
    select p.state, v.session_end_at <= now() as over, v.total_paid_day as days,
      (select sum(total)::float from sales where purchase_id = p.id) as total, (select count(*)::int from sales where purchase_id = p.id) as sales
    from purchases p join visitors v on v.id = p.visitor_id where p.id = ${id}`);

test('one of many refunds counts, in the middle of reports of the payment; the days are gone', async () => {
  const it = await paid();
  const refunds = vi.spyOn(testProvider, 'refund');
  await it.comeBack();
  const [asked] = await Promise.all([
    times(8, it.refund),
    times(8, it.comeBack),
    times(8, it.notify),
    packageJobs[0]!.run(venue.api.app),
  ]);
  expect(asked.sort()).toEqual([200, ...Array<number>(7).fill(422)]);
  expect(refunds).toHaveBeenCalledTimes(1);
  expect(await booksOf(it.id)).toEqual([{ state: 'refunded', over: true, days: 0, total: 0, sales: 2 }]);
  await Promise.all([it.comeBack(), it.notify()]);
  expect(await booksOf(it.id)).toMatchObject([{ state: 'refunded', sales: 2 }]);
});

test('an answer of before the refund, which arrives after it, changes nothing', async () => {
  const it = await paid();
  await it.comeBack();
  const { confirm } = testProvider;
  vi.spyOn(testProvider, 'confirm').mockImplementationOnce(async (at, order) => {
    const before = await confirm(at, order);
    expect(await it.refund()).toBe(200);
    return before;
  });
  await it.notify();
  expect(await booksOf(it.id)).toEqual([{ state: 'refunded', over: true, days: 0, total: 0, sales: 2 }]);
});

test.each([
  ['loses its price', (id: string) => venue.update(`panel/location/user-profile/${id}`, { paid_sale: free })],
  [
    'is deleted',
    async (id: string) => {
      const other = await sell();
      const at = `panel/location/user-profile/${id}?replacement_id=${other.profile_id}`;
      expect((await venue.api.delete(at, { token: venue.admin })).status).toBe(204);
    },
  ],
] as const)('bought days end, although the profile %s while the guest pays', async (_, change) => {
  const sold = await sell();
  const it = await paid(sold);
  await change(sold.profile_id);
  await it.comeBack();
  await it.signIn();
  const [visitor] = await venue.rows(sql`
    select p.state, v.total_paid_day as days, v.session_end_at between now() + interval '1 day' and now() + interval '3 days' as ends
    from purchases p join visitors v on v.id = p.visitor_id where p.id = ${it.id}`);
  expect(visitor).toEqual({ state: 'paid', days: 2, ends: true });
});

test('days that a bank takes back during a refund are taken once', async () => {
  const it = await paid();
  await it.comeBack();
  const { refund } = testProvider;
  vi.spyOn(testProvider, 'refund').mockImplementationOnce(async (at, order) => {
    await venue.run(sql`update test_payments set disputed = true where reference = ${it.id}`);
    await it.notify();
    return refund(at, order);
  });
  expect(await it.refund()).toBe(200);
  await it.notify();
  expect(await booksOf(it.id)).toEqual([{ state: 'charged-back', over: true, days: 0, total: 0, sales: 2 }]);
});
