import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startVenue, type Venue } from '#features/guests/testing/venue.ts';
import { recordPast } from '#features/sessions/public.ts';
import type { Body } from '#test/harness.ts';

let venue: Venue;
let id: string;
let username: string;
let profile: string;
beforeAll(async () => {
  venue = await startVenue();
  const paid = await venue.create('panel/location/user-profile', {
    location_id: venue.location,
    name: 'Paid',
    paid_sale: { is_active: true, option: 'eur', value: 5 },
  });
  profile = paid.id;
  await venue.update(`panel/portal/${venue.portal.id}`, { agreements: { kvkk: { en: '<p>Privacy</p>' } } });
}, 120_000);

const listed = async (search: string): Promise<Body> =>
  (await venue.api.get(`panel/client?search=${search}`, { token: venue.admin })).body.data.find(
    (it: Body) => it.username === search,
  );
/** A visitor who paid for two days is online, after one failed sign-in. */
beforeEach(async () => {
  await venue.run(sql`delete from failed_logins`);
  venue.newMac();
  username = await venue.visitor({ profile_id: profile, total_paid_day: 2 });
  id = (await listed(username)).id;
  await venue.submit({ username, password: 'not the one' });
  const answer = await venue.submit({ username, password: 'parola 1' });
  const ticket = new URL(answer.headers.get('location')!).searchParams.get('username')!;
  await venue.routerAccepts(ticket);
  await venue.routerStarts(ticket, { uploadBytes: 1000, downloadBytes: 2000 }, { sessionId: username });
});

const get = (what: string, token = venue.admin, of = id) => venue.api.get(`panel/client/${of}/${what}`, { token });
const whats = ['sessions', 'devices', 'sales', 'consents', 'failed-logins'] as const;

test('the list shows who is online, and when visitors were last seen', async () => {
  const { day } = await venue.api.inTenant(tx =>
    tx.one<{ day: string }>(sql`select local_day(time_zone)::text as day from locations where id = ${venue.location}`),
  );
  expect(await listed(username)).toMatchObject({ devices_online: 1, last_seen_on: day });
  expect(await listed(await venue.visitor({}))).toMatchObject({ devices_online: 0, last_seen_on: null });
});

describe('the page of a visitor', () => {
  test('shows sessions, devices, sales, consents and failed sign-ins', async () => {
    const first = async (what: string): Promise<Body> => {
      const { status, body, text } = await get(what);
      expect(status, text).toBe(200);
      expect(body.meta).toMatchObject({ total: 1, per_page: 15 });
      return body.data[0];
    };
    expect(await first('sessions')).toMatchObject({
      client_mac: venue.mac,
      client_ip: '10.5.50.9',
      ended_at: null,
      download: 2000,
      kick: null,
      device: { name: 'Router' },
    });
    expect(await first('devices')).toMatchObject({ client_mac: venue.mac, sessions: 1, device: { name: 'Router' } });
    expect(await first('sales')).toMatchObject({
      days: 2,
      unit_price: 5,
      total: 10,
      currency: 'eur',
      profile: { name: 'Paid' },
    });
    expect(await first('consents')).toMatchObject({ kinds: ['kvkk'], language: 'en', client_mac: venue.mac });
    expect(await first('failed-logins')).toMatchObject({
      reason: 'wrong_credentials',
      params: { username, password: '••••••••' },
      client_mac: venue.mac,
    });
  });

  test('shows failed sign-ins with the username on any device, and others from known devices', async () => {
    const known = venue.mac;
    venue.newMac();
    await venue.submit({ username, password: 'stolen?' });
    await venue.submit({ username: 'somebody else', password: 'x' });
    expect((await get('failed-logins')).body.meta.total, 'a stranger’s other attempts are not its').toBe(2);
    const stranger = venue.mac;
    await venue.run(sql`update failed_logins set client_mac = ${known}::macaddr where visitor_id is null`);
    expect((await get('failed-logins')).body.meta.total).toBe(3);
    expect((await get('failed-logins')).body.data.some((row: Body) => row.client_mac === stranger)).toBe(true);
    expect((await get('failed-logins?page=2&per_page=2')).body.data).toHaveLength(1);
  });

  test('is empty after an erasure', async () => {
    await venue.run(sql`update failed_logins set params = null, typed_hash = null`);
    const rows: Body[] = (await get('failed-logins')).body.data;
    expect(rows.map(row => row.params)).toEqual([{}]);
  });

  test('needs the permission to see visitors of the location', async () => {
    const other = (await venue.create('panel/location', { name: 'Elsewhere' })).id;
    const neighbour = (await venue.api.user('member', { location: other })).token;
    const clerk = (await venue.api.user('member', { location: venue.location, permissions: ['view-basic-stats'] }))
      .token;
    const limited = (
      await venue.api.user('member', {
        location: venue.location,
        deviceIds: ['00000000-0000-4000-8000-000000000000'],
      })
    ).token;
    for (const what of whats) {
      expect((await get(what, neighbour)).status, what).toBe(404);
      expect((await get(what, clerk)).status, what).toBe(403);
      expect((await get(what, venue.admin, '00000000-0000-4000-8000-000000000000')).status, what).toBe(404);
    }
    for (const what of whats) expect((await get(what, limited)).status, what).toBe(404);
  });

  test('shows a member who is limited to other devices nothing of what happened at this one', async () => {
    const past = {
      sessionId: 'past',
      startedAt: new Date(Date.now() - 7_200_000),
      seconds: 60,
      upload: 1,
      download: 2,
    };
    await recordPast(venue.api.app, await venue.api.tenantId('panel'), [
      { ...past, deviceId: venue.device.id, username, mac: 'A0:00:00:00:00:51', ip: '10.5.50.51' },
    ]);
    const pool = await venue.create('panel/device', {
      ...{
        location_id: venue.location,
        brand_id: venue.device.brand_id,
        name: 'Havuz',
        mac_address: 'A1:B2:C3:D4:E5:51',
      },
    });
    const limited = (await venue.api.user('member', { location: venue.location, deviceIds: [pool.id] })).token;
    // A visitor without a device is shown to every member of the location.
    await venue.run(sql`update visitors set device_id = null where id = ${id}`);
    for (const [what, all] of [
      ['sessions', 2],
      ['devices', 2],
      ['failed-logins', 1],
    ] as const) {
      expect((await get(what)).body.meta.total, what).toBe(all);
      const answer = await get(what, limited);
      expect([answer.status, answer.body.meta?.total], what).toEqual([200, 0]);
    }
  });
});
