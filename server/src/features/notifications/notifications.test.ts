import { placeOfNotice } from '@portico/contract/notice-places.ts';
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { takeMails } from '#mail/testing.ts';
import { startApi, type TestApi } from '#test/harness.ts';
import { mailNotices } from './mails.service.ts';
import { type Notice, notify } from './notifications.service.ts';

let api: TestApi;
let admin: { id: string; email: string; token: string };
beforeAll(async () => {
  api = await startApi();
  admin = await api.user('tenant-admin');
});

const send = async (notice: Notice, tenant = 'panel') => (await api.inTenant(tx => notify(tx, notice), tenant)).length;
const make = (name: string, token = admin.token) => api.location(token, name);
const list = (token: string, query = '', language: 'tr' | 'en' = 'en') =>
  api.get(`panel/notification${query}`, { token, language });
const kinds = async (token: string) => (await list(token)).body.data.map((n: { kind: string }) => n.kind);

describe('notifications', () => {
  test('are shown in the language of the user, counted, and marked as read one by one or all at once', async () => {
    const user = await api.user('member');
    const to = { users: [user.id] };
    for (const days of [30, 7, 1]) await send({ kind: 'license_ending', to, data: { location: 'Otel', days } });
    const page = await list(user.token, '?per_page=2', 'tr');
    expect(page.body.meta).toMatchObject({ total: 3, unread: 3, last_page: 2 });
    expect(page.body.data[0]).toMatchObject({ title: 'Otel lisansı bitiyor', body: 'Kalan gün: 1.', read_at: null });
    const first = page.body.data[0].id;
    const read = await api.post(`panel/notification/${first}/read`, { token: user.token });
    expect(read.status).toBe(200);
    expect(read.body.data.read_at).not.toBeNull();
    expect((await api.post(`panel/notification/${first}/read`, { token: user.token })).body.data).toEqual(
      read.body.data,
    );
    expect((await list(user.token, '?unread=true')).body.meta).toMatchObject({ total: 2, unread: 2 });
    expect((await api.post('panel/notification/read-all', { token: user.token })).status).toBe(204);
    expect((await list(user.token)).body.meta).toMatchObject({ total: 3, unread: 0 });
  });

  test('that arrive while the reader marks all as read stay unread', async () => {
    const user = await api.user('member');
    const to = { users: [user.id] };
    for (const days of [30, 7]) await send({ kind: 'license_ending', to, data: { location: 'Otel', days } });
    const seen = (await list(user.token)).body.data[0].id;
    await send({ kind: 'license_over', to, data: { location: 'Otel' } });
    const readAll = (until: string) => api.post(`panel/notification/read-all?until=${until}`, { token: user.token });
    expect(await readAll('newest')).toMatchObject({ status: 422, body: { errors: { until: expect.anything() } } });
    expect((await list(user.token)).body.meta.unread).toBe(3);
    expect((await readAll(seen)).status).toBe(204);
    const left = (await list(user.token, '?unread=true')).body.data;
    expect(left).toMatchObject([{ kind: 'license_over' }]);
  });

  test('about the devices of an outage are one entry, within the reach of each reader', async () => {
    const reseller = await api.user('reseller');
    const [hotel, beach] = [await make('Otel', reseller.token), await make('Plaj', reseller.token)];
    const device = (n: number) => `00000000-0000-4000-8000-0000000001${String(n).padStart(2, '0')}`;
    const all = await api.user('member', { location: hotel });
    const limited = await api.user('member', { location: hotel, deviceIds: [device(3), device(4)] });
    const isFirst = { kind: 'license_over', to: { users: [all.id] }, data: { location: 'Otel' } } as const;
    await send(isFirst);
    const fail = (
      n: number,
      [locationId, location] = [hotel, 'Otel'],
      kind: 'device_offline' | 'device_online' = 'device_offline',
    ) =>
      send({
        kind,
        to: { location: locationId, deviceId: device(n) },
        data: { device: `AP-${n}`, location },
        locationId,
        deviceId: device(n),
      });
    for (let n = 1; n <= 8; n++) await fail(n);
    const entries = async (token: string, language: 'tr' | 'en' = 'en') => {
      const { data, meta } = (await list(token, '', language)).body;
      expect(meta.total).toBe(data.length);
      return { unread: meta.unread, data };
    };
    const seen = await entries(all.token);
    const outage = {
      kind: 'device_offline',
      title: '8 devices are offline',
      body: 'Otel: AP-1, AP-2, AP-3, AP-4, AP-5, and 3 more',
      devices: 8,
      device_id: null,
      location_id: hotel,
      read_at: null,
    };
    expect(seen).toMatchObject({ unread: 2, data: [outage, { kind: 'license_over', devices: 1 }] });
    expect((await entries(all.token, 'tr')).data[0]).toMatchObject({
      title: '8 cihaz çevrimdışı',
      body: 'Otel: AP-1, AP-2, AP-3, AP-4, AP-5 ve 3 cihaz daha',
    });
    expect(await entries(limited.token)).toMatchObject({
      unread: 1,
      data: [{ devices: 2, body: 'Otel: AP-3 and AP-4' }],
    });
    // Another location joins for the reseller of both, not for the members of this one.
    await fail(9, [beach, 'Plaj']);
    expect((await entries(all.token)).data).toHaveLength(2);
    const ofBoth = (await entries(reseller.token)).data[0];
    expect(ofBoth).toMatchObject({ title: '9 devices are offline', location_id: null, device_id: null });
    expect(placeOfNotice(ofBoth)).toBe(`/devices?location=${[hotel, beach].sort().join('%2C')}&status=offline`);
    expect((await entries(all.token)).data[0]).toMatchObject({ location_ids: [hotel] });
    expect(ofBoth.body).toContain('AP-1 (Otel)');
    // A device that joins while the reader opens the entry stays unread, and the next ones join it.
    await fail(10);
    const read = await api.post(`panel/notification/${seen.data[0].id}/read`, { token: all.token });
    expect(read.body.data).toMatchObject({ devices: 8, read_at: expect.any(String) });
    expect((await list(all.token, '?unread=true')).body.data).toMatchObject([
      { title: 'AP-10 is offline' },
      { kind: 'license_over' },
    ]);
    await api.post('panel/notification/read-all', { token: all.token });
    await fail(11);
    await fail(12, [hotel, 'Otel'], 'device_online');
    expect(await entries(all.token)).toMatchObject({
      unread: 2,
      data: [
        { title: 'AP-12 is back' },
        { title: 'AP-11 is offline', device_id: device(11) },
        { devices: 9 },
        { kind: 'license_over' },
      ],
    });
    // Long after the others, it is another outage.
    await api.inTenant(tx =>
      tx.run(sql`update notifications set created_at = now() - interval '11 minutes' where user_id = ${all.id}`),
    );
    await fail(13);
    expect((await entries(all.token)).data[0]).toMatchObject({ title: 'AP-13 is offline', devices: 1 });
  });

  test('are read and marked by their receiver only', async () => {
    const user = await api.user('member');
    const other = await api.user('member');
    await send({ kind: 'device_offline', to: { users: [user.id] }, data: { device: 'A', location: 'B' } });
    const { id } = (await list(user.token)).body.data[0];
    const foreign = await api.user('tenant-admin', { tenant: 'elsewhere' });
    expect((await api.post(`panel/notification/${id}/read`, { token: other.token })).status).toBe(404);
    expect((await api.post(`panel/notification/${id}/read`, { token: admin.token })).status).toBe(404);
    expect(
      (await api.post(`panel/notification/${id}/read`, { token: foreign.token, tenant: 'elsewhere' })).status,
    ).toBe(404);
    await api.post('panel/notification/read-all', { token: other.token });
    expect((await list(user.token)).body.meta.unread).toBe(1);
    expect((await list(other.token)).body.meta.total).toBe(0);
    expect((await api.get('panel/notification')).status).toBe(401);
  });

  test('of a location are sent to members with the permission and the device, and to its reseller', async () => {
    const reseller = await api.user('reseller');
    const location = await make('Otel', reseller.token);
    const [device, other] = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b'];
    const all = await api.user('member', { location });
    const limited = await api.user('member', { location, deviceIds: [other] });
    const desk = await api.user('member', { location, permissions: ['view-clients'] });
    const to = { location, deviceId: device };
    const data = { device: 'A', location: 'Otel' };
    const before = await kinds(admin.token);
    expect(await send({ kind: 'device_offline', to, data, locationId: location, deviceId: device })).toBe(2);
    expect(await kinds(all.token)).toEqual(['device_offline']);
    expect(await kinds(reseller.token)).toEqual(['device_offline']);
    for (const user of [limited, desk]) expect(await kinds(user.token)).toEqual([]);
    expect(await kinds(admin.token)).toEqual(before);
    expect(
      await send({
        kind: 'license_requested',
        to: { tenant: 'admins' },
        data: { location: 'Otel', user: 'A', years: 1 },
      }),
    ).toBe(1);
    expect(await kinds(admin.token)).toEqual(['license_requested', ...before]);
  });

  test('with the same key are sent once', async () => {
    const user = await api.user('member');
    const notice = { kind: 'license_over', to: { users: [user.id] }, data: { location: 'X' }, once: 'over:1' } as const;
    expect(await send(notice)).toBe(1);
    expect(await send(notice)).toBe(0);
    expect((await list(user.token)).body.meta.total).toBe(1);
  });

  test('of a location are hidden after the user is removed from it', async () => {
    const location = await make('Otel');
    await api.user('member', { location });
    const user = await api.user('member', { location });
    const data = { percent: 80, location: 'Otel', used: 800, limit: 1000 };
    await send({ kind: 'sms_limit', to: { location }, data, locationId: location });
    expect(await kinds(user.token)).toEqual(['sms_limit']);
    await api.delete(`panel/location/${location}/user/${user.id}`, { token: admin.token });
    expect((await list(user.token)).body.meta).toMatchObject({ total: 0, unread: 0 });
  });

  test('are hidden and not mailed once the member loses the permission', async () => {
    const location = await make('Otel');
    const user = await api.user('member', { location, permissions: ['view-devices'] });
    const choices = [{ kind: 'device_offline', way: 'mail' }];
    expect((await api.put('panel/user/notification', { token: user.token, body: { choices } })).status).toBe(200);
    const to = { location };
    const notice = {
      kind: 'device_offline',
      to,
      data: { device: 'A', location: 'Otel' },
      locationId: location,
    } as const;
    await send(notice);
    expect(await kinds(user.token)).toEqual(['device_offline']);
    await api.inTenant(tx =>
      tx.run(sql`update location_members set permissions = array['view-clients'] where user_id = ${user.id}`),
    );
    expect((await list(user.token)).body.meta).toMatchObject({ total: 0, unread: 0 });
    await takeMails(api.app);
    await mailNotices(api.app);
    expect(await takeMails(api.app)).toEqual([]);
  });

  test('of a device are hidden once the member is limited to others', async () => {
    const location = await make('Otel');
    const [lobby, pool] = ['00000000-0000-4000-8000-00000000000c', '00000000-0000-4000-8000-00000000000d'];
    const user = await api.user('member', { location, deviceIds: [lobby] });
    const to = { location, deviceId: lobby };
    const data = { device: 'Lobi', location: 'Otel' };
    await send({ kind: 'device_offline', to, data, locationId: location, deviceId: lobby });
    expect(await kinds(user.token)).toEqual(['device_offline']);
    await api.inTenant(tx =>
      tx.run(sql`update location_members set device_ids = array[${pool}]::uuid[] where user_id = ${user.id}`),
    );
    expect((await list(user.token)).body.meta).toMatchObject({ total: 0, unread: 0 });
  });

  test('limit the open screens of one user; closed ones free their slot', async () => {
    const { token } = await api.user('member');
    const open = async () => {
      const controller = new AbortController();
      const headers = { 'x-tenant': 'panel', authorization: `Bearer ${token}` };
      const response = await fetch(`${api.url}/v1/panel/events`, { headers, signal: controller.signal });
      // The garbage collector closes the connection of a response without a reference.
      return { status: response.status, response, close: () => controller.abort() };
    };
    const screens = await Promise.all(Array.from({ length: 50 }, open));
    expect(screens.filter(({ status }) => status !== 200)).toEqual([]);
    expect((await open()).status).toBe(429);
    for (const screen of screens) screen.close();
    const again = async () => {
      const screen = await open();
      screen.close();
      return screen.status;
    };
    await expect.poll(again).toBe(200);
  });

  /** The events that an open screen receives, up to a topic. */
  async function receivedUntil(topic: string, token: string, cause: () => Promise<unknown>): Promise<string> {
    const controller = new AbortController();
    const response = await fetch(`${api.url}/v1/panel/events`, {
      headers: { 'x-tenant': 'panel', authorization: `Bearer ${token}` },
      signal: controller.signal,
    });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let received = '';
    const receiving = (async () => {
      while (!received.includes(`"${topic}"`)) received += (await reader.read()).value ?? '';
    })();
    await cause();
    await receiving;
    controller.abort();
    return received;
  }

  test('are sent to an open screen immediately', async () => {
    const { id, token } = await api.user('member');
    const notice = { kind: 'license_over', to: { users: [id] }, data: { location: 'X' } } as const;
    const received = await receivedUntil('notifications', token, () => send(notice));
    expect(received).toContain('{"topic":"notifications"}');
  });

  test('and other changes are not told to a member of another location, or to another tenant', async () => {
    const [own, other] = [await make('Otel'), await make('Plaj')];
    const { token } = await api.user('member', { location: own });
    const tenants = [await api.tenantId('panel-3'), await api.tenantId('panel')];
    const change = (tenant: string, location: string | null, topic: string) =>
      api.inTenant(tx => tx.run(sql`select pg_notify('portico', ${JSON.stringify({ tenant, location, topic })})`));
    const received = await receivedUntil('devices', token, async () => {
      await change(tenants[0]!, null, 'visitors');
      await change(tenants[1]!, other, 'sessions');
      await change(tenants[1]!, own, 'devices');
    });
    // News of how this location and member were made may come late.
    const topics = [...received.matchAll(/"topic":"([^"]+)"/g)].map(it => it[1]);
    expect(topics.filter(it => ['visitors', 'sessions', 'devices'].includes(it!))).toEqual(['devices']);
  });
});
