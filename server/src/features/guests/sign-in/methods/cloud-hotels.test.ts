import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { stopHotelLinks } from '#features/integrations/public.ts';
import { afterFile } from '#test/after-file.ts';
import { type Body } from '#test/harness.ts';
import { hotelBases } from '../../../integrations/cloud/ask.ts';
import { cloudPace } from '../../../integrations/cloud/pace.ts';
import { hotelLinkJobs } from '../../../integrations/hotel/links.jobs.ts';
import { apaleoClient, apaleoProperty, startApaleo } from '../../../integrations/testing/apaleo-pms.ts';
import { mewsService, mewsTokens, startMews } from '../../../integrations/testing/mews-pms.ts';
import { newGuestEachTest, startVenue, type Venue } from '../../testing/venue.ts';

const eventually = (check: () => Promise<void> | void) => vi.waitFor(check, { timeout: 12_000, interval: 50 });
const usualPace = { ...cloudPace };
const usualBases = { ...hotelBases };
Object.assign(cloudPace, {
  tickMs: 50,
  readMs: 400,
  hintMs: 100,
  reportSeconds: 1,
  firstRetryMs: 100,
  documentMs: 200,
  chargeRetrySeconds: 0.5,
});
afterFile(() => {
  Object.assign(cloudPace, usualPace);
  Object.assign(hotelBases, usualBases);
});

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

describe.each(['mews', 'apaleo'] as const)('a hotel at %s', name => {
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
  const guest = async (who: string) => (await guests()).find(it => it['name'] === who);
  const sign = (room_number: string, last_name: string) =>
    venue.submit({ method: 'room-number', room_number, last_name });
  const reads = () => pms.heard.filter(it => it.path.includes('/reservations')).length;
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

  beforeAll(async () => {
    venue = await startVenue({ INTEGRATIONS_INSIDE: '1' });
    pms = await start();
    const book = (id: string, room: string, people: [string, string, object?][], more = {}) =>
      pms.bookings.set(id, {
        id,
        room,
        people: people.map(([first, last, of]) => ({ first, last, ...of })),
        from: -1,
        to: 3,
        ...more,
      });
    book('AAAA-1', '101', [
      ['Gülşen', 'Şişkin', { birth: '1990-05-06', id: 'U 123-456', vip: 'VeryImportant' }],
      ['María', 'García López'],
    ]);
    book('BBBB-1', '102', [['Ali', 'Kaya']], { rate: 'LONG' });
    book('CCCC-1', '103', [['Can', 'Demir']]);
    book('DDDD-1', '104', [['Out', 'Already']], { isOut: true });
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

  test('is tested before it is saved; the field that is wrong is named, and secrets are never shown', async () => {
    const body = { name: 'Wrong', location_id: venue.location, integration_id: name };
    const tried = (more: object) =>
      venue.api.post('panel/integration', {
        token: venue.admin,
        body: { ...body, params: { connection: { ...connection, ...more } } },
      });
    const wrong = await tried({ [secret]: 'wrong' });
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, [`params.connection.${secret}`]]);
    const [field, value] =
      name === 'mews' ? ['service_id', '11111111-1111-1111-1111-111111111111'] : ['property_id', 'BER'];
    const elsewhere = await tried({ [field]: value });
    expect([elsewhere.status, Object.keys(elsewhere.body.errors)]).toEqual([422, [`params.connection.${field}`]]);
    const untaxed = await tried(name === 'mews' ? { tax_code: '' } : { vat_type: 'None' });
    expect([untaxed.status, Object.keys(untaxed.body.errors)]).toEqual([
      422,
      [`params.connection.${name === 'mews' ? 'tax_code' : 'vat_type'}`],
    ]);
    if ('isPortfolio' in pms) {
      pms.isPortfolio = true;
      const ofChain = await tried({});
      expect([ofChain.status, ofChain.text]).toEqual([422, expect.stringContaining('IsPortfolio')]);
      pms.isPortfolio = false;
    }
    const text = JSON.stringify(await shown());
    for (const hidden of hides) expect(text).not.toContain((connection as Body)[hidden]);
    const [stored] = await venue.rows(sql`select connection from integrations where id = ${integration}`);
    expect(stored!['connection']).not.toContain('token');
  });

  test('reports its guests; the panel shows the link', async () => {
    expect((await guests()).map(it => [it['name'], it['room'], it['here']])).toEqual([
      ['Ali Kaya', '102', true],
      ['Can Demir', '103', true],
      ['Gülşen Şişkin', '101', true],
      ['María García López', '101', true],
    ]);
    await eventually(async () => expect((await shown()).link).toMatchObject({ state: 'up', guests: 4 }));
    const [row] = await venue.rows(sql`select profile_id from visitors where name = 'Ali Kaya'`);
    expect(row!['profile_id']).toBe(rateProfile);
  });

  test('lets each guest of a room sign in with the surname in any alphabet, the birth date or the document', async () => {
    for (const last of ['Sişkin', 'Шишкин', 'garcia', 'Maria Garcia Lopez']) {
      venue.newMac();
      expect((await sign('101', last)).status, last).toBe(303);
    }
    for (const last of ['Kaya', 'Maria', '%', '?']) {
      venue.newMac();
      expect((await sign('101', last)).status, last).toBe(422);
    }
    await venue.offer({ slug: 'room-number', options: { method: 'both' } });
    const typed = (more: object) =>
      venue.submit({
        method: 'room-number',
        room_number: '101',
        birth_date: '1990-05-06',
        id_number: 'u123456',
        ...more,
      });
    venue.newMac();
    expect((await typed({})).status).toBe(303);
    venue.newMac();
    expect((await typed({ birth_date: '1990-05-07' })).status).toBe(422);
    await venue.offer({ slug: 'room-number', options: { method: 'surname' } });
  });

  test('moves a guest, who stays online, and changes the end of running sessions', async () => {
    await goOnline('Ali Kaya', `move-${name}`);
    pms.bookings.get('BBBB-1')!.room = '405';
    await eventually(async () => expect((await guest('Ali Kaya'))!['room']).toBe('405'));
    expect(await commands(`move-${name}`)).toEqual([]);
    expect((await sign('102', 'Kaya')).status).toBe(422);
    venue.newMac();
    expect((await sign('405', 'Kaya')).status).toBe(303);
    pms.bookings.get('BBBB-1')!.to = 6;
    await eventually(async () =>
      expect(await commands(`move-${name}`)).toEqual([{ kind: 'change', reason: 'stay-over' }]),
    );
  });

  test('ends sessions at check-out, and takes a mistaken one back', async () => {
    await goOnline('Can Demir', `out-${name}`);
    pms.bookings.get('CCCC-1')!.isOut = true;
    await eventually(async () => expect((await guest('Can Demir'))!['here']).toBe(false));
    expect(await commands(`out-${name}`)).toEqual([{ kind: 'end', reason: 'stay-over' }]);
    expect((await sign('103', 'Demir')).status).toBe(422);
    pms.bookings.get('CCCC-1')!.isOut = false;
    await eventually(async () => expect((await guest('Can Demir'))!['here']).toBe(true));
  });

  test('is read at once after a report, which is not believed; a stranger causes nothing', async () => {
    cloudPace.readMs = 600_000;
    try {
      await rereadsStop();
      const at = reads();
      const post = (path: string, body = '{"Events":[]}') =>
        venue.captive.ask(path, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
      for (const path of [
        hook.replace(/.$/, last => (last === '0' ? '1' : '0')),
        hook.replace(integration, venue.location),
        '/hotel/hook/x/y/z',
        `${hook.slice(0, -4)}`,
      ])
        expect((await post(path)).status, path).toBe(404);
      await new Promise(resolve => setTimeout(resolve, 600));
      expect(reads()).toBe(at);
      pms.bookings.set('EEEE-1', {
        id: 'EEEE-1',
        room: '505',
        people: [{ first: 'Ece', last: 'Aslan' }],
        from: 0,
        to: 2,
      });
      expect((await post(hook, '{"Events":[{"Discriminator":"ServiceOrderUpdated"')).status).toBe(204);
      await eventually(async () => expect(await guest('Ece Aslan')).toMatchObject({ here: true }));
      pms.bookings.get('EEEE-1')!.room = '506';
      expect((await post(hook)).status, 'a report soon after another').toBe(204);
      await eventually(async () => expect(await guest('Ece Aslan')).toMatchObject({ room: '506' }));
    } finally {
      cloudPace.readMs = 400;
    }
    // Many reports are one.
    const before = reads();
    await venue.run(sql`update hotel_links set asked_at = null where integration_id = ${integration}`);
    const hints = Array.from({ length: 30 }, () => venue.captive.post(hook, {}));
    expect((await Promise.all(hints)).map(it => it.status)).toEqual(Array(30).fill(204));
    await eventually(() => expect(reads()).toBeGreaterThan(before));
  });

  test('is asked at once for a guest who is not known yet', async () => {
    cloudPace.readMs = 600_000;
    try {
      await rereadsStop();
      pms.bookings.set('FFFF-1', {
        id: 'FFFF-1',
        room: '606',
        people: [{ first: 'Nur', last: 'Işık' }],
        from: 0,
        to: 2,
      });
      expect((await sign('606', 'isik')).status).toBe(303);
    } finally {
      cloudPace.readMs = 400;
    }
    await venue.run(sql`update hotel_links set asked_at = null where integration_id = ${integration}`);
    await venue.captive.post(hook, {});
    await eventually(async () => expect((await shown()).link.guests).toBe(6));
    pms.bookings.delete('FFFF-1');
    await eventually(async () => expect((await guest('Nur Işık'))!['here']).toBe(false));
  });

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

  test.each([
    ['is away', 'silence'],
    ['answers garbage', 'garbage'],
    ['fails', { status: 500, body: { Message: 'Unexpected' } }],
    ['refuses the token', { status: 401, body: {} }],
    ['answers with another shape', { status: 200, body: { Reservations: [{ Id: 7 }], reservations: 'all', count: 1 } }],
  ] as const)('that %s changes nothing, is reported, and is read again afterwards', async (_words, instead) => {
    const before = await guests();
    pms.instead = instead;
    await eventually(async () => expect((await shown()).last_error).not.toBeNull());
    expect((await shown()).link.state).toBe('connecting');
    expect(await guests()).toEqual(before);
    pms.instead = undefined;
    await eventually(async () => expect((await shown()).last_error).toBeNull());
    expect(await guests()).toEqual(before);
  });

  test('that wants fewer requests gets none for as long as it says', async () => {
    pms.instead = { status: 429, body: {}, headers: { 'retry-after': '2' } };
    const at = pms.heard.length;
    await eventually(() => expect(pms.heard.length).toBeGreaterThan(at));
    const [from, count] = [Date.now(), pms.heard.length];
    await new Promise(resolve => setTimeout(resolve, 1500));
    expect(pms.heard.length).toBe(count);
    pms.instead = undefined;
    await rereads();
    expect(Date.now() - from).toBeGreaterThanOrEqual(1900);
    expect((await shown()).last_error).toBeNull();
  });

  test('that suddenly has no guests is not believed', async () => {
    const before = await guests();
    const kept = [...pms.bookings];
    pms.bookings.clear();
    await rereads();
    expect(await guests()).toEqual(before);
    for (const [id, it] of kept) pms.bookings.set(id, it);
  });

  test('is read page by page', async () => {
    const usual = pms.perPage;
    pms.perPage = name === 'mews' ? 500 : 200;
    for (let n = 0; n < pms.perPage + 20; n++)
      pms.bookings.set(`P${n}`, {
        id: `P${n}`,
        room: `9${n}`,
        people: [{ first: 'Many', last: `Guest${n}` }],
        from: 0,
        to: 1,
      });
    await eventually(async () => expect((await guests()).filter(it => it['here']).length).toBe(pms.perPage + 25));
    for (const id of [...pms.bookings.keys()]) if (id.startsWith('P')) pms.bookings.delete(id);
    await eventually(async () => expect((await guests()).filter(it => it['here']).length).toBe(5));
    pms.perPage = usual;
  }, 60_000);

  describe('charges to rooms', () => {
    test('come to the bill once, though the answer is lost, the way breaks and the system wants to wait', async () => {
      pms.bill.length = 0;
      pms.loses = 1;
      pms.losesAfter = true;
      await charge('Ali Kaya', 3);
      await eventually(async () => expect((await charges()).map(it => it['state'])).toEqual(['posted']));
      expect(pms.bill).toMatchObject([{ reservation: 'BBBB-1', amount: 1500, currency: 'EUR', text: 'Wi-Fi, 3 days' }]);
      pms.loses = 2;
      pms.losesAfter = false;
      await charge('Ali Kaya', 1);
      await eventually(async () => expect((await charges('posted')).length).toBe(2));
      expect(pms.bill.map(it => it.amount)).toEqual([1500, 500]);
      pms.refusesBooking = { status: 429, headers: { 'retry-after': '1' } };
      await charge('Ali Kaya', 2);
      await eventually(async () =>
        expect(await charges('waiting')).toMatchObject([{ answer: 'too_many_requests', attempts: 1 }]),
      );
      pms.refusesBooking = undefined;
      await eventually(async () => expect((await charges('posted')).length).toBe(3));
      expect(pms.bill.map(it => it.amount)).toEqual([1500, 500, 1000]);
      expect(new Set(pms.bill.map(it => it.reference)).size).toBe(3);
    });

    test('are taken back with the sale', async () => {
      const [sale] = (await venue.api.get('panel/reports/sales', { token: venue.admin })).body.data;
      const reversed = await venue.api.post(`panel/reports/sales/${sale.id}/reverse`, {
        token: venue.admin,
        body: { days: 1, reason: 'Hata' },
      });
      expect(reversed.status, reversed.text).toBe(201);
      await eventually(() => expect(pms.bill.map(it => it.amount)).toEqual([1500, 500, 1000, -500]));
    });

    test('that are refused are not sent again by themselves', async () => {
      pms.refusesBooking = {
        status: name === 'mews' ? 403 : 422,
        body: { Message: 'Bill closed', messages: ['Bill closed'] },
      };
      await charge('Ali Kaya', 1);
      await eventually(async () => expect(await charges('refused')).toMatchObject([{ answer: 'Bill closed' }]));
      pms.refusesBooking = undefined;
      await new Promise(resolve => setTimeout(resolve, 1200));
      expect(pms.bill).toHaveLength(4);
      const [refused] = await charges('refused');
      const settled = await venue.api.post(`panel/integration/${integration}/room-charges/${refused!['id']}/settle`, {
        token: venue.admin,
        body: { outcome: 'again' },
      });
      expect(settled.status).toBe(200);
      await eventually(() => expect(pms.bill).toHaveLength(5));
    });

    test('go to a folio that takes them; a guest without one is refused', async () => {
      if (!('isMainClosed' in pms)) return;
      Object.assign(pms, { isMainClosed: true, hasSecond: true });
      await charge('Ali Kaya', 1);
      await eventually(() => expect(pms.bill).toHaveLength(6));
      pms.hasSecond = false;
      await charge('Ali Kaya', 1);
      await eventually(async () => expect(await charges('refused')).toMatchObject([{ answer: 'no open folio' }]));
      pms.isMainClosed = false;
    });

    test('are taken back on the folio that has them, also if it was moved or the answer is lost', async () => {
      if (!('isMainClosed' in pms)) return;
      const chargeOnSecond = async (days: number) => {
        Object.assign(pms, { isMainClosed: true, hasSecond: true });
        const before = pms.bill.length;
        await charge('Ali Kaya', days);
        await eventually(() => expect(pms.bill).toHaveLength(before + 1));
        await eventually(async () => expect(await charges('sent')).toEqual([]));
        Object.assign(pms, { isMainClosed: false });
        expect(pms.bill.at(-1)).toMatchObject({ folio: 'BBBB-1-2', amount: days * 500 });
      };
      const takeBack = async () => {
        const before = pms.bill.length;
        const [sale] = (await venue.api.get('panel/reports/sales', { token: venue.admin })).body.data;
        const body = { days: 1, reason: 'Hata' };
        const reversed = await venue.api.post(`panel/reports/sales/${sale.id}/reverse`, { token: venue.admin, body });
        expect(reversed.status, reversed.text).toBe(201);
        await eventually(() => expect(pms.bill).toHaveLength(before + 1));
        return pms.bill.at(-1);
      };
      await chargeOnSecond(1);
      expect(await takeBack()).toMatchObject({ folio: 'BBBB-1-2', amount: -500 });
      // Reception moves the charge to the main folio.
      await chargeOnSecond(2);
      pms.bill.at(-1)!.folio = 'BBBB-1-1';
      expect(await takeBack()).toMatchObject({ folio: 'BBBB-1-1', amount: -500 });
      // The folio is learnt from the bill when the answer is lost; the receipt is not readable later.
      pms.loses = 1;
      pms.losesAfter = true;
      await chargeOnSecond(3);
      await eventually(async () => expect(await charges('unknown')).toEqual([]));
      pms.hidesReceipts = true;
      expect(await takeBack()).toMatchObject({ folio: 'BBBB-1-2', amount: -500 });
      pms.hidesReceipts = false;
    });
  });

  test('is read with a new token when the old one ended', async () => {
    if (!('tokens' in pms)) return;
    for (const token of pms.tokens) pms.ended.add(token);
    await rereads();
    expect((await shown()).last_error).toBeNull();
    expect(pms.tokens.size).toBeGreaterThan(1);
  });

  test('whose list changes between two pages is read again, and loses no guest', async () => {
    if (!('afterPage' in pms)) return;
    const before = await guests();
    pms.perPage = 200;
    const filler = Array.from({ length: 200 }, (_, n) => `0${n}`);
    const kept = [...pms.bookings];
    pms.bookings.clear();
    for (const id of filler)
      pms.bookings.set(id, { id, room: `8${id}`, people: [{ first: 'A', last: `B${id}` }], from: 0, to: 1 });
    for (const [id, it] of kept) pms.bookings.set(id, it);
    let times = 0;
    pms.afterPage = page => {
      if (page === 1 && times++ === 0) pms.bookings.delete('00');
    };
    await eventually(async () => expect((await guests()).filter(it => it['here']).length).toBe(204));
    expect(times).toBeGreaterThan(1);
    pms.afterPage = undefined;
    for (const id of filler) pms.bookings.delete(id);
    await eventually(async () => expect((await guests()).filter(it => it['here']).length).toBe(5));
    expect((await guests()).filter(it => it['here'])).toEqual(before.filter(it => it['here']));
  }, 60_000);

  test('that belongs to another place is not read', async () => {
    if (!('property' in pms)) return;
    const before = await guests();
    pms.property = 'BER';
    await eventually(async () => expect((await shown()).last_error).toContain('property'));
    expect(await guests()).toEqual(before);
    pms.property = apaleoProperty;
    await eventually(async () => expect((await shown()).last_error).toBeNull());
  });

  test('is applied again when it was asked for, and counts as read from the start of the read', async () => {
    cloudPace.readMs = 600_000;
    try {
      await rereadsStop();
      await venue.run(sql`
        update visitors set room_number = '1' where name = 'Ece Aslan' and integration_id = ${integration}`);
      await venue.captive.post(hook, {});
      await eventually(async () => expect((await guest('Ece Aslan'))!['room']).toBe('506'));
      // A read that ran before the report may have applied it; then another one follows.
      await eventually(async () => {
        const [link] = await venue.rows(sql`
          select swapped_at < last_record_at as earlier, asked_at < swapped_at as read from hotel_links
          where integration_id = ${integration}`);
        expect(link).toEqual({ earlier: true, read: true });
      });
    } finally {
      cloudPace.readMs = 400;
    }
    await venue.run(sql`update hotel_links set asked_at = null where integration_id = ${integration}`);
    await venue.captive.post(hook, {});
    await rereads();
  });

  test('may enter the document of a guest later', async () => {
    const isKnown = async () =>
      (
        await venue.rows(sql`
          select citizen_id is not null as known from visitors
          where name = 'Ali Kaya' and integration_id = ${integration}`)
      )[0]!['known'];
    expect(await isKnown()).toBe(false);
    pms.bookings.get('BBBB-1')!.people[0]!.id = 'X 777';
    await eventually(async () => expect(await isKnown()).toBe(true));
  });

  test('with texts that cannot be stored keeps no other guest out', async () => {
    const people = [
      { first: 'Nu\0l', last: `${'y'.repeat(115)}😀` },
      { first: 'Long', last: 'z'.repeat(1500) },
      { first: 'Alone', last: null },
    ];
    pms.bookings.set('BAD-1', { id: 'BAD-1', room: '707\0', people, from: 0, to: 2 });
    pms.bookings.set('GOOD-1', { id: 'GOOD-1', room: '708', people: [{ first: 'Good', last: 'Row' }], from: 0, to: 2 });
    await eventually(async () => expect(await guest('Good Row')).toMatchObject({ room: '708', here: true }));
    const names = (await guests()).filter(it => it['room'] === '707').map(it => it['name']);
    expect(names).toEqual(['Alone', `Long ${'z'.repeat(115)}`, `Nul ${'y'.repeat(115)}`]);
    for (const id of ['BAD-1', 'GOOD-1']) pms.bookings.delete(id);
    await eventually(async () => expect((await guest('Good Row'))!['here']).toBe(false));
  });

  test('that does not answer holds no other link up when its settings change', async () => {
    const at = pms.heard.length;
    pms.instead = 'hang';
    await eventually(() => expect(pms.heard.length).toBeGreaterThan(at));
    pms.givenUp = 0;
    await venue.run(sql`update integrations set updated_at = now() where id = ${integration}`);
    const from = Date.now();
    await hold();
    // A request that is waited for takes 20 seconds.
    expect(Date.now() - from).toBeLessThan(15_000);
    await eventually(() => expect(pms.givenUp).toBeGreaterThan(0));
    await venue.run(sql`update integrations set updated_at = now() where id = ${integration}`);
    pms.instead = undefined;
    await rereads();
    expect((await shown()).last_error).toBeNull();
  });

  test('subscribes to reports once where the address is public', () => {
    if ('subscriptions' in pms) expect(pms.subscriptions).toEqual([]);
  });
});
