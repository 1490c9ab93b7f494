import sql from 'sql-template-tag';
import { beforeEach, expect, vi } from 'vitest';
import { newGuestEachTest, startVenue, stateOf } from '#features/guests/testing/venue.ts';
import { stopHotelLinks } from '#features/integrations/public.ts';
import { packageJobs } from '#features/packages/public.ts';
import { afterFile } from '#test/after-file.ts';
import type { Body } from '#test/harness.ts';
import { hotelLinkJobs } from '../../integrations/hotel/links.jobs.ts';
import { startFiasPms } from '../../integrations/testing/fias-pms.ts';

export const eventually = (check: () => Promise<void> | void) => vi.waitFor(check, { timeout: 120_000, interval: 100 });
export const usernameIn = (location: string | null) => new URL(location ?? '').searchParams.get('username')!;

/** A guest in room 101. */
export const kaya = { room_number: '101', last_name: 'kaya' };

/**
 * A hotel whose guests buy packages on the bill of their room. Room 102 takes no charges. Each test has a new guest device and a
 * hotel system that accepts.
 */
export async function startHotel() {
  const venue = await startVenue({ INTEGRATIONS_INSIDE: '1' });
  const pms = await startFiasPms();
  for (const [number, name, more] of [
    ['1', 'Kaya', {}],
    ['2', 'Sade', { NP: 'Y' }],
    ['3', 'Şişkin', {}],
  ] as const)
    pms.guests.set(number, { 'G#': number, RN: `10${number}`, GN: name, GF: 'Ali', ...more });
  const connection = { type: 'fias', host: '127.0.0.1', port: pms.port, currency: 'eur' };
  const paid_sale = { is_active: true, option: 'eur', value: 5 };
  const profile = { name: 'Gün', location_id: venue.location, paid_sale, shared_user: 2 };
  const { id: profile_id } = await venue.create('panel/location/user-profile', profile);
  const pack = { location_id: venue.location, profile_id, price: 499, tax_rate: 2000, max_days: 7 };
  const day: string = (await venue.create('panel/package', { ...pack, name: { en: 'Day pass' }, currency: 'eur' })).id;
  await venue.create('panel/package', { ...pack, name: { en: 'In dollars' }, currency: 'usd' });
  const body = { name: 'Opera', location_id: venue.location, integration_id: 'fias' };
  const integration: string = (await venue.create('panel/integration', { ...body, params: { connection } })).id;
  await venue.offer({ slug: 'room-number', options: { method: 'surname' } });
  const hold = () => hotelLinkJobs[0]!.run(venue.api.app);
  await hold();
  const keep = setInterval(() => void hold().catch(() => undefined), 1000);
  await eventually(async () => expect(await venue.rows(sql`select 1 from hotel_stays`)).toHaveLength(3));
  afterFile(async () => {
    clearInterval(keep);
    await stopHotelLinks(venue.api.app);
    await pms.stop();
  });
  newGuestEachTest(() => venue);
  const reconcile = () => packageJobs[0]!.run(venue.api.app);
  let people = 0;
  const newEmail = () => `room${++people}@example.com`;
  const buyAt = () => `/w/${venue.nas}/buy`;
  const query = () =>
    new URLSearchParams({ mac: venue.mac, ip: '10.5.50.9', login: 'http://10.5.50.1/login', orig: '', lang: 'en' });
  const summary = (headers = {}, days = 3) =>
    venue.captive.get(`${buyAt()}?${query()}&package=${day}&days=${days}`, headers);
  const order = async (email: string, fields: Record<string, string>, headers = {}) => {
    const page = await summary(headers);
    expect(page.status, page.html).toBe(200);
    return venue.captive.form(
      buyAt(),
      { state: stateOf(page.html), lang: 'en', email, pay: 'room', ...fields },
      headers,
    );
  };
  const payPage = (cookie: string) => venue.captive.get(`/w/${venue.nas}/pay?check=1&lang=en`, { cookie });
  /** The page once the hotel has answered. A busy machine may take longer than one request of the page waits. */
  const answered = async (cookie: string) => {
    let page = await payPage(cookie);
    await eventually(async () => {
      if (page.status === 200) page = await payPage(cookie);
      expect(page.status, page.html).not.toBe(200);
    });
    return page;
  };
  const purchase = async (email: string): Promise<Body> => {
    const { body } = await venue.api.get(`panel/purchase?search=${email}`, { token: venue.admin });
    return body.data[0];
  };
  const refund = (id: string) =>
    venue.api.post(`panel/purchase/${id}/refund`, { token: venue.admin, body: { reason: 'Too slow' } });
  const charges = async (): Promise<Body[]> =>
    (await venue.api.get(`panel/integration/${integration}/room-charges`, { token: venue.admin })).body.data;
  const saleOf = async (id: string): Promise<Body> =>
    (await venue.api.get('panel/reports/sales?per_page=200', { token: venue.admin })).body.data.find(
      (it: Body) => it.purchase_id === id && !it.reverses,
    );
  /** The hotel system is ready again, and gets what waits at once. A charge whose answer is under way waits again with it. */
  const answerNow = async () => {
    pms.answer = 'OK';
    await eventually(async () =>
      expect(await venue.rows(sql`select 1 from room_charges where state = 'sent'`)).toEqual([]),
    );
    await venue.run(sql`update room_charges set next_at = now() where state = 'waiting'`);
  };
  const allPosted = () =>
    eventually(async () => {
      const open = sql`select 1 from room_charges where state in ('waiting', 'sent')`;
      expect(await venue.rows(open)).toEqual([]);
    });
  // Charges of an earlier test would make those of the next one wait.
  beforeEach(async () => {
    await answerNow();
    await allPosted();
    await reconcile();
  });
  /** The field that says the way to pay. */
  const wayOf = (html: string, way: string) =>
    (html.match(/<input[^>]*>/g) ?? []).find(it => it.includes('name="pay"') && it.includes(`value="${way}"`)) ?? '';
  const visitorOf = (email: string) =>
    venue.rows(sql`
      select v.id, coalesce(v.session_end_at > now(), true) as runs from purchases b join visitors v on v.id = b.visitor_id where b.email = ${email}`);

  return {
    ...{
      venue,
      pms,
      integration,
      day,
      reconcile,
      newEmail,
      buyAt,
      query,
      summary,
      order,
      payPage,
      answered,
      purchase,
      refund,
    },
    ...{ charges, saleOf, answerNow, allPosted, wayOf, visitorOf },
  };
}
