import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#lib/ids.ts';
import { type Body, startApi, type TestApi } from '#test/harness.ts';
import { later } from './testing/later.ts';
import { watchDevices } from './watch.jobs.ts';

let api: TestApi;
let admin: string;
let brand: string;
beforeAll(async () => {
  api = await startApi();
  admin = (await api.user('tenant-admin')).token;
  brand = (await api.get('panel/device/brands', { token: admin })).body.data[0].id;
});

let made = 0;
/** A device of a new location, and a member of the location. */
async function scene(creator = admin) {
  made += 1;
  const location = await api.location(creator, `Otel ${made}`);
  const { token } = await api.user('member', { location });
  const tenant = await api.tenantId('panel');
  const body = { brand_id: brand, name: 'Lobi', mac_address: `02EF000000${10 + made}`, location_id: location };
  const { id } = (await api.post('panel/device', { token: admin, body })).body.data;
  const run = (query: ReturnType<typeof sql>) => api.app.db.withSystem(tx => tx.run(query));
  const wait = (seconds: number) => later(api, id, seconds);
  const heard = async (by: 'poll' | 'radius') => {
    await run(
      sql`update devices set last_seen_at = now(), polled_at = ${by === 'poll' ? sql`now()` : sql`polled_at`} where id = ${id}`,
    );
    await watchDevices(api.app);
  };
  /** The device sends a packet once a minute. */
  const stays = async (minutes: number) => {
    for (let i = 0; i < minutes; i += 1) {
      await heard('poll');
      await wait(60);
    }
  };
  const status = async () => (await api.get(`panel/device/${id}`, { token })).body.data.status;
  const listed = async (which: string) =>
    (await api.get(`panel/device?status=${which}`, { token })).body.data.map((it: Body) => it.id);
  const notified = async (): Promise<string[]> =>
    (await api.get('panel/notification', { token })).body.data.map((it: Body) => it.kind).reverse();
  const guest = () =>
    run(sql`insert into online_sessions (tenant_id, id, accounting_id, location_id, device_id, user_name, acct_session_id, started_at, updated_at, interim, day, hour_ends_at)
      values (${tenant}, ${newId()}, ${newId()}, ${location}, ${id}, 'ayse', ${newId()}, now(), now(), 60, current_date, now() + interval '1 day')`);
  return { id, tenant, run, wait, heard, stays, status, listed, notified, guest };
}

/** Listens to the changes of devices. */
function listenAt({ run, tenant }: Awaited<ReturnType<typeof scene>>) {
  const events: { topic: string; nas_identifier?: string }[] = [];
  let marks = 0;
  const stop = api.app.changes.subscribe(change => events.push(change));
  /** The names of the devices that changed since the last call. Events arrive in order, so the mark comes last. */
  const heard = async () => {
    const mark = { tenant, location: null, topic: `mark ${(marks += 1)}` };
    await run(sql`select pg_notify('portico', ${JSON.stringify(mark)})`);
    await expect.poll(() => events.some(it => it.topic === mark.topic)).toBe(true);
    return events.splice(0).flatMap(it => (it.topic === 'devices' ? [it.nas_identifier] : []));
  };
  return { heard, stop };
}

describe('a device', () => {
  test('notifies the members of its location, or the tenant’s administrators if the location has no owner', async () => {
    const other = (await api.user('tenant-admin')).token;
    const owner = (await api.user('tenant-admin')).token;
    const [owned, orphan] = [await scene(owner), await scene(owner)];
    await orphan.run(
      sql`update locations set owner_id = null where id = (select location_id from devices where id = ${orphan.id})`,
    );
    for (const it of [owned, orphan]) {
      await it.heard('poll');
      await it.wait(600);
    }
    const toldOf = async (token: string) => (await api.get('panel/notification', { token })).body.data;
    expect(await toldOf(other)).toMatchObject([{ kind: 'device_offline', devices: 1, device_id: orphan.id }]);
    expect(await toldOf(owner), 'both, as one entry').toMatchObject([{ kind: 'device_offline', devices: 2 }]);
  });

  test('that polls is offline after three missing polls, and users are notified', async () => {
    const it = await scene();
    expect(await it.status()).toBe('offline');
    await it.heard('poll');
    expect(await it.status()).toBe('online');
    await it.wait(170);
    expect(await it.status()).toBe('online');
    await it.wait(30);
    expect(await it.status()).toBe('offline');
    expect(await it.listed('offline')).toEqual([it.id]);
    expect(await it.listed('online')).toEqual([]);
    expect(await it.notified()).toEqual([]);
    await it.wait(120);
    expect(await it.notified()).toEqual(['device_offline']);
    await it.wait(3600);
    expect(await it.notified()).toEqual(['device_offline']);
    await it.heard('poll');
    expect(await it.status()).toBe('online');
    expect(await it.notified()).toEqual(['device_offline']);
    await it.stays(4);
    expect(await it.notified()).toEqual(['device_offline', 'device_online']);
  });

  test('with guests is offline after three missing interims, even if its sessions are closed then', async () => {
    const it = await scene();
    await it.heard('radius');
    await it.guest();
    await it.wait(150);
    await it.run(sql`delete from online_sessions where device_id = ${it.id}`);
    expect(await it.status()).toBe('online');
    await it.wait(40);
    expect(await it.status()).toBe('offline');
    await it.wait(120);
    expect(await it.notified()).toEqual(['device_offline']);
  });

  test('without guests that does not poll is never reported as offline', async () => {
    const it = await scene();
    await it.heard('radius');
    await it.wait(600);
    expect(await it.status()).toBe('online');
    await it.wait(600);
    expect(await it.status()).toBe('offline');
    await it.wait(600);
    await it.heard('radius');
    await it.wait(180);
    expect(await it.notified()).toEqual([]);
  });

  test('that goes offline soon after it came back is notified when an hour has passed', async () => {
    const it = await scene();
    await it.heard('poll');
    await it.wait(600);
    await it.stays(4);
    await it.wait(1800);
    expect(await it.status()).toBe('offline');
    expect(await it.notified()).toEqual(['device_offline', 'device_online']);
    await it.wait(1800);
    expect(await it.notified(), 'one entry of both').toEqual(['device_online', 'device_offline']);
  });

  test('that goes offline again and again is notified once', async () => {
    const it = await scene();
    for (let i = 0; i < 5; i += 1) {
      await it.heard('poll');
      await it.wait(240);
      expect(await it.status()).toBe('offline');
    }
    expect(await it.notified()).toEqual([]);
    for (let i = 0; i < 4; i += 1) {
      await it.stays(1);
      await it.wait(360);
    }
    expect(await it.notified()).toEqual(['device_offline']);
    await it.stays(4);
    for (let i = 0; i < 3; i += 1) {
      await it.wait(400);
      await it.stays(4);
    }
    expect(await it.notified()).toEqual(['device_offline', 'device_online']);
  });

  test('that is new appears on open screens with its first packet, but not with every packet', async () => {
    const it = await scene();
    const { heard, stop } = listenAt(it);
    await heard();
    await it.run(sql`update devices set last_seen_at = now() where id = ${it.id}`);
    expect(await heard()).toHaveLength(1);
    await it.run(sql`update devices set last_seen_at = now() where id = ${it.id}`);
    expect(await heard()).toEqual([]);
    stop();
  });

  test('that was changed is the only one that RADIUS looks up again', async () => {
    const it = await scene();
    const { nas_identifier } = (await api.get(`panel/device/${it.id}`, { token: admin })).body.data;
    const { heard, stop } = listenAt(it);
    // That of its creation.
    await heard();
    await it.run(sql`update devices set name = 'Teras' where id = ${it.id}`);
    expect(await heard()).toEqual([nas_identifier]);
    const body = { mac: '02:00:00:00:00:77', type: 'blocked' };
    expect((await api.post(`panel/device/${it.id}/macs`, { token: admin, body })).status).toBe(201);
    expect(await heard()).toEqual([undefined]);
    await it.run(sql`delete from devices where id = ${it.id}`);
    expect((await heard()).filter(Boolean)).toEqual([nas_identifier]);
    stop();
  });

  test('that sent a packet is updated on open screens', async () => {
    const it = await scene();
    const topics = new Set<string>();
    const stop = api.app.changes.subscribe(change => topics.add(change.topic));
    await it.heard('radius');
    await expect.poll(() => topics.has('device-seen')).toBe(true);
    stop();
  });
});
