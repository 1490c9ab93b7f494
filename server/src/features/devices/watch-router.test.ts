import { type Router, startRouter } from '@portico/simulator/router.ts';
import { openRouterOs, type RouterOs } from '@portico/simulator/router-os/router-os.ts';
import sql from 'sql-template-tag';
import { afterEach, describe, expect, test } from 'vitest';
import type { Body } from '#test/harness.ts';
import { ayse, startRadiusVenue } from '#test/radius-venue.ts';
import { later } from './testing/later.ts';

// Real packets and the real API. Only the waiting times are skipped.

const { api, token, location_id, radius, addDevice } = await startRadiusVenue({}, { seenEveryMs: 0 });
const open: (Router | RouterOs)[] = [];
afterEach(async () => {
  for (const router of open.splice(0)) await router.close();
});

const heard = (id: string, since: Date) =>
  api.inTenant(tx => tx.one<{ so: boolean }>(sql`select acct_seen_at >= ${since} as so from devices where id = ${id}`));

let guests = 0;
/** A device with one guest online, whose session reports every minute. */
async function byInterims() {
  const device = await addDevice();
  const router = await startRouter({
    nasIdentifier: device.nas_identifier,
    secret: device.secret,
    radius: { host: '127.0.0.1', authPort: radius.authPort, acctPort: radius.acctPort },
  });
  open.push(router);
  const speak = async () => {
    guests += 1;
    const before = new Date();
    const phone = router.lease({ mac: `02:00:00:00:05:${10 + guests}` });
    expect((await router.signIn(phone, ayse.username, ayse.password)).outcome).toBe('accepted');
    await router.settled();
    // The last accounting packet is stored shortly after its reply.
    await expect.poll(async () => (await heard(device.id, before)).so).toBe(true);
  };
  return scene(device, speak);
}

/** A device without guests whose script polls once a minute. */
async function byPolls() {
  const device = await addDevice();
  const body = {
    ...{ gateway_interface: 'ether1', gateway_ip: '192.168.88.2', guestInterfaces: ['ether2'] },
    ...{ hotspot_address: '10.5.50.1', hotspot_subnet: '24' },
  };
  const script = await api.post(`panel/device/mikrotik/script/${device.id}`, { token, body });
  const router = await openRouterOs({});
  open.push(router);
  router.paste(script.text.replaceAll(api.app.settings.PUBLIC_URL, api.url));
  return scene(device, () => router.poll());
}

async function scene(device: Body, speak: () => Promise<unknown>) {
  const keeper = await api.user('member', { location: location_id, permissions: ['view-devices'] });
  const cook = await api.user('member', { location: location_id, permissions: ['view-clients'] });
  const get = async () => (await api.get(`panel/device/${device.id}`, { token: keeper.token })).body.data;
  const noticesOf = async (person: string) =>
    (await api.get('panel/notification', { token: person })).body.data
      .filter((it: Body) => it.device_id === device.id)
      .map((it: Body) => `${it.kind}: ${it.title}`)
      .reverse();
  return {
    offlineNotice: `device_offline: ${device.name} is offline`,
    onlineNotice: `device_online: ${device.name} is back`,
    /** The router sends a packet; resolves when the panel shows it. */
    speaks: async () => {
      const { last_seen_at: before } = await get();
      await speak();
      // A packet is stored a moment after it arrived.
      await expect.poll(async () => (await get()).last_seen_at > (before ?? '')).toBe(true);
      await later(api, device.id, 1);
    },
    passes: (seconds: number) => later(api, device.id, seconds),
    status: async () => (await get()).status,
    listed: async () =>
      (await api.get('panel/device?status=offline', { token: keeper.token })).body.data.map((it: Body) => it.id),
    id: device.id,
    notices: () => noticesOf(keeper.token),
    noticesOfCook: () => noticesOf(cook.token),
  };
}

describe.each([
  { what: 'interim updates', open: byInterims },
  { what: 'polls', open: byPolls },
])('a router whose $what stop', ({ open: start }) => {
  test('are missing three times: users are notified that the device is offline, and of its return', async () => {
    const it = await start();
    await it.speaks();
    expect(await it.status()).toBe('online');
    await it.passes(160);
    expect(await it.status()).toBe('online');
    await it.passes(40);
    expect(await it.status()).toBe('offline');
    expect(await it.listed()).toContain(it.id);
    expect(await it.notices(), 'short absences are not notified').toEqual([]);
    await it.passes(180);
    expect(await it.notices()).toEqual([it.offlineNotice]);

    await it.speaks();
    expect(await it.status()).toBe('online');
    expect(await it.notices(), 'one packet is no return').toEqual([it.offlineNotice]);
    for (let minute = 0; minute < 3; minute += 1) {
      await it.passes(60);
      await it.speaks();
    }
    expect(await it.notices()).toEqual([it.offlineNotice, it.onlineNotice]);
    expect(await it.noticesOfCook(), 'may not see devices').toEqual([]);
  });

  test('that stop briefly notify nobody, however often', async () => {
    const it = await start();
    for (let time = 0; time < 3; time += 1) {
      await it.speaks();
      await it.passes(240);
      expect(await it.status()).toBe('offline');
    }
    await it.speaks();
    expect(await it.status()).toBe('online');
    expect(await it.notices()).toEqual([]);
  });
});
