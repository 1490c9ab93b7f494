import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { stopHotelLinks } from '#features/integrations/public.ts';
import { afterFile } from '#test/after-file.ts';
import { hotelLinkJobs } from '../../../integrations/hotel/links.jobs.ts';
import { type FiasPms, startFiasPms } from '../../../integrations/testing/fias-pms.ts';
import { newGuestEachTest, startVenue, type Venue } from '../../testing/venue.ts';

let venue: Venue;
let pms: FiasPms;
let integration: string;
let vipProfile: string;
/** The process that holds the link. It has the app of the venue, but links of its own. */
let holder: Venue['api']['app'];

const hold = () => hotelLinkJobs[0]!.run(holder);
/** FIAS writes days as YYMMDD. */
const day = (offset: number) =>
  new Date(Date.now() + offset * 86_400_000).toISOString().slice(2, 10).replaceAll('-', '');
const eventually = (check: () => Promise<void> | void) => vi.waitFor(check, { timeout: 120_000, interval: 50 });
const link = async () =>
  (await venue.api.get(`panel/integration/${integration}`, { token: venue.admin })).body.data.link;
const guests = () =>
  venue.rows(sql`
    select name, room_number as room, session_end_at > now() as here from visitors
    where integration_id = ${integration} order by name`);
const guest = async (name: string) => (await guests()).find(it => it.name === name);
const sign = (room_number: string, last_name: string) =>
  venue.submit({ method: 'room-number', room_number, last_name });
const params = (more: object = {}) => ({
  connection: { type: 'fias', host: '127.0.0.1', port: pms.port, birth_date_field: 'A0', ...more },
});

beforeAll(async () => {
  venue = await startVenue({ INTEGRATIONS_INSIDE: '1' });
  pms = await startFiasPms();
  vipProfile = (await venue.create('panel/location/user-profile', { location_id: venue.location, name: 'VIP' })).id;
  const profiles = [{ by: 'vip', code: 'v1', profile_id: vipProfile }];
  const body = { name: 'Opera', location_id: venue.location, integration_id: 'fias', params: params({ profiles }) };
  integration = (await venue.create('panel/integration', body)).id;
  holder = { ...venue.api.app };
  const keep = setInterval(() => void hold().catch(() => undefined), 1000);
  afterFile(async () => {
    clearInterval(keep);
    await stopHotelLinks(holder);
    await pms.stop();
  });
}, 120_000);
newGuestEachTest(() => venue);
/** Two guests share a room, and a process has just begun to hold the link. */
beforeEach(async () => {
  await stopHotelLinks(holder);
  await venue.run(sql`delete from visitors`);
  const stay = { RN: '101', GA: day(-1), GD: day(2), GS: 'Y' };
  pms.guests.clear();
  pms.guests.set('1', { 'G#': '1', ...stay, GN: 'Şişkin', GF: 'Gülşen', A0: '19900506' });
  pms.guests.set('2', { 'G#': '2', ...stay, GN: 'García López', GF: 'María' });
  await venue.offer({ slug: 'room-number', options: { method: 'surname' } });
  holder = { ...venue.api.app };
  await hold();
  await eventually(async () => expect(await guests()).toHaveLength(2));
});

/** The guest of the visitor is online in the session `s1`. */
async function goOnline(name: string, session: string): Promise<void> {
  await venue.routerStarts('x', { uploadBytes: 0, downloadBytes: 0 }, { sessionId: session });
  await venue.api.app.db.withSystem(tx =>
    tx.run(sql`
      update online_sessions set visitor_id = (select id from visitors where name = ${name} and integration_id = ${integration})
      where acct_session_id = ${session}`),
  );
}
const commands = (session: string) =>
  venue.rows(sql`
    select k.kind, k.reason from session_commands k join online_sessions s on s.id = k.session_id
    where s.acct_session_id = ${session} order by k.requested_at`);

describe('a hotel system over FIAS', () => {
  test('reports its guests when the link starts; the panel shows the link', async () => {
    expect(await guests()).toEqual([
      { name: 'Gülşen Şişkin', room: '101', here: true },
      { name: 'María García López', room: '101', here: true },
    ]);
    await eventually(async () => expect(await link()).toMatchObject({ state: 'up', guests: 2 }));
    const [stay] = await venue.rows(sql`select surname from hotel_stays limit 1`);
    expect(stay!['surname']).not.toMatch(/i[sş]kin|garc/i);
  });

  test('lets each guest of a room sign in with the surname, in any alphabet', async () => {
    for (const name of ['Sişkin', 'SISKIN', 'Шишкин', 'Shishkin', 'garcia', 'García López', 'Maria Garcia Lopez']) {
      venue.newMac();
      expect((await sign('101', name)).status, name).toBe(303);
    }
    for (const name of ['Maria', 'Gülşen', 'de', '?', 'S', '%']) {
      venue.newMac();
      expect((await sign('101', name)).status, name).toBe(422);
    }
    venue.newMac();
    expect((await sign('102', 'Garcia')).status).toBe(422);
  });

  test('knows the birth date from the field that the hotel uses for it', async () => {
    await venue.offer({ slug: 'room-number', options: { method: 'idNumber' } });
    const typed = (birth_date: string) => venue.submit({ method: 'room-number', room_number: '101', birth_date });
    expect((await typed('1990-05-06')).status).toBe(303);
    venue.newMac();
    expect((await typed('1990-05-07')).status).toBe(422);
  });

  test('moves a guest to another room, who stays online', async () => {
    pms.checkIn('3', { RN: '301', GN: 'Kaya', GF: 'Ali', GA: day(0), GD: day(3) });
    await eventually(async () =>
      expect(await guest('Ali Kaya')).toEqual({ name: 'Ali Kaya', room: '301', here: true }),
    );
    await goOnline('Ali Kaya', 'move');
    pms.change('3', { RN: '405' });
    await eventually(async () => expect((await guest('Ali Kaya'))!['room']).toBe('405'));
    expect(await commands('move')).toEqual([]);
    expect((await sign('301', 'Kaya')).status).toBe(422);
    venue.newMac();
    expect((await sign('405', 'Kaya')).status).toBe(303);
  });

  test('changes running sessions with a later or earlier departure and with a VIP code', async () => {
    pms.checkIn('4', { RN: '401', GN: 'Demir', GF: 'Can', GA: day(0), GD: day(1) });
    await eventually(async () => expect(await guest('Can Demir')).toBeDefined());
    await goOnline('Can Demir', 'change');
    const left = async () =>
      Number(
        (
          await venue.rows(
            sql`select extract(day from session_end_at - now()) as n from visitors where name = 'Can Demir'`,
          )
        )[0]!['n'],
      );
    pms.change('4', { GD: day(5) });
    await eventually(async () => expect(await left()).toBeGreaterThanOrEqual(4));
    expect(await commands('change')).toEqual([{ kind: 'change', reason: 'stay-over' }]);
    pms.change('4', { GD: day(2) });
    await eventually(async () => expect(await commands('change')).toHaveLength(2));
    pms.change('4', { GV: 'V1' });
    await eventually(async () => expect(await commands('change')).toHaveLength(3));
    expect((await venue.rows(sql`select profile_id from visitors where name = 'Can Demir'`))[0]!['profile_id']).toBe(
      vipProfile,
    );
  });

  test('ends the session at check-out; a mistaken one can be taken back', async () => {
    pms.checkIn('5', { RN: '501', GN: 'Aslan', GF: 'Ece', GA: day(0), GD: day(4) });
    await eventually(async () => expect(await guest('Ece Aslan')).toBeDefined());
    await goOnline('Ece Aslan', 'out');
    pms.checkOut('5');
    await eventually(async () => expect((await guest('Ece Aslan'))!['here']).toBe(false));
    expect(await commands('out')).toEqual([{ kind: 'end', reason: 'stay-over' }]);
    expect((await sign('501', 'Aslan')).html).toContain('Your access has ended');
    pms.checkIn('5', { RN: '501', GN: 'Aslan', GF: 'Ece', GA: day(0), GD: day(4) });
    await eventually(async () => expect((await guest('Ece Aslan'))!['here']).toBe(true));
  });

  test('connects again after a broken line and learns what it missed', async () => {
    pms.checkIn('3', { RN: '301', GN: 'Kaya', GF: 'Ali', GA: day(0), GD: day(3) });
    await eventually(async () => expect((await guest('Ali Kaya'))?.['here']).toBe(true));
    const before = pms.connections;
    pms.guests.delete('3');
    pms.guests.set('6', { 'G#': '6', RN: '601', GN: 'Şahin', GF: 'Ada', GA: day(0), GD: day(1) });
    pms.breakLine();
    await eventually(async () => expect((await guest('Ada Şahin'))?.['here']).toBe(true));
    expect((await guest('Ali Kaya'))!['here']).toBe(false);
    expect(pms.connections).toBe(before + 1);
  });

  test('does not believe half a swap, half a record, or a record that is too long', async () => {
    const before = pms.connections;
    const swaps = pms.swaps;
    pms.raw('\x02DS|\x03\x02GI|RN1|G#77|GNHalf');
    pms.breakLine();
    // A guest who arrives before the swap and is not in it has left.
    await eventually(() => expect([pms.connections, pms.swaps]).toEqual([before + 1, swaps + 1]));
    pms.raw(`\x02GI|RN701|G#70|GN${'x'.repeat(20_000)}|\x03`);
    pms.raw('\x02GI|RN702|G#71|GNHalf\x02GI|RN703|G#72|GNWhole|GFIda|\x03');
    await eventually(async () => expect(await guest('Ida Whole')).toMatchObject({ here: true }));
    expect((await guests()).filter(it => it['name'].includes('Half') || it['name'].includes('xxx'))).toEqual([]);
    expect((await guest('Gülşen Şişkin'))!['here']).toBe(true);
  });

  test('takes hostile and wrongly encoded values for text', async () => {
    const windows = Buffer.concat([
      Buffer.from('\x02GI|RN801|G#80|GN'),
      Buffer.from([0xdd, 0x70, 0x65, 0x6b]),
      Buffer.from('|GFNur|\x03'),
    ]);
    pms.raw(windows);
    await eventually(async () => expect(await guest('Nur İpek')).toBeDefined());
    pms.raw(
      `\x02GI|RN802|G#81|GNA\u0000\u001b[31m'; drop table visitors;--|GF${'ü'.repeat(500)}|GA999999|GD991399|\x03`,
    );
    await eventually(async () => expect((await guests()).some(it => it['room'] === '802')).toBe(true));
    const strange = (await guests()).find(it => it['room'] === '802')!;
    expect(strange['name'].length).toBeLessThanOrEqual(120);
    expect(strange['name']).not.toMatch(/\p{C}/u);
  });

  test('that lies changes nothing else: unknown check-out, no room, a departure before the arrival', async () => {
    const before = await guests();
    pms.send('GO', { RN: '101', 'G#': '99999' });
    pms.send('GI', { 'G#': '90', GN: 'Nowhere' });
    pms.send('GI', { 'G#': '91', RN: '901', GN: 'Past', GA: day(0), GD: day(-3) });
    pms.send('XX', { 'G#': '1' });
    pms.checkIn('92', { RN: '902', GN: 'Last', GF: 'One', GA: day(0), GD: day(1) });
    await eventually(async () => expect(await guest('One Last')).toBeDefined());
    expect((await guests()).filter(it => it['name'] !== 'One Last')).toEqual(before);
  });

  test('is held by one process only, and by the next one when that ends', async () => {
    const before = pms.connections;
    const owner = async () =>
      (await venue.rows(sql`select owner from hotel_links where integration_id = ${integration}`))[0]!['owner'];
    const first = await owner();
    const other = { ...venue.api.app };
    onTestFinished(() => stopHotelLinks(other));
    await hotelLinkJobs[0]!.run(other);
    expect(await owner()).toBe(first);
    await stopHotelLinks(holder);
    await hotelLinkJobs[0]!.run(other);
    expect(await owner()).not.toBe(first);
    await eventually(async () => expect(await link()).toMatchObject({ state: 'up' }));
    expect(pms.connections).toBe(before + 1);
    await stopHotelLinks(other);
    expect(await link()).toMatchObject({ state: 'down' });
  });
});
