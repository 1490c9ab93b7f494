import sql from 'sql-template-tag';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Body } from '#test/harness.ts';
import { cloudPace } from '../../../integrations/cloud/pace.ts';
import { cloudHotel, cloudSystems, eventually } from './testing/cloud-hotel.ts';

describe.each(cloudSystems)('a hotel at %s', name => {
  const hotel = cloudHotel(name);
  const {
    connection,
    secret,
    hides,
    shown,
    guests,
    present,
    guest,
    sign,
    reads,
    rereads,
    rereadsStop,
    goOnline,
    commands,
  } = hotel;

  test('is tested before it is saved; the field that is wrong is named, and secrets are never shown', async () => {
    const body = { name: 'Wrong', location_id: hotel.venue.location, integration_id: name };
    const tried = (more: object) =>
      hotel.venue.api.post('panel/integration', {
        token: hotel.venue.admin,
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
    if ('isPortfolio' in hotel.pms) {
      hotel.pms.isPortfolio = true;
      const ofChain = await tried({});
      expect([ofChain.status, ofChain.text]).toEqual([422, expect.stringContaining('IsPortfolio')]);
      hotel.pms.isPortfolio = false;
    }
    const text = JSON.stringify(await shown());
    for (const hidden of hides) expect(text).not.toContain((connection as Body)[hidden]);
    const [stored] = await hotel.venue.rows(sql`select connection from integrations where id = ${hotel.integration}`);
    expect(stored!['connection']).not.toContain('token');
  });

  test('reports its guests; the panel shows the link', async () => {
    expect((await present()).map(it => [it['name'], it['room']])).toEqual([
      ['Ali Kaya', '102'],
      ['Can Demir', '103'],
      ['Gülşen Şişkin', '101'],
      ['María García López', '101'],
    ]);
    await eventually(async () => expect((await shown()).link).toMatchObject({ state: 'up', guests: 4 }));
    const [row] = await hotel.venue.rows(sql`select profile_id from visitors where name = 'Ali Kaya'`);
    expect(row!['profile_id']).toBe(hotel.rateProfile);
  });

  test('lets each guest of a room sign in with the surname in any alphabet, the birth date or the document', async () => {
    for (const last of ['Sişkin', 'Шишкин', 'garcia', 'Maria Garcia Lopez']) {
      hotel.venue.newMac();
      expect((await sign('101', last)).status, last).toBe(303);
    }
    for (const last of ['Kaya', 'Maria', '%', '?']) {
      hotel.venue.newMac();
      expect((await sign('101', last)).status, last).toBe(422);
    }
    await hotel.venue.offer({ slug: 'room-number', options: { method: 'both' } });
    const typed = (more: object) =>
      hotel.venue.submit({
        method: 'room-number',
        room_number: '101',
        birth_date: '1990-05-06',
        id_number: 'u123456',
        ...more,
      });
    hotel.venue.newMac();
    expect((await typed({})).status).toBe(303);
    hotel.venue.newMac();
    expect((await typed({ birth_date: '1990-05-07' })).status).toBe(422);
    await hotel.venue.offer({ slug: 'room-number', options: { method: 'surname' } });
  });

  test('moves a guest, who stays online, and changes the end of running sessions', async () => {
    await goOnline('Ali Kaya', `move-${name}`);
    hotel.pms.bookings.get('BBBB-1')!.room = '405';
    await eventually(async () => expect((await guest('Ali Kaya'))!['room']).toBe('405'));
    expect(await commands(`move-${name}`)).toEqual([]);
    expect((await sign('102', 'Kaya')).status).toBe(422);
    hotel.venue.newMac();
    expect((await sign('405', 'Kaya')).status).toBe(303);
    hotel.pms.bookings.get('BBBB-1')!.to = 6;
    await eventually(async () =>
      expect(await commands(`move-${name}`)).toEqual([{ kind: 'change', reason: 'stay-over' }]),
    );
  });

  test('ends sessions at check-out, and takes a mistaken one back', async () => {
    await goOnline('Can Demir', `out-${name}`);
    hotel.pms.bookings.get('CCCC-1')!.isOut = true;
    await eventually(async () => expect((await guest('Can Demir'))!['here']).toBe(false));
    expect(await commands(`out-${name}`)).toEqual([{ kind: 'end', reason: 'stay-over' }]);
    expect((await sign('103', 'Demir')).status).toBe(422);
    hotel.pms.bookings.get('CCCC-1')!.isOut = false;
    await eventually(async () => expect((await guest('Can Demir'))!['here']).toBe(true));
  });

  test('is read at once after a report, which is not believed; a stranger causes nothing', async () => {
    cloudPace.readMs = 600_000;
    try {
      await rereadsStop();
      const post = (path: string, body = '{"Events":[]}') =>
        hotel.venue.captive.ask(path, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
      for (const path of [
        hotel.hook.replace(/.$/, last => (last === '0' ? '1' : '0')),
        hotel.hook.replace(hotel.integration, hotel.venue.location),
        '/hotel/hook/x/y/z',
        `${hotel.hook.slice(0, -4)}`,
      ])
        expect((await post(path)).status, path).toBe(404);
      // A link is read at once only if it was asked for.
      const asked = sql`select 1 from hotel_links where asked_at is not null`;
      expect(await hotel.venue.rows(asked)).toEqual([]);
      hotel.pms.bookings.set('EEEE-1', {
        id: 'EEEE-1',
        room: '505',
        people: [{ first: 'Ece', last: 'Aslan' }],
        from: 0,
        to: 2,
      });
      expect((await post(hotel.hook, '{"Events":[{"Discriminator":"ServiceOrderUpdated"')).status).toBe(204);
      await eventually(async () => expect(await guest('Ece Aslan')).toMatchObject({ here: true }));
      hotel.pms.bookings.get('EEEE-1')!.room = '506';
      expect((await post(hotel.hook)).status, 'a report soon after another').toBe(204);
      await eventually(async () => expect(await guest('Ece Aslan')).toMatchObject({ room: '506' }));
    } finally {
      cloudPace.readMs = 400;
    }
    // Many reports are one.
    const before = reads();
    await hotel.venue.run(sql`update hotel_links set asked_at = null where integration_id = ${hotel.integration}`);
    const hints = Array.from({ length: 30 }, () => hotel.venue.captive.post(hotel.hook, {}));
    expect((await Promise.all(hints)).map(it => it.status)).toEqual(Array(30).fill(204));
    await eventually(() => expect(reads()).toBeGreaterThan(before));
  });

  test('is asked at once for a guest who is not known yet', async () => {
    cloudPace.readMs = 600_000;
    try {
      await rereadsStop();
      hotel.pms.bookings.set('FFFF-1', {
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
    await hotel.venue.run(sql`update hotel_links set asked_at = null where integration_id = ${hotel.integration}`);
    await hotel.venue.captive.post(hotel.hook, {});
    await eventually(async () => expect((await shown()).link.guests).toBe(5));
    hotel.pms.bookings.delete('FFFF-1');
    await eventually(async () => expect((await guest('Nur Işık'))!['here']).toBe(false));
  });

  test('is read page by page', async () => {
    const usual = hotel.pms.perPage;
    hotel.pms.perPage = name === 'mews' ? 500 : 200;
    for (let n = 0; n < hotel.pms.perPage + 20; n++)
      hotel.pms.bookings.set(`P${n}`, {
        id: `P${n}`,
        room: `9${n}`,
        people: [{ first: 'Many', last: `Guest${n}` }],
        from: 0,
        to: 1,
      });
    await eventually(async () => expect((await present()).length).toBe(hotel.pms.perPage + 24));
    for (const id of [...hotel.pms.bookings.keys()]) if (id.startsWith('P')) hotel.pms.bookings.delete(id);
    await eventually(async () => expect((await present()).length).toBe(4));
    hotel.pms.perPage = usual;
  }, 60_000);

  test('is applied again when it was asked for, and counts as read from the start of the read', async () => {
    cloudPace.readMs = 600_000;
    try {
      await rereadsStop();
      await hotel.venue.run(sql`
        update visitors set room_number = '1' where name = 'Ali Kaya' and integration_id = ${hotel.integration}`);
      await hotel.venue.captive.post(hotel.hook, {});
      await eventually(async () => expect((await guest('Ali Kaya'))!['room']).toBe('102'));
      // A read that ran before the report may have applied it; then another one follows.
      await eventually(async () => {
        const [link] = await hotel.venue.rows(sql`
          select swapped_at < last_record_at as earlier, asked_at < swapped_at as read from hotel_links
          where integration_id = ${hotel.integration}`);
        expect(link).toEqual({ earlier: true, read: true });
      });
    } finally {
      cloudPace.readMs = 400;
    }
    await hotel.venue.run(sql`update hotel_links set asked_at = null where integration_id = ${hotel.integration}`);
    await hotel.venue.captive.post(hotel.hook, {});
    await rereads();
  });

  test('may enter the document of a guest later', async () => {
    const isKnown = async () =>
      (
        await hotel.venue.rows(sql`
          select citizen_id is not null as known from visitors
          where name = 'Ali Kaya' and integration_id = ${hotel.integration}`)
      )[0]!['known'];
    expect(await isKnown()).toBe(false);
    hotel.pms.bookings.get('BBBB-1')!.people[0]!.id = 'X 777';
    await eventually(async () => expect(await isKnown()).toBe(true));
  });

  test('with texts that cannot be stored keeps no other guest out', async () => {
    const people = [
      { first: 'Nu\0l', last: `${'y'.repeat(115)}😀` },
      { first: 'Long', last: 'z'.repeat(1500) },
      { first: 'Alone', last: null },
    ];
    hotel.pms.bookings.set('BAD-1', { id: 'BAD-1', room: '707\0', people, from: 0, to: 2 });
    hotel.pms.bookings.set('GOOD-1', {
      id: 'GOOD-1',
      room: '708',
      people: [{ first: 'Good', last: 'Row' }],
      from: 0,
      to: 2,
    });
    await eventually(async () => expect(await guest('Good Row')).toMatchObject({ room: '708', here: true }));
    const names = (await guests()).filter(it => it['room'] === '707').map(it => it['name']);
    expect(names).toEqual(['Alone', `Long ${'z'.repeat(115)}`, `Nul ${'y'.repeat(115)}`]);
    for (const id of ['BAD-1', 'GOOD-1']) hotel.pms.bookings.delete(id);
    await eventually(async () => expect((await guest('Good Row'))!['here']).toBe(false));
  });

  test('subscribes to reports once where the address is public', async () => {
    if (!('subscriptions' in hotel.pms)) return;
    const { subscriptions } = hotel.pms;
    expect(subscriptions).toEqual([]);
    const { settings } = hotel.venue.api.app;
    const { CAPTIVE_URL } = settings;
    onTestFinished(() => void Object.assign(settings, { CAPTIVE_URL }));
    Object.assign(settings, { CAPTIVE_URL: 'https://guests.example' });
    const startAgain = () =>
      hotel.venue.run(sql`update integrations set updated_at = now() where id = ${hotel.integration}`);
    await startAgain();
    await eventually(() => expect(subscriptions).toHaveLength(1));
    expect(subscriptions[0]!.endpointUrl).toBe(`https://guests.example${hotel.hook}`);
    const asked = () => hotel.pms.heard.filter(it => it.path === '/v1/subscriptions').length;
    const before = asked();
    await startAgain();
    await eventually(() => expect(asked()).toBeGreaterThan(before));
    await rereads();
    expect(subscriptions).toHaveLength(1);
  });
});
