import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '#lib/ids.ts';
import { type Body, startApi, type TestApi } from '#test/harness.ts';
import { tellProblems } from './problems.jobs.ts';

let api: TestApi;
/** Each test has a tenant of its own, with two locations and a device at the first. */
let tenant: string;
let admin: string;
let location: string;
let other: string;
let device: string;

const post = async (at: string, body: object): Promise<Body> => {
  const answer = await api.post(at, { token: admin, tenant, body });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
};
const addDevice = async (at: string, mac: string): Promise<string> => {
  const [brand] = (await api.get('panel/device/brands', { token: admin, tenant })).body.data;
  return (await post('panel/device', { location_id: at, brand_id: brand.id, name: 'Lobi', mac_address: mac })).id;
};
const problems = async (token = admin, query = ''): Promise<Body[]> =>
  (await api.get(`panel/statistics/problems${query}`, { token, tenant })).body.data;
const user = (role: Parameters<TestApi['user']>[0], more: object = {}) => api.user(role, { tenant, ...more });
const kinds = async (token?: string, query?: string) => (await problems(token, query)).map(it => it.kind);

/** Failed sign-ins at a location, some minutes ago each. */
const fail = (at: string, minutesAgo: readonly number[], reason = 'wrong_credentials') =>
  api.inTenant(
    tx =>
      tx.run(sql`insert into failed_logins (location_id, device_id, provider_slug, reason, created_at)
        select ${at}, ${at === location ? device : null}, 'username', ${reason}, now() - make_interval(mins => m) from unnest(${minutesAgo}::int[]) m`),
    tenant,
  );
const change = (table: 'devices' | 'locations', id: string, set: string) =>
  api.app.db.pool.query(`update ${table} set ${set} where id = $1`, [id]);
const logAt = (id: string, hoursAgo: number) =>
  api.app.db.withSystem(async tx =>
    tx.run(sql`insert into log_hours (tenant_id, device_id, hour, lines, minutes)
      values (${await api.tenantId(tenant)}, ${id}, date_trunc('hour', now() - make_interval(hours => ${hoursAgo})), 5, array_fill(0, array[60]))`),
  );

beforeAll(async () => {
  api = await startApi();
});

let tenants = 0;
beforeEach(async () => {
  tenant = `hotels-${++tenants}`;
  admin = (await user('tenant-admin')).token;
  location = (await post('panel/location', { name: 'Çınar Otel' })).id;
  other = (await post('panel/location', { name: 'Kafe' })).id;
  device = await addDevice(location, 'A1:B2:C3:D4:E5:01');
});

test('a tenant without problems has none', async () => {
  expect(await problems()).toEqual([]);
});

describe('failed sign-ins', () => {
  test('are a problem when there are ten in an hour', async () => {
    await fail(other, Array(9).fill(5));
    expect(await kinds()).toEqual([]);
    await fail(other, [6]);
    expect(await problems()).toMatchObject([
      { kind: 'failed_logins', name: 'Kafe', amount: 10, location: { id: other } },
    ]);
  });

  test('are none when there are as many in other hours', async () => {
    await fail(other, Array(10).fill(5));
    await fail(
      other,
      Array.from({ length: 24 * 4 }, (_, i) => 70 + i * 14),
    );
    expect(await kinds()).toEqual([]);
  });

  test('do not include EAP requests, which try no passwords', async () => {
    await fail(other, Array(30).fill(5), 'unsupported_method');
    expect(await kinds()).toEqual([]);
  });
});

describe('a device', () => {
  test('that is online and has sent no logs for a day is a problem, unless it never sent any or need not', async () => {
    await change('devices', device, `last_seen_at = now(), down_since = null`);
    expect(await kinds()).toEqual([]);
    await logAt(device, 26);
    expect(await problems()).toMatchObject([{ kind: 'log_silence', id: device, name: 'Lobi' }]);
    await change('devices', device, 'logging_enabled = false');
    expect(await kinds()).toEqual([]);
    await change('devices', device, `logging_enabled = true, down_since = now()`);
    expect(await kinds()).toEqual([]);
    await change('devices', device, 'down_since = null');
    await logAt(device, 3);
    expect(await kinds()).toEqual([]);
  });

  test('whose last certificate ends within 30 days is a problem, not one that was revoked or replaced', async () => {
    const certify = (days: number, revoked = false) =>
      api.app.db.withSystem(async tx =>
        tx.run(sql`insert into device_certificates (tenant_id, id, device_id, name, serial, fingerprint, expires_at, revoked_at)
          values (${await api.tenantId(tenant)}, ${newId()}, ${device}, 'c', ${newId()}, sha256(convert_to(${newId()}, 'UTF8')),
            now() + make_interval(days => ${days}), ${revoked ? new Date() : null})`),
      );
    await certify(5, true);
    expect(await kinds()).toEqual([]);
    await certify(29);
    expect(await problems()).toMatchObject([{ kind: 'certificate', id: device }]);
    await certify(31);
    expect(await kinds()).toEqual([]);
  });
});

test('commands that an online router does not take are a problem', async () => {
  const queue = (minutesAgo: number, state = 'queued') =>
    api.inTenant(
      tx =>
        tx.run(sql`insert into router_commands (id, location_id, device_id, key, action, command, state, created_at)
          values (${newId()}, ${location}, ${device}, ${newId()}, 'block', '{}', ${state}, now() - make_interval(mins => ${minutesAgo}))`),
      tenant,
    );
  await change('devices', device, 'last_seen_at = now(), down_since = null');
  await queue(9);
  await queue(20, 'done');
  expect(await kinds()).toEqual([]);
  await queue(12);
  await queue(30, 'sent');
  expect(await problems()).toMatchObject([{ kind: 'backlog', id: device, name: 'Lobi', amount: 2 }]);
  expect(Date.now() - Date.parse((await problems())[0]!['since'])).toBeGreaterThan(29 * 60_000);
  const sees = async (permissions: string[]) => kinds((await user('member', { location, permissions })).token);
  expect(await sees(['view-basic-stats'])).toEqual([]);
  expect(await sees(['view-basic-stats', 'view-devices'])).toEqual(['backlog']);
  await change('devices', device, `up_since = now() - interval '9 minutes'`);
  expect(await kinds(), 'it was offline until then').toEqual([]);
  await change('devices', device, `up_since = now() - interval '11 minutes'`);
  expect(await kinds()).toEqual(['backlog']);
  // The dashboard says that it is offline.
  await change('devices', device, 'down_since = now()');
  expect(await kinds()).toEqual([]);
});

test('messages that run out are a problem', async () => {
  await change('locations', location, 'sms_limit = 100, sms_used = 89');
  expect(await kinds()).toEqual([]);
  await change('locations', location, 'sms_used = 90');
  expect(await problems()).toMatchObject([{ kind: 'sms', id: location, amount: 10 }]);
});

describe('a licence', () => {
  const days = (n: number) => `now() + interval '${n} days' - interval '1 hour'`;

  test('or demo that ends within a week is a problem for those who give licences', async () => {
    await change('locations', location, `trial_end_at = ${days(8)}`);
    expect(await kinds()).toEqual([]);
    await change('locations', location, `trial_end_at = ${days(7)}`);
    await change('locations', other, `trial_end_at = ${days(3)}, license_end_at = ${days(5)}`);
    expect(await problems()).toMatchObject([
      { kind: 'demo', id: location, name: 'Çınar Otel', amount: 7, location: { id: location } },
      { kind: 'licence', id: other, name: 'Kafe', amount: 5, location: { id: other } },
    ]);
    const member = await user('member', { location, permissions: ['view-basic-stats', 'update-location'] });
    expect(await kinds(member.token)).toEqual([]);
    expect(await kinds((await user('auditor')).token)).toEqual([]);
    expect(await kinds((await user('reseller')).token), 'not a customer of this reseller').toEqual([]);
    const { token, id } = await user('reseller');
    await change('locations', other, `owner_id = '${id}'`);
    expect(await kinds(token)).toEqual(['licence']);
  });

  test('that has ended comes before one that will end, and is no further problem in the strip', async () => {
    await change('locations', location, `trial_end_at = ${days(2)}`);
    await change('locations', other, `license_end_at = ${days(0)}`);
    expect(await problems()).toMatchObject([
      { kind: 'licence', id: other, amount: 0 },
      { kind: 'demo', id: location, amount: 2 },
    ]);
    const strip = (await api.get('panel/statistics/locations', { token: admin, tenant })).body.data;
    expect(strip).toMatchObject([
      { location: { id: other }, service: 'ended', problems: 0 },
      { location: { id: location }, service: 'running', problems: 1 },
    ]);
    await change('locations', other, `license_end_at = ${days(-30)}`);
    expect(await kinds(), 'a customer who left long ago').toEqual(['demo']);
    await change('locations', location, `suspended_at = now(), suspended_by = 'reseller'`);
    expect(await kinds()).toEqual([]);
  });

  test('is no problem on a reseller host, which shows no licences', async () => {
    await change('locations', location, `trial_end_at = ${days(2)}`);
    const host = `${tenant}.example`;
    await api.app.db.withSystem(async tx =>
      tx.run(sql`insert into tenant_domains (host, tenant_id, variant, proof, verified_at)
        values (${host}, ${await api.tenantId(tenant)}, 'reseller', 'p', now())`),
    );
    const headers = { host, authorization: `Bearer ${admin}` };
    const sees = async (path: string) =>
      (await api.server.inject({ url: `/v1/panel/statistics/${path}`, headers })).json().data;
    expect(await sees('problems')).toEqual([]);
    expect(await sees('locations')).toMatchObject([{ problems: 0 }, { problems: 0 }]);
    expect(await kinds()).toEqual(['demo']);
  });
});

test('what has stopped comes before what will stop', async () => {
  const hook = await post('panel/integration', {
    ...{ name: 'CRM', location_id: location, integration_id: 'webhook' },
    params: { connection: { type: 'webhook', url: 'https://example.com/', events: ['guest.online'] } },
  });
  await api.app.db.pool.query(`update integrations set problem = 'unreachable' where id = $1`, [hook['id']]);
  await change('locations', location, `sms_limit = 100, sms_used = 90, trial_end_at = now() + interval '2 days'`);
  await change('locations', other, 'sms_limit = 100, sms_used = 100');
  expect((await problems()).map(it => [it['kind'], it['name']])).toEqual([
    ['integration', 'CRM'],
    ['sms', 'Kafe'],
    ['demo', 'Çınar Otel'],
    ['sms', 'Çınar Otel'],
  ]);
});

test('an integration that fails is a problem, and each caller sees only what they may', async () => {
  const hook = await post('panel/integration', {
    ...{ name: 'CRM', location_id: location, integration_id: 'webhook' },
    params: { connection: { type: 'webhook', url: 'https://example.com/', events: ['guest.online'] } },
  });
  await api.app.db.pool.query(`update integrations set problem = 'unreachable' where id = $1`, [hook['id']]);
  await fail(location, Array(12).fill(3));
  await change('locations', location, 'sms_limit = 100, sms_used = 90');
  await change('devices', device, 'last_seen_at = now()');
  await logAt(device, 40);
  expect(await kinds()).toEqual(['failed_logins', 'log_silence', 'integration', 'sms']);

  const member = async (it: object) => (await user('member', { location, ...it })).token;
  expect(await kinds(await member({ permissions: ['view-basic-stats'] }))).toEqual(['failed_logins', 'sms']);
  expect(await kinds(await member({ permissions: ['view-basic-stats', 'view-devices'] }))).toEqual([
    'failed_logins',
    'log_silence',
    'sms',
  ]);
  const ofOther = (await user('member', { location: other, permissions: ['view-basic-stats', 'view-devices'] })).token;
  expect(await kinds(ofOther)).toEqual([]);
  expect(await kinds(ofOther, `?locationIds=${location}`)).toEqual([]);
  expect(await kinds(admin, `?locationIds=${other}`)).toEqual([]);
  const foreign = (await api.user('tenant-admin', { tenant: 'elsewhere' })).token;
  expect((await api.get('panel/statistics/problems', { token: foreign, tenant: 'elsewhere' })).body.data).toEqual([]);
  const silent = await member({ permissions: ['view-clients'] });
  expect((await api.get('panel/statistics/problems', { token: silent, tenant })).status).toBe(403);
  expect((await api.get('panel/statistics/problems?locationIds=x', { token: admin, tenant })).status).toBe(422);
});

test('a failing webhook of the tenant is a problem for those who see all locations', async () => {
  const hook = await post('panel/integration', {
    ...{ name: 'Bütün', location_id: null, integration_id: 'webhook' },
    params: { connection: { type: 'webhook', url: 'https://example.com/', events: ['guest.online'] } },
  });
  await api.app.db.pool.query(`update integrations set problem = 'unreachable' where id = $1`, [hook['id']]);
  const sees = async (token: string, query = '') =>
    (await problems(token, query)).filter(it => it.id === hook['id']).map(it => it.location);
  expect(await sees(admin)).toEqual([null]);
  expect(await sees((await user('auditor')).token)).toEqual([null]);
  expect(await sees(admin, `?locationIds=${location}`)).toEqual([]);
  const permissions = ['view-basic-stats', 'view-integrations'];
  for (const token of [(await user('reseller')).token, (await user('member', { location, permissions })).token])
    expect(await sees(token)).toEqual([]);
  expect((await api.get('panel/statistics/locations', { token: admin, tenant })).status).toBe(200);
});

test('a member limited to one device sees the problems of that device only', async () => {
  const [mine, theirs] = [device, await addDevice(location, 'A1:B2:C3:D4:E5:02')];
  await change('devices', theirs, 'last_seen_at = now()');
  await logAt(theirs, 50);
  await fail(location, Array(12).fill(3));
  const permissions = ['view-basic-stats', 'view-devices', 'view-integrations'];
  const limited = (await user('member', { location, permissions, deviceIds: [mine] })).token;
  expect((await problems(limited)).map(it => it.id)).not.toContain(theirs);
  expect(await kinds(limited)).toEqual(['failed_logins']);
});

describe('people are told once', () => {
  type Listed = { kind: string; title: string; data: Body };
  const notices = async (token: string, language: 'tr' | 'en' = 'en'): Promise<Listed[]> => {
    for (let i = 0; i < 2; i++) await tellProblems(api.app);
    return (await api.get('panel/notification', { token, tenant, language })).body.data;
  };

  test('of failing sign-ins, by location, and members by permission', async () => {
    const member = (at: string, permissions: string[]) => user('member', { location: at, permissions });
    const [sees, elsewhere, desk] = await Promise.all([
      member(other, ['view-basic-stats']),
      member(location, ['view-basic-stats']),
      member(other, ['view-clients']),
    ]);
    await fail(other, Array(12).fill(5));
    expect(await notices(admin, 'tr')).toMatchObject([
      { kind: 'failed_sign_ins', title: 'Kafe: birçok misafir girişi başarısız', data: { failed: 12 } },
    ]);
    expect((await notices(sees.token)).map(it => it.kind)).toEqual(['failed_sign_ins']);
    for (const { token } of [elsewhere, desk]) expect(await notices(token)).toEqual([]);
  });

  test('of a device that sends no logs, and again when it has fallen silent again', async () => {
    const limited = await user('member', { location, deviceIds: [], permissions: ['view-devices'] });
    await change('devices', device, `last_seen_at = now(), down_since = null`);
    await logAt(device, 40);
    const data = { device: 'Lobi', location: 'Çınar Otel' };
    expect(await notices(admin)).toMatchObject([{ kind: 'log_silence', data }]);
    expect((await api.post('panel/notification/read-all', { token: admin, tenant })).status).toBe(204);
    await logAt(device, 27);
    expect(await notices(admin)).toHaveLength(2);
    expect(await notices(limited.token)).toEqual([]);
  });

  test('of commands that a router does not take', async () => {
    await change('devices', device, 'last_seen_at = now(), down_since = null');
    await api.inTenant(
      tx =>
        tx.run(sql`insert into router_commands (id, location_id, device_id, key, action, command, state, created_at)
          select new_id(), ${location}, ${device}, n::text, 'block', '{}', 'queued', now() - interval '12 minutes' from generate_series(1, 3) n`),
      tenant,
    );
    expect(await notices(admin)).toMatchObject([{ kind: 'commands_waiting', data: { device: 'Lobi', waiting: 3 } }]);
  });
});
