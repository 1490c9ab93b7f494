import sql from 'sql-template-tag';
import { beforeAll, beforeEach, expect, vi } from 'vitest';
import { stopHotelLinks } from '#features/integrations/public.ts';
import { afterFile } from '#test/after-file.ts';
import { type Body } from '#test/harness.ts';
import { hotelBases } from '../../../../integrations/cloud/ask.ts';
import { cloudPace } from '../../../../integrations/cloud/pace.ts';
import { hotelLinkJobs } from '../../../../integrations/hotel/links.jobs.ts';
import { apaleoClient, apaleoProperty, startApaleo } from '../../../../integrations/testing/apaleo-pms.ts';
import { type Person } from '../../../../integrations/testing/cloud-hotel.ts';
import { mewsService, mewsTokens, startMews } from '../../../../integrations/testing/mews-pms.ts';
import { newGuestEachTest, startVenue, type Venue } from '../../../testing/venue.ts';

/** As long as `expect.poll` waits in all tests: a busy machine is slow but not wrong. */
export const eventually = (check: () => Promise<void> | void) => vi.waitFor(check, { timeout: 120_000, interval: 50 });
const usualPace = { ...cloudPace };
const usualBases = { ...hotelBases };
const quickPace = {
  tickMs: 50,
  readMs: 400,
  hintMs: 100,
  reportSeconds: 1,
  firstRetryMs: 100,
  documentMs: 200,
  chargeRetrySeconds: 0.5,
};

const systems = {
  mews: {
    start: async () => {
      const pms = await startMews();
      Object.assign(hotelBases, { 'mews-production': pms.url });
      return pms;
    },
    connection: { type: 'mews', ...mewsTokens, service_id: mewsService, tax_code: 'UK-S', currency: 'eur' },
    secret: 'access_token',
    hides: ['client_token', 'access_token'],
  },
  apaleo: {
    start: async () => {
      const pms = await startApaleo();
      Object.assign(hotelBases, { apaleo: pms.url, 'apaleo-identity': pms.url, 'apaleo-webhook': pms.url });
      return pms;
    },
    connection: { type: 'apaleo', ...apaleoClient, property_id: apaleoProperty, currency: 'eur' },
    secret: 'client_secret',
    hides: ['client_secret'],
  },
} as const;

export const cloudSystems = ['mews', 'apaleo'] as const;

/**
 * A venue whose guests are in a hotel system in the cloud. Each test begins with the same four guests, who are in the house, and
 * a system that answers. For a `describe`; the venue is there once its tests run.
 */
export function cloudHotel(name: (typeof cloudSystems)[number]) {
  const { connection, secret, hides, start } = systems[name];
  let venue: Venue;
  let pms: Awaited<ReturnType<typeof start>>;
  let integration: string;
  let hook: string;
  let rateProfile: string;

  const hold = () => hotelLinkJobs[0]!.run(venue.api.app);
  const shown = async () => (await venue.api.get(`panel/integration/${integration}`, { token: venue.admin })).body.data;
  const guests = () =>
    venue.rows(sql`
      select name, room_number as room, session_end_at > now() as here from visitors
      where integration_id = ${integration} order by name`);
  /** The guests who are in the house. */
  const present = async () => (await guests()).filter(it => it['here']);
  const guest = async (who: string) => (await guests()).find(it => it['name'] === who);
  const sign = (room_number: string, last_name: string) =>
    venue.submit({ method: 'room-number', room_number, last_name });
  const reads = () => pms.heard.filter(it => it.path.includes('/reservations')).length;
  /** Each try to put something on a bill, or off it. */
  const postings = () => pms.heard.filter(it => /\/(orders\/add|charges|allowances)$/.test(it.path));
  const rereads = async () => {
    const before = reads();
    await eventually(() => expect(reads()).toBeGreaterThan(before + 2));
  };
  const goOnline = async (who: string, session: string) => {
    await venue.routerStarts('x', { uploadBytes: 0, downloadBytes: 0 }, { sessionId: session });
    await venue.api.app.db.withSystem(tx =>
      tx.run(sql`
        update online_sessions set visitor_id = (select id from visitors where name = ${who} and integration_id = ${integration})
        where acct_session_id = ${session}`),
    );
  };
  const commands = (session: string) =>
    venue.rows(sql`
      select k.kind, k.reason from session_commands k join online_sessions s on s.id = k.session_id
      where s.acct_session_id = ${session} order by k.requested_at`);
  const charges = async (state?: string): Promise<Body[]> =>
    (
      await venue.api.get(`panel/integration/${integration}/room-charges${state ? `?state=${state}` : ''}`, {
        token: venue.admin,
      })
    ).body.data;
  const charge = async (who: string, days: number) => {
    const [row] = await venue.rows(
      sql`select id from visitors where name = ${who} and integration_id = ${integration}`,
    );
    const answer = await venue.api.post(`panel/client/${row!['id']}/extend`, {
      token: venue.admin,
      body: { days, charge_room: true },
    });
    expect(answer.status, answer.text).toBe(200);
  };

  /** The next read is far away. */
  async function rereadsStop(): Promise<void> {
    let last = -1;
    await eventually(async () => {
      const now = reads();
      const isStill = now === last;
      last = now;
      await new Promise(resolve => setTimeout(resolve, 600));
      expect(isStill).toBe(true);
    });
    // A link that waits for its old date is asked once.
    await venue.run(sql`update hotel_links set asked_at = null where integration_id = ${integration}`);
  }

  beforeAll(async () => {
    // Files that share a process share this module too, so each file sets the pace and puts it back.
    Object.assign(cloudPace, quickPace);
    afterFile(() => {
      Object.assign(cloudPace, usualPace);
      Object.assign(hotelBases, usualBases);
    });
    venue = await startVenue({ INTEGRATIONS_INSIDE: '1' });
    pms = await start();
    book();
    const profile = async (label: string, option: string) =>
      (
        await venue.create('panel/location/user-profile', {
          location_id: venue.location,
          name: label,
          shared_user: 3,
          paid_sale: { is_active: true, option, value: 5 },
        })
      ).id;
    rateProfile = await profile('Long stay', 'eur');
    const profiles = [{ by: 'rate', code: 'long', profile_id: rateProfile }];
    const params = { connection: { ...connection, profiles } };
    const body = { name: 'Hotel', location_id: venue.location, integration_id: name, params };
    const made = await venue.create('panel/integration', body);
    integration = made.id;
    hook = new URL(made['hook_url']).pathname;
    await venue.offer({ slug: 'room-number', options: { method: 'surname' } });
    await hold();
    const keep = setInterval(() => void hold().catch(() => undefined), 200);
    await eventually(async () => expect(await guests()).toHaveLength(4));
    afterFile(async () => {
      clearInterval(keep);
      await stopHotelLinks(venue.api.app);
      await pms.stop();
    });
  }, 120_000);
  newGuestEachTest(() => venue);

  function book(): void {
    pms.bookings.clear();
    const add = (id: string, room: string, people: Person[], more = {}) =>
      pms.bookings.set(id, { id, room, people, from: -1, to: 3, ...more });
    add('AAAA-1', '101', [
      { first: 'Gülşen', last: 'Şişkin', birth: '1990-05-06', id: 'U 123-456', vip: 'VeryImportant' },
      { first: 'María', last: 'García López' },
    ]);
    add('BBBB-1', '102', [{ first: 'Ali', last: 'Kaya' }], { rate: 'LONG' });
    add('CCCC-1', '103', [{ first: 'Can', last: 'Demir' }]);
    add('DDDD-1', '104', [{ first: 'Out', last: 'Already' }], { isOut: true });
  }
  beforeEach(async () => {
    pms.instead = undefined;
    pms.refusesBooking = undefined;
    book();
    await eventually(async () =>
      expect((await present()).map(it => [it['name'], it['room']])).toEqual([
        ['Ali Kaya', '102'],
        ['Can Demir', '103'],
        ['Gülşen Şişkin', '101'],
        ['María García López', '101'],
      ]),
    );
  });

  return {
    ...{ name, connection, secret, hides },
    get venue() {
      return venue;
    },
    get pms() {
      return pms;
    },
    get integration() {
      return integration;
    },
    get hook() {
      return hook;
    },
    get rateProfile() {
      return rateProfile;
    },
    ...{
      hold,
      shown,
      guests,
      present,
      guest,
      sign,
      reads,
      postings,
      rereads,
      rereadsStop,
      goOnline,
      commands,
      charges,
      charge,
    },
  };
}
