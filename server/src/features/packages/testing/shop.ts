import sql from 'sql-template-tag';
import { expect } from 'vitest';
import {
  cookiesOf,
  newGuestEachTest,
  onlineOf,
  startVenue,
  stateOf,
  type Venue,
} from '#features/guests/testing/venue.ts';
import type { Body } from '#test/harness.ts';
import { packageJobs } from '../packages.jobs.ts';

export const ticketIn = (location: string) => new URL(location).searchParams.get('username')!;

/** A venue that sells a package for 4.99 € a day through the test provider, and guests who buy it. Each test has a new guest device. */
export async function startShop(place?: Venue) {
  const venue = place ?? (await startVenue());
  newGuestEachTest(() => venue);
  const paid_sale = { is_active: true, option: 'eur', value: 5 };
  const body = { name: 'Gün', location_id: venue.location, paid_sale, shared_user: 2 };
  const profile: string = (await venue.create('panel/location/user-profile', body)).id;
  await venue.create('panel/integration', {
    name: 'Deneme',
    location_id: venue.location,
    integration_id: 'test-payment',
    params: { connection: { type: 'test-payment' } },
  });

  const make = (more: object = {}): Promise<Body> =>
    venue.create('panel/package', {
      location_id: venue.location,
      profile_id: profile,
      name: { en: 'Day <pass>', tr: 'Günlük' },
      description: { en: 'As fast as it gets' },
      price: 499,
      currency: 'eur',
      tax_rate: 2000,
      max_days: 7,
      ...more,
    });
  const day = await make();
  const read = async (at: string): Promise<Body> => {
    const answer = await venue.api.get(at, { token: venue.admin });
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  };
  const post = (at: string, body: object = {}) => venue.api.post(at, { token: venue.admin, body });
  const query = () =>
    new URLSearchParams({ mac: venue.mac, ip: '10.5.50.9', login: 'http://10.5.50.1/login', orig: '', lang: 'en' });
  const buyAt = () => `/w/${venue.nas}/buy`;
  const purchases = async (): Promise<Body[]> => (await read('panel/purchase?per_page=200')).data;
  const sales = async (): Promise<Body[]> => (await read('panel/reports/sales?per_page=200')).data;
  const purchaseOf = (email: string) =>
    venue.rows(sql`select * from purchases where email = ${email} order by created_at desc`);
  const reconcile = () => packageJobs[0]!.run(venue.api.app);

  /** The router ends the session of the guest device. */
  const goOffline = () =>
    venue.api.app.db.withSystem(tx => tx.run(sql`delete from online_sessions where client_mac = ${venue.mac}`));

  let people = 0;
  const newEmail = () => `guest${++people}@example.com`;

  /** The form of the summary of a package. */
  const summary = async (days = 3, id: string = day['id']) =>
    venue.captive.get(`${buyAt()}?${query()}&package=${id}&days=${days}`);
  const confirm = async (email: string, { days = 3, more = {}, headers = {} } = {}) => {
    const page = await summary(days);
    expect(page.status, page.html).toBe(200);
    return venue.captive.form(buyAt(), { state: stateOf(page.html), lang: 'en', email, ...more }, headers);
  };

  /** Lets the guest out for the payment as its router does, and returns the cookies of its browser. */
  async function begin(email: string, days = 3) {
    const answer = await confirm(email, { days });
    expect(answer.status, answer.html).toBe(303);
    const ticket = ticketIn(answer.headers.get('location')!);
    const decision = await venue.routerAccepts(ticket);
    await venue.routerStarts(ticket, { uploadBytes: 0, downloadBytes: 0 }, { sessionId: `s${email}` });
    const cookie = cookiesOf(answer);
    const [purchase] = await purchaseOf(email);
    return { answer, cookie, decision, purchase: purchase!, online: onlineOf(answer) };
  }

  /** Presses a button on the page of the test provider; returns where it sends the guest. */
  async function decide(purchase: Body, decision: 'pay' | 'decline'): Promise<string> {
    const { pathname } = new URL(purchase['pay_url']);
    const page = await venue.captive.get(pathname);
    expect(page.html).toContain('Test provider');
    const answer = await venue.captive.post(pathname, { decide: decision });
    expect(answer.status).toBe(303);
    return new URL(answer.headers.get('location')!).pathname;
  }

  async function bought(days = 3) {
    const email = newEmail();
    const begun = await begin(email, days);
    const back = await venue.captive.get(await decide(begun.purchase, 'pay'));
    expect(back.status).toBe(303);
    const page = await venue.captive.get(back.headers.get('location')!, { cookie: begun.cookie });
    return { ...begun, email, page };
  }

  return {
    ...{ venue, profile, day, make, read, post, query, buyAt, purchases, sales, purchaseOf, reconcile, goOffline },
    ...{ newEmail, summary, confirm, begin, decide, bought },
  };
}
