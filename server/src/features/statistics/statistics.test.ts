import { setImmediate } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { WithTenant } from '#db/tenant.ts';
import { recordPast } from '#features/sessions/public.ts';
import { newId } from '#lib/ids.ts';
import { startApi, type TestApi } from '#test/harness.ts';
import { createAgentCounter } from './agents.ts';

let api: TestApi;
/** Each test has a tenant of its own. */
let tenant: string;
let admin: string;
let location: string;
let device: string;

const hour = 3_600_000;
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';

beforeAll(async () => {
  api = await startApi();
});

let tenants = 0;
beforeEach(async () => {
  tenant = `hotels-${++tenants}`;
  admin = (await api.user('tenant-admin', { tenant })).token;
  const post = async (at: string, body: unknown) => (await api.post(at, { token: admin, tenant, body })).body.data;
  location = (await post('panel/location', { name: 'Otel' })).id;
  const brands = (await api.get('panel/device/brands', { token: admin, tenant })).body.data;
  device = (
    await post('panel/device', {
      location_id: location,
      brand_id: brands[0].id,
      name: 'Lobby',
      mac_address: 'A1:B2:C3:D4:E5:01',
    })
  ).id;
  await post('panel/client', {
    location_id: location,
    name: 'Ayşe',
    provider_type: 'username',
    username: 'ayse',
    password: 'secret1',
  });
  const visit = (hoursAgo: number, n: number) => ({
    deviceId: device,
    username: 'ayse',
    mac: 'A1:B2:C3:00:00:01',
    ip: '10.5.50.9',
    sessionId: `s${n}`,
    startedAt: new Date(Date.now() - hoursAgo * hour),
    seconds: 600,
    upload: 1000,
    download: 5000,
  });
  await recordPast(api.app, await api.tenantId(tenant), [visit(1, 1), visit(30, 2), visit(54, 3), visit(24 * 20, 4)]);
  const agents = createAgentCounter(api.app);
  agents.add({ tenantId: await api.tenantId(tenant), locationId: location, deviceId: device, userAgent: iphone });
  await agents.flush();
});

const get = async (at: string, token = admin) => (await api.get(`panel/statistics/${at}`, { token, tenant })).body;

describe('statistics', () => {
  test('count records and the events of the period', async () => {
    expect((await get('overview')).data).toMatchObject({
      returned_users: 1,
      onlines: 0,
      failed_logins: 0,
      devices: 1,
      users: 1,
      locations: 1,
    });
    expect((await get('overview?start_at=2020-01-01&end_at=2020-01-02')).data).toMatchObject({
      returned_users: 0,
      users: 1,
    });
  });

  test('count a visitor as returned whose visits began on two days, not one long visit or two devices on one day', async () => {
    const tenantId = await api.tenantId(tenant);
    const [overMidnight, onTwoDevices, twice, later] = Array.from({ length: 4 }, () => crypto.randomUUID());
    const second = crypto.randomUUID();
    const days: [string | undefined, string, number, string[]][] = [
      [overMidnight, '2021-03-01', 1, [device]],
      [overMidnight, '2021-03-02', 0, []],
      [onTwoDevices, '2021-03-01', 2, [device, second]],
      [twice, '2021-03-01', 1, [device]],
      [twice, '2021-03-05', 3, [device]],
      [later, '2021-03-05', 1, [device]],
      [later, '2021-04-05', 1, [device]],
    ];
    for (const [visitor, day, sessions, devices] of days) {
      await api.app.db.pool.query(
        'insert into visitor_days (tenant_id, location_id, day, visitor_id, sessions, upload, download) values ($1, $2, $3, $4, $5, 1, 1)',
        [tenantId, location, day, visitor, sessions],
      );
      for (const id of devices)
        await api.app.db.pool.query(
          'insert into visitor_device_days (tenant_id, device_id, day, visitor_id, location_id) values ($1, $2, $3, $4, $5)',
          [tenantId, id, day, visitor, location],
        );
    }
    const march = 'start_at=2021-03-01&end_at=2021-03-31';
    expect((await get(`overview?${march}`)).data.returned_users).toBe(1);
    expect((await get(`overview?${march}&locationIds=${location}`)).data.returned_users).toBe(1);
    expect((await get(`overview?${march}&deviceIds=${device}`)).data.returned_users).toBe(1);
    expect((await get(`overview?${march}&deviceIds=${device}&deviceIds=${second}`)).data.returned_users).toBe(1);
  });

  test('include the second of their end and no day after it, and compare with as long a time before it', async () => {
    const [tenantId, visitor] = [await api.tenantId(tenant), crypto.randomUUID()];
    for (const day of ['2022-03-01', '2022-03-05'])
      await api.app.db.pool.query(
        'insert into visitor_device_days (tenant_id, location_id, device_id, day, visitor_id) values ($1, $2, $3, $4, $5)',
        [tenantId, location, device, day, visitor],
      );
    const returned = async (period: string) => (await get(`overview?start_at=${period}&compare=1`)).data;
    expect(await returned('2022-03-01&end_at=2022-03-04T23:59:59')).toMatchObject({ returned_users: 0 });
    expect(await returned('2022-03-01&end_at=2022-03-05T00:00:00')).toMatchObject({ returned_users: 1 });
    expect(await returned('2022-03-06&end_at=2022-03-10')).toMatchObject({ previous: { returned_users: 1 } });
    expect(await returned('2022-03-07&end_at=2022-03-11')).toMatchObject({ previous: { returned_users: 0 } });
  });

  test('show the platforms, browsers and devices of sign-ins', async () => {
    expect(await get('platforms')).toEqual({ data: { labels: ['iOS'], values: [1] }, meta: { total: 1 } });
    expect((await get('browsers')).data.labels).toEqual(['Safari']);
    expect((await get('devices')).data.labels).toEqual(['mobile']);
  });

  test('show visits by hour, day or month, including empty ones', async () => {
    const week = await get('visits');
    expect(week.data.bucket).toBe('day');
    expect(week.data.labels).toHaveLength(7);
    expect(week.meta.total).toBe(3);
    expect(week.data.download.reduce((a: number, b: number) => a + b)).toBe(15_000);
    // In the location's time zone.
    const { format } = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Istanbul' });
    const day = (offset: number) => format(Date.now() + offset * 24 * hour);
    const hours = await get(`visits?start_at=${day(-1)}&end_at=${day(0)}`);
    expect(hours.data.bucket).toBe('hour');
    expect(hours.data.labels).toHaveLength(48);
    const months = await get(`visits?start_at=${day(-200)}&end_at=${day(0)}`);
    expect(months.data.bucket).toBe('month');
    expect(months.meta.total).toBe(4);
  });

  test('count two days as two and ninety as ninety when one of them has 25 hours', async () => {
    await api.put(`panel/location/${location}`, { token: admin, tenant, body: { time_zone: 'Europe/Berlin' } });
    const labels = async (from: string, to: string) =>
      (await get(`visits?start_at=${from}&end_at=${to}&locationIds=${location}`)).data.labels;
    expect(await labels('2025-10-25', '2025-10-26')).toHaveLength(48);
    expect(await labels('2025-10-26', '2025-10-27')).toHaveLength(48);
    expect(await labels('2025-10-25', '2025-10-27')).toEqual(['2025-10-25', '2025-10-26', '2025-10-27']);
    expect(await labels('2025-09-01', '2025-11-29')).toHaveLength(90);
    expect(await labels('2025-03-01', '2025-05-30')).toEqual(['2025-03', '2025-04', '2025-05']);
  });

  test('include the preceding period on request, aligned by bucket', async () => {
    const day = (ago: number) => new Date(Date.now() - ago * 24 * hour).toISOString().slice(0, 10);
    // The visits of 1, 30 and 54 hours ago, and the one of twenty days ago in the period before.
    const period = `start_at=${day(13)}&end_at=${day(-1)}`;
    expect((await get(`visits?${period}`)).meta).toEqual({ total: 3 });
    const { data, meta } = await get(`visits?${period}&compare=true`);
    expect(meta).toEqual({ total: 3, previous_total: 1 });
    expect(data.labels).toHaveLength(15);
    expect(data.previous.values).toHaveLength(15);
    expect(data.previous.download.reduce((a: number, b: number) => a + b)).toBe(5000);
    const earlier = (await get(`overview?start_at=${day(-1)}&end_at=${day(-8)}&compare=1`)).data;
    expect(earlier).toMatchObject({ returned_users: 0, previous: { returned_users: 1, failed_logins: 0 } });
    expect((await get('overview')).data.previous).toBeUndefined();
  });

  test('are limited to visible and selected devices and locations', async () => {
    const none = '00000000-0000-4000-8000-000000000000';
    expect((await get(`visits?deviceIds=${none}`)).meta.total).toBe(0);
    expect((await get(`visits?deviceIds[]=${device}&locationIds=${location},${none}`)).meta.total).toBe(3);
    await api.inTenant(tx => tx.run(sql`update visitors set device_id = ${device}`), tenant);
    const ofDevice = (id: string) => get(`overview?deviceIds=${id}&compare=1`);
    expect((await ofDevice(device)).data).toMatchObject({
      returned_users: 1,
      users: 1,
      devices: 1,
      locations: 1,
      previous: { returned_users: 0 },
    });
    expect((await ofDevice(none)).data).toMatchObject({ returned_users: 0, users: 0, devices: 0, locations: 0 });
    const limited = await api.user('member', { tenant, location, deviceIds: [none] });
    expect((await get('visits', limited.token)).meta.total).toBe(0);
    expect((await get('overview', limited.token)).data).toMatchObject({
      devices: 0,
      locations: 1,
      returned_users: 0,
      users: 0,
    });
    const here = await api.user('member', { tenant, location, deviceIds: [device] });
    expect((await get('overview', here.token)).data).toMatchObject({ devices: 1, returned_users: 1, users: 1 });
    // A visitor from another device has sessions here, but is not among the visitors of this member.
    const brand_id = (await api.get('panel/device/brands', { token: admin, tenant })).body.data[0].id;
    const pool = { location_id: location, brand_id, name: 'Pool', mac_address: 'A1:B2:C3:D4:E5:02' };
    const { id: second } = (await api.post('panel/device', { token: admin, tenant, body: pool })).body.data;
    await api.inTenant(tx => tx.run(sql`update visitors set device_id = ${second}`), tenant);
    expect((await get('overview', here.token)).data).toMatchObject({ returned_users: 0, users: 0 });
    // With an end only, the period has the default seven days.
    for (const end of ['2020-05-07', '2020-05-07T12:00:00', '2020-05-07T12:00:00Z']) {
      const alone = await get(`visits?end_at=${end}`);
      expect([alone.data.labels.length, alone.data.labels[0]], end).toEqual([7, '2020-05-01']);
    }
    const bad = await api.get('panel/statistics/visits?start_at=yesterday', { token: admin, tenant });
    expect(bad.status).toBe(422);
    expect(bad.body.errors.start_at).toBeDefined();
    const refused = async (period: string) =>
      (await api.get(`panel/statistics/overview?${period}`, { token: admin, tenant })).body.errors;
    expect(await refused('start_at=2026-02-02&end_at=2026-02-01')).toEqual({
      end_at: ['The end must be after the start.'],
    });
    for (const start of ['0001-01-01', '1900-01-01'])
      expect(Object.keys(await refused(`start_at=${start}&end_at=9999-12-31&compare=1`))).toEqual(['start_at']);
  });
});

describe('the browsers of sign-ins', () => {
  const agentsOf = async (tenantId: string, name = 'Test') =>
    api.app.db.withTenant(tenantId, tx =>
      tx.many<{ kind: string; n: number }>(
        sql`select kind, sum(sign_ins) as n from guest_agent_days where value like ${`${name}%`} group by kind`,
      ),
    );
  const signedIn = async (more = {}) => ({
    tenantId: await api.tenantId(tenant),
    locationId: location,
    deviceId: device,
    userAgent: 'TestBrowser/1.0 (x)',
    ...more,
  });

  test('are counted once each, also if the database was away at first; those of a deleted location are dropped', async () => {
    let away = true;
    const withTenant: WithTenant = (tenantId, work) =>
      away ? Promise.reject(new Error('refused')) : api.app.db.withTenant(tenantId, work);
    const agents = createAgentCounter({ ...api.app, db: { ...api.app.db, withTenant } });
    const it = await signedIn();
    for (let i = 0; i < 3; i++) agents.add(it);
    agents.add({ ...it, locationId: newId() });
    await agents.flush();
    expect(await agentsOf(it.tenantId)).toEqual([]);
    away = false;
    agents.add(it);
    await Promise.all([agents.flush(), agents.flush()]);
    expect(await agentsOf(it.tenantId)).toEqual([{ kind: 'browser', n: 4 }]);
  });

  test('of all tenants wait for a database that is away, which is asked once', async () => {
    const asked: string[] = [];
    let away = true;
    const withTenant: WithTenant = (tenantId, work) => {
      asked.push(tenantId);
      return away
        ? Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }))
        : api.app.db.withTenant(tenantId, work);
    };
    const agents = createAgentCounter({ ...api.app, db: { ...api.app.db, withTenant } });
    const it = await signedIn({ userAgent: 'AwayBrowser/1.0 (x)' });
    const other = newId();
    agents.add({ ...it, tenantId: other, locationId: newId() });
    agents.add(it);
    await agents.flush();
    expect(asked).toEqual([other]);
    away = false;
    await agents.close();
    expect(asked.slice(1).sort()).toEqual([other, it.tenantId].sort());
    expect(await agentsOf(it.tenantId, 'AwayBrowser')).toEqual([{ kind: 'browser', n: 1 }]);
  });

  test('of a tenant that moves are dropped, and those of others do not wait for it', async () => {
    const moving = newId();
    const asked: string[] = [];
    const withTenant: WithTenant = (tenantId, work) => {
      asked.push(tenantId);
      return tenantId === moving
        ? Promise.reject(Object.assign(new Error('moves'), { code: 'PTMOV' }))
        : api.app.db.withTenant(tenantId, work);
    };
    const agents = createAgentCounter({ ...api.app, db: { ...api.app.db, withTenant } });
    const it = await signedIn({ userAgent: 'MovingBrowser/1.0 (x)' });
    agents.add({ ...it, tenantId: moving, locationId: newId() });
    agents.add(it);
    await agents.flush();
    await agents.close();
    expect(asked).toEqual([moving, it.tenantId]);
    expect(await agentsOf(it.tenantId, 'MovingBrowser')).toEqual([{ kind: 'browser', n: 1 }]);
  });

  test('of many kinds are written early, but wait for a write that runs', async () => {
    const asked: (() => void)[] = [];
    const withTenant = () => new Promise<never>((_, reject) => asked.push(() => reject(new Error('refused'))));
    const agents = createAgentCounter({ ...api.app, db: { ...api.app.db, withTenant } });
    const it = await signedIn();
    const rush = () => {
      for (let n = 0; n < 2000; n++) agents.add({ ...it, deviceId: newId() });
    };
    rush();
    await setImmediate();
    expect(asked).toHaveLength(1);
    rush();
    asked[0]!();
    await setImmediate();
    expect(asked, 'the next write is a second later').toHaveLength(1);
  });

  test('do not hold up the end of the process when the database does not answer', async () => {
    const withTenant: WithTenant = () => new Promise(() => undefined);
    const agents = createAgentCounter({ ...api.app, db: { ...api.app.db, withTenant } }, { closeMs: 1 });
    agents.add(await signedIn());
    expect(await agents.close()).toBeUndefined();
  });
});
