import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '#lib/ids.ts';
import { type Body, startApi, type TestApi } from '#test/harness.ts';

/** The limits from which problems, states of locations and figures count. */

let api: TestApi;
/** Each test has a tenant of its own, with a location and a device. */
let tenant: string;
let tenantId: string;
let admin: string;
let location: string;
let device: string;

const run = (text: string, ...values: unknown[]) => api.app.db.pool.query(text, values);
const post = async (at: string, body: object): Promise<string> => {
  const answer = await api.post(at, { token: admin, tenant, body });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data.id;
};
const get = async (at: string): Promise<Body> =>
  (await api.get(`panel/statistics/${at}`, { token: admin, tenant })).body;
const kinds = async () => (await get('problems')).data.map((it: Body) => it['kind']);
const addLocation = (name: string) => post('panel/location', { name });
let macs = 0;
const addDevice = async (at: string) => {
  const [brand] = (await api.get('panel/device/brands', { token: admin, tenant })).body.data;
  const mac_address = `A1:B2:C3:D4:E5:${String(++macs).padStart(2, '0')}`;
  return post('panel/device', { location_id: at, brand_id: brand.id, name: 'Lobi', mac_address });
};
const fail = (minutesAgo: readonly number[], more: { device?: string } = {}) =>
  api.inTenant(
    tx =>
      tx.run(sql`insert into failed_logins (location_id, device_id, provider_slug, reason, created_at)
        select ${location}, ${more.device ?? device}, 'username', 'wrong_credentials', now() - make_interval(mins => m)
        from unnest(${minutesAgo}::int[]) m`),
    tenant,
  );
const account = (status: string, more: object = {}) =>
  api.app.db.withSystem(tx =>
    tx.run(
      sql`select account(${JSON.stringify([
        {
          ...{ tenant: tenantId, device, session: 's1', user_name: 'x', mac: '02:00:00:00:00:01', status },
          ...{ at: new Date().toISOString(), seconds: 0, upload: 0, download: 0, ...more },
        },
      ])}::jsonb)`,
    ),
  );

beforeAll(async () => {
  api = await startApi();
});
let tenants = 0;
beforeEach(async () => {
  tenant = `edges-${++tenants}`;
  macs = 0;
  admin = (await api.user('tenant-admin', { tenant })).token;
  tenantId = await api.tenantId(tenant);
  location = await addLocation('Çınar Otel');
  device = await addDevice(location);
});

describe('a problem', () => {
  const spread = (count: number) => Array.from({ length: count }, (_, n) => 61 + Math.floor((n * 1430) / count));

  test('is more than three times as many failed sign-ins as in an hour of the day before', async () => {
    await fail(spread(96));
    await fail(Array(12).fill(5));
    expect(await kinds(), 'three times as many').toEqual([]);
    await fail([5]);
    expect(await kinds()).toEqual(['failed_logins']);
  });

  test('is not hidden by failed sign-ins of an earlier day', async () => {
    await fail(Array(500).fill(25 * 60 + 1));
    await fail(Array(10).fill(45));
    expect(await kinds()).toEqual(['failed_logins']);
  });

  test('is the silence of a device that was seen within the hour, after 25 hours', async () => {
    const logAt = (hoursAgo: number) =>
      run(
        `insert into log_hours (tenant_id, device_id, hour, lines, minutes)
          values ($1, $2, date_trunc('hour', now() - make_interval(hours => $3)), 5, array_fill(0, array[60]))`,
        ...[tenantId, device, hoursAgo],
      );
    await run(
      `update devices set last_seen_at = now() - interval '50 minutes', down_since = null where id = $1`,
      device,
    );
    await logAt(27);
    expect(await kinds()).toEqual(['log_silence']);
    await run(`update devices set last_seen_at = now() - interval '61 minutes' where id = $1`, device);
    expect(await kinds()).toEqual([]);
    await run('update devices set last_seen_at = now() where id = $1', device);
    await logAt(24);
    expect(await kinds()).toEqual([]);
  });

  test('is a certificate that ended, for thirty days', async () => {
    const certify = (days: number) =>
      run(
        `insert into device_certificates (tenant_id, id, device_id, name, serial, fingerprint, expires_at)
          values ($1, $2::uuid, $3, 'c', $5, sha256(convert_to($5, 'UTF8')), now() + make_interval(days => $4))`,
        ...[tenantId, newId(), device, days, newId()],
      );
    await certify(-31);
    expect(await kinds()).toEqual([]);
    await certify(-29);
    expect(await kinds()).toEqual(['certificate']);
  });

  test('are messages from nine tenths of the limit on, and never less than none are left', async () => {
    const sms = async (limit: number, used: number) => {
      await run('update locations set sms_limit = $2, sms_used = $3 where id = $1', location, limit, used);
      return (await get('problems')).data.map((it: Body) => it['amount']);
    };
    expect(await sms(0, 0)).toEqual([]);
    expect(await sms(10, 8)).toEqual([]);
    expect(await sms(10, 9)).toEqual([1]);
    expect(await sms(10, 12)).toEqual([0]);
  });

  test('is a controller that fails and was told of', async () => {
    await run(
      `insert into controller_states (tenant_id, device_id, failing_since, problem, told) values ($1, $2, now(), 'login', false)`,
      ...[tenantId, device],
    );
    expect(await kinds()).toEqual([]);
    await run('update controller_states set told = true where device_id = $1', device);
    expect(await kinds()).toEqual(['controller']);
    await run('update controller_states set failing_since = null, problem = null where device_id = $1', device);
    expect(await kinds()).toEqual([]);
  });

  test('of the same kind comes before a smaller one', async () => {
    const second = await addDevice(location);
    await run('update devices set last_seen_at = now(), down_since = null where location_id = $1', location);
    for (const [id, count] of [
      [device, 1],
      [second, 2],
    ] as const)
      await run(
        `insert into router_commands (tenant_id, id, location_id, device_id, key, action, command, state, created_at)
          select $1, new_id(), $2, $3, n::text, 'block', '{}', 'queued', now() - interval '12 minutes' from generate_series(1, $4::int) n`,
        ...[tenantId, location, id, count],
      );
    expect((await get('problems')).data.map((it: Body) => it['amount'])).toEqual([2, 1]);
  });
});

describe('locations', () => {
  test('come in the order of their state: no service, offline, problems, waiting, then by name', async () => {
    await run('delete from devices where id = $1', device);
    const [zeytin, biri, bekler, sorun, kapali, duran] = [
      ...[await addLocation('Zeytin'), await addLocation('Birgül'), await addLocation('Bekleyen')],
      ...[await addLocation('Sorunlu'), await addLocation('Kapalı'), await addLocation('Duran')],
    ] as [string, string, string, string, string, string];
    await addDevice(bekler);
    const seen = (id: string, ago: string) =>
      run(`update devices set last_seen_at = now() - $2::interval where id = $1`, id, ago);
    for (const [at, count] of [
      [biri, 1],
      [zeytin, 2],
    ] as const)
      for (let n = 0; n < count; n++) await seen(await addDevice(at), '2 hours');
    await run('update locations set sms_limit = 10, sms_used = 10 where id = $1', sorun);
    await run(`update locations set suspended_at = now(), suspended_by = 'reseller' where id = $1`, duran);
    await run(`update locations set trial_end_at = now() - interval '1 second' where id = $1`, kapali);
    const { data, meta } = await get('locations');
    expect(
      data.map((it: Body) => [it['location'].name, it['service'], it['offline'], it['problems'], it['waiting']]),
    ).toEqual([
      ['Duran', 'suspended', 0, 0, 0],
      ['Kapalı', 'ended', 0, 0, 0],
      ['Zeytin', 'running', 2, 0, 0],
      ['Birgül', 'running', 1, 0, 0],
      ['Sorunlu', 'running', 0, 1, 0],
      ['Bekleyen', 'running', 0, 0, 1],
      ['Çınar Otel', 'running', 0, 0, 0],
    ]);
    expect(meta).toEqual({ total: 7, well: 1 });
  });

  test('count guests online until three reports are missing, in the overview too', async () => {
    await account('start');
    const online = async (seconds: number) => {
      await run(
        `update online_sessions set interim = 60, updated_at = now() - make_interval(secs => $2) where device_id = $1`,
        ...[device, seconds],
      );
      return [(await get('locations')).data[0].onlines, (await get('overview')).data.onlines];
    };
    expect(await online(120)).toEqual([1, 1]);
    expect(await online(181)).toEqual([0, 0]);
  });

  test('are set up with a batch of vouchers or a guest online, too', async () => {
    const steps = async () => {
      const { visitor, online } = (await get('setup')).data;
      return { visitor, online };
    };
    expect(await steps()).toEqual({ visitor: false, online: false });
    const profile = { name: 'Gün', location_id: location };
    const profile_id = await post('panel/location/user-profile', profile);
    await post('panel/voucher-batch', {
      location_id: location,
      name: 'Havuz',
      count: 1,
      profile_id,
      valid_until: '2099-01-01',
    });
    await account('start');
    expect(await steps()).toEqual({ visitor: true, online: true });
  });
});

test('traffic of a session that is still open is in the chart, and failed sign-ins are those of the device', async () => {
  await account('start');
  await account('interim', { seconds: 1, upload: 700, download: 900 });
  const sum = (of: number[]) => of.reduce((all, n) => all + n, 0);
  const { upload, download } = (await get('visits')).data;
  expect([sum(upload), sum(download)]).toEqual([700, 900]);
  const second = await addDevice(location);
  await fail([5, 6], { device: second });
  await fail([5]);
  const failed = async (query: string) => (await get(`overview${query}`)).data.failed_logins;
  expect([await failed(''), await failed(`?deviceIds=${second}`), await failed(`?deviceIds=${device}`)]).toEqual([
    3, 2, 1,
  ]);
  // The last day of one device, too.
  const visits = async (id: string) => sum((await get(`last-day?deviceIds=${id}`)).data.values);
  expect([await visits(device), await visits(second)]).toEqual([1, 0]);
});
