import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { holdBlocks } from '#features/throttle/testing/hold-blocks.ts';
import { newGuestEachTest, startVenue, stateOf, type Venue } from '../../testing/venue.ts';

let venue: Venue;
beforeAll(async () => {
  venue = await startVenue();
}, 120_000);
newGuestEachTest(() => venue);

const checkIn = (room_number: string, more: object = {}) =>
  venue.create('panel/client', {
    name: 'Ada Deniz',
    provider_type: 'room-number',
    room_number,
    idNumber: 'U 123-456 Ab',
    birth_day: 1,
    birth_month: 2,
    birth_year: 1980,
    location_id: venue.location,
    session_end_at: '2099-08-15T09:00:00Z',
    ...more,
  });
const sign = (fields: Record<string, string>) => venue.submit({ method: 'room-number', ...fields });
const offer = (method: string) => venue.offer({ slug: 'room-number', options: { method } });
const right = { id_number: 'u123456AB', birth_date: '1980-02-01', departure_date: '2099-08-15' };

describe('a hotel guest', () => {
  test('has to enter the room and everything else that the portal asks for', async () => {
    await checkIn('101b');
    for (const [method, names] of [
      ['both', ['id_number', 'birth_date']],
      ['idNumber', ['birth_date']],
      ['onylIdNumber', ['id_number']],
      ['departureDate', ['departure_date']],
    ] as const) {
      await offer(method);
      const { html } = await venue.captive.get(venue.arrival());
      for (const name of ['id_number', 'birth_date', 'departure_date'] as const)
        expect(html.includes(`name="${name}"`), `${method} ${name}`).toBe((names as readonly string[]).includes(name));
      const fields = { room_number: ' 101B ', ...Object.fromEntries(names.map(name => [name, right[name]])) };
      const signed = await sign(fields);
      expect(signed.status, method).toBe(303);
      for (const name of names) {
        venue.newMac();
        const { [name]: value, ...rest } = fields as Record<string, string>;
        expect((await sign(rest)).html, method).toContain('Something is missing');
        const wrong = await sign({ ...fields, [name]: name === 'id_number' ? `${value}1` : '2001-01-01' });
        expect([wrong.status, wrong.html.includes('These details do not match')], method).toEqual([422, true]);
      }
      venue.newMac();
      expect((await sign({ ...fields, room_number: '102' })).html).toContain('These details do not match');
    }
  });

  test('without a document number, birth date or departure on record is refused with any', async () => {
    // The hotel's system does not know them of every guest.
    const rooms = { onylIdNumber: '701', idNumber: '702', departureDate: '703' };
    for (const room_number of Object.values(rooms)) await checkIn(room_number);
    await venue.run(sql`update visitors set citizen_id = null where room_number = '701'`);
    await venue.run(sql`update visitors set birth_date = null where room_number = '702'`);
    await venue.run(sql`update visitors set session_end_at = null where room_number = '703'`);
    for (const [method, room_number] of Object.entries(rooms)) {
      await offer(method);
      venue.newMac();
      const answer = await sign({ room_number, ...right });
      expect([answer.status, answer.html.includes('These details do not match')], method).toEqual([422, true]);
    }
  });

  test('is the current guest of the room; a former one sees that the stay has ended', async () => {
    await offer('idNumber');
    await checkIn('201', { session_end_at: '2020-01-01T00:00:00Z' });
    const old = await sign({ room_number: '201', birth_date: '01.02.1980' });
    expect([old.status, old.html.includes('Your access has ended')]).toEqual([422, true]);
    await checkIn('201');
    expect((await sign({ room_number: '201', birth_date: '01.02.1980' })).status).toBe(303);
  });

  test('has its failed sign-ins recorded', async () => {
    await offer('both');
    await sign({ room_number: '301', ...right });
    expect(await venue.failures()).toMatchObject([
      {
        provider_slug: 'room-number',
        reason: 'wrong_details',
        params: { room_number: '301', ...right },
      },
    ]);
    expect((await sign({ room_number: '301', ...right, birth_date: 'soon' })).html).toContain('This is not a date');
    expect(await venue.failures()).toHaveLength(1);
  });

  test('cannot be guessed from many devices', async () => {
    await offer('idNumber');
    await checkIn('401');
    let last = 0;
    for (let i = 0; i < 22; i++) {
      venue.newMac();
      if (i === 21) await holdBlocks(venue.api.app);
      last = (await sign({ room_number: '401', birth_date: `1981-01-${String(i + 1).padStart(2, '0')}` })).status;
    }
    expect(last).toBe(429);
    venue.newMac();
    await checkIn('402');
    expect((await sign({ room_number: '402', birth_date: right.birth_date })).status).toBe(303);
  });

  test('is found at its own location only; a guest with a user name has no room', async () => {
    await offer('idNumber');
    const elsewhere = (await venue.create('panel/location', { name: 'Elsewhere' })).id;
    await checkIn('501', { location_id: elsewhere });
    expect((await sign({ room_number: '501', birth_date: right.birth_date })).status).toBe(422);
    const state = stateOf((await venue.captive.get(venue.arrival())).html);
    const asUsername = { state, method: 'username', username: 'x', password: 'y' };
    expect((await venue.captive.form(venue.signInAt, asUsername)).status).toBe(400);
  });
});

describe('contact data that the portal collects', () => {
  test('is required, validated and stored; the security code is checked first', async () => {
    const options = {
      method: 'idNumber',
      collect_email: true,
      email_required: true,
      collect_phone: true,
      require_security_code: true,
      security_code: 'kahve',
    };
    await venue.offer({ slug: 'room-number', options });
    const { id } = await checkIn('601');
    const { html } = await venue.captive.get(venue.arrival());
    for (const name of ['email', 'phone', 'security_code']) expect(html).toContain(`name="${name}"`);
    const fields = { room_number: '601', birth_date: right.birth_date, security_code: ' KAHVE' };
    expect((await sign({ ...fields, email: 'a@b.co', security_code: 'x' })).html).toContain('Wrong security code');
    expect((await sign(fields)).html).toContain('Something is missing');
    expect((await sign({ ...fields, email: 'nobody' })).html).toContain('This is not an e-mail address');
    const badPhone = await sign({ ...fields, email: 'a@b.co', phone: '12' });
    expect(badPhone.html).toContain('This is not a mobile number');
    expect(badPhone.html).toContain('value="a@b.co"');
    expect(badPhone.html).not.toContain('KAHVE');
    expect((await sign({ ...fields, email: 'A@B.co', phone: '0532 123 45 67' })).status).toBe(303);
    const read = async () => (await venue.api.get(`panel/client/${id}`, { token: venue.admin })).body.data;
    expect(await read()).toMatchObject({ email: 'a@b.co', phone: '+905321234567' });
    expect((await sign({ ...fields, email: 'other@b.co' })).status).toBe(303);
    expect(await read()).toMatchObject({ email: 'a@b.co' });
  });
});
