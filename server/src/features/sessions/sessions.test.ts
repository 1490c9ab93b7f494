import { once } from 'node:events';
import sql from 'sql-template-tag';
import { beforeEach, describe, expect, test } from 'vitest';
import { copyCsv } from '#db/copy.ts';
import { startApi } from '#test/harness.ts';
import { sendWaitingCommands } from './sessions.service.ts';
import { answers, type CoaRouter, startCoaRouter } from './testing/coa-router.ts';
import { makeScene, type Scene } from './testing/scene.ts';

// A command that is answered late on a busy machine is not repeated meanwhile.
const api = await startApi({ COA_TIMEOUT: '30' });
/** Each test has a tenant of its own. */
let slug: string;
let scene: Scene;
let admin: string;
let clerk: string;
let outsider: string;
let limited: string;
let first: string;

let tenants = 0;
beforeEach(async () => {
  slug = `venue-${++tenants}`;
  scene = await makeScene(api.app, await api.tenantId(slug));
  admin = (await api.user('tenant-admin', { tenant: slug })).token;
  clerk = await member({ permissions: ['view-basic-stats'] });
  limited = await member({ deviceIds: [(await scene.addDevice()).id] });
  outsider = (await api.user('tenant-admin')).token;
  await scene.addVisitor('ada', 'pw', { phone: '+905301234567', room_number: '12' });
  await scene.send('start', { ago: 50 });
  await scene.send('interim', { up: 5e9, down: 6e9, ago: 20 });
  await scene.send('start', { session: 's2', mac: 'B0:00:00:00:00:02', ip: '10.5.50.77', user: '', ago: 5 });
  first = (await scene.open())[0]!.id;
});

async function member(options: { permissions?: readonly string[]; deviceIds?: readonly string[] }): Promise<string> {
  const user = await api.user('member', { tenant: slug, location: scene.locationId, ...options });
  await scene.inTenant(tx =>
    tx.run(sql`update users set active_location_id = ${scene.locationId} where id = ${user.id}`),
  );
  return user.token;
}
const get = (at: string, token = admin) => api.get(at, { token, tenant: slug });

describe('the online list', () => {
  test('shows open sessions, newest first', async () => {
    const { status, body } = await get('panel/onlines');
    expect(status).toBe(200);
    expect(body.meta).toMatchObject({ total: 2, per_page: 200 });
    expect(body.data[0]).toMatchObject({
      client: null,
      name: null,
      client_mac: 'B0:00:00:00:00:02',
      client_ip: '10.5.50.77',
    });
    expect(body.data[1]).toMatchObject({
      rhid: first,
      name: 'Ada Guest',
      upload: 5e9,
      download: 6e9,
      kick: null,
      client: { name: 'Ada Guest', provider_type: 'username', room_number: '12' },
      device: { id: scene.device.id },
    });
  });

  test('shows the oldest first if that is asked for', async () => {
    const ids = async (order: string) =>
      (await get(`panel/onlines?sort=started${order}`)).body.data.map((row: { rhid: string }) => row.rhid);
    expect(await ids('&order=asc')).toEqual((await ids('')).reverse());
    const wrong = await get('panel/onlines?sort=download');
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['sort']]);
  });

  test('leaves out a session whose router has missed three reports', async () => {
    const missed = (reports: number) =>
      api.app.db.withSystem(tx =>
        tx.run(sql`update online_sessions set updated_at = now() - ${reports}::float8 * interim * interval '1 second'
          where tenant_id = ${scene.tenantId} and client_mac = 'B0:00:00:00:00:02'`),
      );
    const total = async () => (await get('panel/onlines')).body.meta.total;
    await missed(2);
    expect(await total()).toBe(2);
    await missed(3);
    expect(await total()).toBe(1);
    await missed(0);
  });

  test('is filtered by any part of MAC and IP address, and by device', async () => {
    const found = async (query: string) => (await get(`panel/onlines?${query}`)).body.data.length;
    expect(await found('mac=b0:00')).toBe(1);
    expect(await found('mac=0000')).toBe(2);
    expect(await found('mac=A0:00:00:00:00:01')).toBe(1);
    expect(await found('ip=.50.77')).toBe(1);
    expect(await found('ip=10.5.50.7')).toBe(1);
    expect(await found(`deviceIds=${scene.device.id}`)).toBe(2);
    expect(await found('deviceIds=00000000-0000-4000-8000-000000000000')).toBe(0);
  });

  test('is searched by the visitor’s name, user name, phone and room, by readers of visitors only', async () => {
    const found = async (search: string, token = admin) =>
      (await get(`panel/onlines?search=${encodeURIComponent(search)}`, token)).body.data.length;
    for (const search of ['ada', 'GUEST', '5301234', '12']) expect(await found(search), search).toBe(1);
    expect(await found('nobody')).toBe(0);
    expect(await found('ada', clerk)).toBe(0);
    expect(await found('ada', limited)).toBe(0);
  });

  test('hides names without the permission to see visitors, and everything from other tenants', async () => {
    const { body } = await get('panel/onlines', clerk);
    expect(body.data[1]).toMatchObject({ name: 'A*** G***', client: { name: 'A*** G***', room_number: null } });
    expect((await get('panel/onlines', limited)).body.data).toEqual([]);
    expect((await get('panel/onlines', await member({ permissions: [] }))).status).toBe(403);
    expect((await api.get('panel/onlines', { token: outsider })).body.data).toEqual([]);
  });
});

describe('the reports', () => {
  beforeEach(async () => {
    await scene.send('start', { session: 'x1', mac: 'C0:00:00:00:00:03', ago: 3 });
    await scene.send('stop', { session: 'x1', mac: 'C0:00:00:00:00:03', up: 1_000_000, down: 3_000_000 });
    await scene.send('start', { session: 'x2', mac: 'C0:00:00:00:00:03' });
    await scene.send('stop', { session: 'x2', mac: 'C0:00:00:00:00:03', down: 9 });
  });
  const day = (shift: number) => new Date(Date.now() + shift * 86_400_000).toISOString().slice(0, 10);
  const around = `session_date=${day(-1)} 00:00:00,${day(1)} 23:59:59`;

  test('sessions of a period, open and closed', async () => {
    const { body } = await get(`panel/reports/sessions?${around}`);
    expect(body.meta).toMatchObject({ total: 4, per_page: 100 });
    expect(body.data.filter((row: { ended_at: string | null }) => row.ended_at === null)).toHaveLength(2);
    expect(body.data.find((row: { download: number }) => row.download === 6e9).client).toMatchObject({
      name: 'Ada Guest',
      phone: '+905301234567',
    });
    expect((await get(`panel/reports/sessions?${around}&client_mac=C0:00:00:00:00:03`)).body.data).toHaveLength(2);
    expect((await get(`panel/reports/sessions?${around}&user_ip=50.77`)).body.data).toHaveLength(1);
    const named = (search: string, token = admin) => get(`panel/reports/sessions?${around}&search=${search}`, token);
    expect((await named('ADA')).body.meta.total).toBe(3);
    expect((await named('nobody')).body.data).toEqual([]);
    expect((await named('ada', clerk)).body.data).toEqual([]);
    expect(
      (await get(`panel/reports/sessions?${around}&search=ada&download=true`)).text.trim().split('\r\n'),
    ).toHaveLength(4);
    expect((await get(`panel/reports/sessions?${around}&page=2&per_page=3`)).body.data).toHaveLength(1);
    const ids = async (order: string) =>
      (await get(`panel/reports/sessions?${around}&order=${order}`)).body.data.map((row: { id: string }) => row.id);
    expect(await ids('asc')).toEqual((await ids('desc')).reverse());
    const [oldest] = await ids('asc');
    expect((await get(`panel/reports/sessions?${around}&order=asc&per_page=1`)).body.data[0].id).toBe(oldest);
    expect(
      (await get('panel/reports/sessions?session_date=2020-01-01 00:00:00&session_date=2020-01-02 00:00:00')).body.data,
    ).toEqual([]);
    const wrong = await get('panel/reports/sessions?session_date=yesterday');
    expect(wrong.status).toBe(422);
    expect(wrong.body.errors).toEqual({ session_date: ['This is not a valid date.'] });
    expect((await get('panel/reports/sessions?session_date=2026-13-45 00:00:00')).status).toBe(422);
    expect((await get(`panel/reports/sessions?${around}`, limited)).body.data).toEqual([]);
  });

  test('are exported as CSV without formulas, and masked without the permission', async () => {
    await scene.inTenant(tx => tx.run(sql`update visitors set name = '=1+1 "Ada"'`));
    const whole = await get(`panel/reports/sessions?${around}&download=true&per_page=1000000`);
    expect(whole.headers.get('content-type')).toContain('text/csv');
    expect(whole.headers.get('content-disposition')).toContain('session-reports.csv');
    const today = await get('panel/reports/sessions?download=true');
    expect(today.status, 'today, when no dates are named').toBe(200);
    expect(today.text.replace(/^\uFEFF/, '')).toMatch(/^User,Phone,MAC/);
    const lines = whole.text.trim().split('\r\n');
    expect(lines).toHaveLength(5);
    expect(lines[0]).toContain('User,Phone,MAC');
    expect(whole.text).toContain(`"'=1+1 ""Ada""",'+905301234567,C0:00:00:00:00:03,10.5.50.9,`);
    expect(whole.text).toMatch(/,3,1\r\n/);
    expect(lines[1], 'times carry their offset').toMatch(/,\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\+\d\d,/);
    expect(whole.text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    const turkish = await api.get(`panel/reports/sessions?${around}&download=true`, {
      token: clerk,
      tenant: slug,
      language: 'tr',
    });
    expect(turkish.text).toContain('Kullanıcı');
    expect(turkish.text).not.toContain('905301234567');
    expect(turkish.text).toContain(',***67,');
    await scene.inTenant(tx => tx.run(sql`update visitors set name = 'Ada Guest'`));
  });

  test('an exported time is in the second that the screen shows, also just before a minute', async () => {
    // By the database's owner, because the product never changes a closed session.
    const move = (seconds: number) =>
      api.app.db.pool.query(
        `update session_history set started_at = started_at + make_interval(secs => $1)
         where tenant_id = $2 and client_mac = 'C0:00:00:00:00:03' and download = 3000000`,
        [seconds, scene.tenantId],
      );
    const shown = async (): Promise<string> =>
      (await get(`panel/reports/sessions?${around}`)).body.data.find(
        (row: { download: number }) => row.download === 3e6,
      ).started_at;
    const before = Date.parse(await shown());
    const late = (59_700 - (before % 60_000) - 60_000) / 1000;
    await move(late);
    const at = (await shown()).slice(14, 19);
    expect(at).toMatch(/:59$/);
    expect((await get(`panel/reports/sessions?${around}&download=true`)).text).toContain(`:${at}+`);
    await move(-late);
  });

  test('an aborted export releases its database connection', async () => {
    const { app } = api;
    const copies = async () =>
      (
        await app.db.pool.query(
          `select 1 from pg_stat_activity where query like 'copy (%' and state <> 'idle' and datname = current_database()`,
        )
      ).rowCount;
    const endlessRows = sql`select repeat('x', 1000) from generate_series(1, 100000) a, generate_series(1, 1000) b`;
    const inside = { tenantId: scene.tenantId, timeZone: 'UTC' };
    const endless = await copyCsv(app.db, inside, endlessRows);
    await once(endless, 'readable');
    // Connections of earlier tests may still be closing.
    await expect.poll(copies).toBe(1);
    endless.destroy();
    await expect.poll(copies).toBe(0);
    // A client that stays connected but does not read.
    const stalled = await copyCsv(app.db, inside, endlessRows, 100);
    await once(stalled, 'readable');
    await expect.poll(() => stalled.destroyed).toBe(true);
    await expect.poll(copies).toBe(0);
    // A tenant that reads none of its files leaves places to the others.
    const held = await Promise.all([1, 2, 3].map(() => copyCsv(app.db, inside, endlessRows)));
    await expect(copyCsv(app.db, inside, endlessRows)).rejects.toMatchObject({ code: '53300' });
    const other = { ...inside, tenantId: await api.tenantId('panel') };
    held.push(await copyCsv(app.db, other, endlessRows));
    for (const rows of held) rows.destroy();
    await expect.poll(copies).toBe(0);
  });

  test('guest devices with several sessions, until they are blocked', async () => {
    const { body } = await get('panel/reports/multiple-sessions');
    expect(body.data).toMatchObject([
      {
        client_mac: 'C0:00:00:00:00:03',
        total: 2,
        device_id: scene.device.id,
        client: { name: 'Ada Guest', provider_id: 'ada' },
        accounting: { acctoutputoctets: 9 },
      },
    ]);
    expect((await get('panel/reports/multiple-sessions?client_mac=A0')).body.data).toEqual([]);
    expect((await get('panel/reports/multiple-sessions', limited)).body.data).toEqual([]);
    await scene.inTenant(tx =>
      tx.run(
        sql`insert into mac_rules (id, device_id, mac, type) values (gen_random_uuid(), ${scene.device.id}, 'C0:00:00:00:00:03', 'blocked')`,
      ),
    );
    expect((await get('panel/reports/multiple-sessions')).body.data).toEqual([]);
  });

  test('failed sign-ins by guest device, with typed values only for users who may see visitors', async () => {
    await scene.signIn({ user: 'ada', password: 'wrong' });
    await scene.signIn({ user: 'ada', password: 'wrong too' });
    await scene.signIn({ user: 'eve', password: 'wrong', mac: 'A0:00:00:00:00:09', ip: '10.5.50.99' });
    const { body } = await get('panel/failed-login');
    expect(body.meta.total).toBe(2);
    expect(body.data[0]).toMatchObject({ client_mac: 'A0:00:00:00:00:09', client_ip: '10.5.50.99', total: 1 });
    expect(body.data[1].attempts).toHaveLength(2);
    expect(body.data[1].attempts[0]).toMatchObject({
      provider_slug: 'username',
      reason: 'wrong_credentials',
      params: { username: 'ada', password: '••••••••' },
      is_known: true,
      visitor: { id: expect.any(String), name: expect.any(String) },
      device: { id: expect.any(String), name: expect.any(String) },
    });
    expect(body.data[0].attempts[0]).toMatchObject({ is_known: false, visitor: null });
    for (const [i, row] of body.data.entries())
      expect((await get(`panel/failed-login?per_page=1&page=${i + 1}`)).body.data, 'page by page').toEqual([row]);
    const masked = await get('panel/failed-login?ip=.99', clerk);
    expect(masked.body.data).toHaveLength(1);
    expect(masked.body.data[0].attempts[0].params).toEqual({ username: '••••••••', password: '••••••••' });
    expect((await get('panel/failed-login', clerk)).body.data[1].attempts[0].visitor).toBeNull();
    expect((await get('panel/failed-login', limited)).body.data).toEqual([]);
    expect((await get('panel/failed-login?start_at=2020-01-01&end_at=2020-01-02')).body.data).toEqual([]);
    const early = await get('panel/failed-login?end_at=2020-01-02');
    expect([early.status, early.body.data]).toEqual([200, []]);
  });
});

describe('filters of the lists', () => {
  beforeEach(() => scene.signIn({ user: 'ada', password: 'wrong' }));

  const total = async (at: string) => {
    // A member's days are those of the location, whose clock shows noon. The administrator's day may be another one.
    const { status, body, text } = await get(at, clerk);
    expect(status, text).toBe(200);
    return body.meta.total;
  };

  test('by location leaves the sessions and attempts of other locations out', async () => {
    const other = '00000000-0000-4000-8000-000000000000';
    for (const at of ['panel/onlines', 'panel/failed-login', 'panel/reports/sessions'])
      for (const field of ['location_id', 'locationIds']) {
        expect(await total(`${at}?${field}=${scene.locationId}`), at).toBe(await total(at));
        expect(await total(`${at}?${field}=${other}`), at).toBe(0);
        const wrong = await get(`${at}?${field}=x`);
        expect([wrong.status, Object.keys(wrong.body.errors)], at).toEqual([422, [field]]);
      }
    expect(await total(`panel/onlines?location_id=${scene.locationId}&locationIds=${other}`)).toBe(0);
    const file = await get(`panel/reports/sessions?download=true&location_id=${other}`, clerk);
    expect(file.text.trim().split('\n'), 'only the header').toHaveLength(1);
  });

  test('by location reach outside the active team, but not outside what the caller may see', async () => {
    const { id, token } = await api.user('tenant-admin', { tenant: slug });
    const made = await api.post('panel/location', { token, tenant: slug, body: { name: 'Başka' } });
    const other = made.body.data.id;
    await scene.inTenant(tx => tx.run(sql`update users set active_location_id = ${other} where id = ${id}`));
    const seen = async (at: string) => (await api.get(at, { token, tenant: slug })).body;
    expect((await seen('panel/onlines')).meta.total, 'the active team has none').toBe(0);
    expect((await seen(`panel/onlines?location_id=${scene.locationId}`)).meta.total).toBe(2);
    expect((await seen(`panel/onlines?locationIds=${scene.locationId}`)).meta.total).toBe(0);
    expect((await seen('panel/statistics/overview')).data.onlines).toBe(0);
    expect((await seen(`panel/statistics/overview?location_id=${scene.locationId}`)).data.onlines).toBe(2);
    const reseller = (await api.user('reseller', { tenant: slug })).token;
    const theirs = await api.get(`panel/onlines?location_id=${scene.locationId}`, { token: reseller, tenant: slug });
    expect(theirs.body.meta.total).toBe(0);
  });

  test('by device may have three notations; an empty one is ignored', async () => {
    const { id } = scene.device;
    const other = '00000000-0000-4000-8000-000000000000';
    for (const at of ['panel/onlines', 'panel/failed-login', 'panel/reports/sessions']) {
      const all = await total(at);
      expect(all, at).toBeGreaterThan(0);
      for (const none of ['deviceIds=', 'deviceIds[]=', 'deviceIds=,']) expect(await total(`${at}?${none}`)).toBe(all);
      for (const both of [
        `deviceIds=${id}&deviceIds=${other}`,
        `deviceIds[]=${id}&deviceIds[]=${other}`,
        `deviceIds=${id},${other}`,
      ])
        expect(await total(`${at}?${both}`), both).toBe(all);
      expect(await total(`${at}?deviceIds[]=${other}`)).toBe(0);
      const wrong = await api.get(`${at}?deviceIds=${id},x`, { token: admin, tenant: slug, language: 'tr' });
      expect([wrong.status, wrong.body.errors]).toEqual([422, { deviceIds: ['Bu değer geçerli değil.'] }]);
    }
  });

  test('by MAC find nothing with letters that are not hexadecimal', async () => {
    for (const mac of ['zz', 'A0:ZZ', 'A0:00:00:00:00:GG'])
      for (const at of [
        `panel/onlines?mac=${mac}`,
        `panel/failed-login?mac=${mac}`,
        `panel/reports/sessions?client_mac=${mac}`,
      ])
        expect(await total(at), at).toBe(0);
    expect(await total('panel/onlines?mac=::')).toBe(2);
  });

  test.each([
    '2026-02-30',
    '2026-04-31 10:00:00',
    '2025-02-29T00:00:00Z',
    '0000-01-01',
    '2026-01-01T00:00:00+17:00',
    '2026-01-01 25:00:00',
  ])('of %s, which no calendar and no clock shows, are refused by field', async bad => {
    const at = encodeURIComponent(bad);
    for (const [call, field] of [
      [`panel/failed-login?start_at=${at}`, 'start_at'],
      [`panel/statistics/overview?start_at=2026-01-01&end_at=${at}`, 'end_at'],
      [`panel/statistics/visits?start_at=${at}&end_at=2026-03-02`, 'start_at'],
      [`panel/reports/sessions?session_date=${at},2026-05-02`, 'session_date'],
    ] as const) {
      const { status, body } = await api.get(call, { token: admin, tenant: slug, language: 'tr' });
      expect([status, body.errors], call).toEqual([422, { [field]: ['Geçerli bir tarih değil.'] }]);
    }
  });

  test('by a period that ends before it begins are refused at their field', async () => {
    for (const [at, field] of [
      ['panel/failed-login?start_at=2026-11-20&end_at=2026-11-19', 'end_at'],
      ['panel/reports/sessions?session_date=2026-11-20 10:00:00,2026-11-20 09:59:59', 'session_date'],
      [
        'panel/reports/sessions?download=true&session_date[]=2026-11-20 10:00:00&session_date[]=2026-11-20 09:00:00',
        'session_date',
      ],
      ['panel/reports/sessions?session_date=2026-11-20T10:00:00%2B03:00,2026-11-20T06:59:00Z', 'session_date'],
    ] as const) {
      const { status, body } = await get(at);
      expect([status, body.errors], at).toEqual([422, { [field]: ['The end must be after the start.'] }]);
    }
    expect((await get('panel/failed-login?start_at=2026-11-20&end_at=2026-11-20')).status, 'one day').toBe(200);
    expect(await total('panel/reports/sessions?session_date=2020-01-01')).toBe(0);
    for (const odd of ['2026-11-20 10:00:00', '2026-11-20,2026-11-21,2026-11-22']) {
      const { status, body } = await get(`panel/reports/sessions?session_date=${odd}`);
      expect([status, body.errors], odd).toEqual([422, { session_date: ['This is not a valid date.'] }]);
    }
  });
});

describe('ending a session', () => {
  let router: CoaRouter;
  beforeEach(async () => {
    router = await startCoaRouter();
    await scene.set('devices', scene.device.id, { coa_port: router.port });
  });
  const kick = (id: string, token = admin) => api.post(`panel/kick/${id}`, { token, tenant: slug });

  test('is refused to other tenants and without the permission to change visitors', async () => {
    expect((await kick(first, clerk)).status).toBe(403);
    expect((await kick(first, limited)).status).toBe(404);
    expect((await api.post(`panel/kick/${first}`, { token: outsider })).status).toBe(404);
    expect((await kick('00000000-0000-4000-8000-000000000000')).status).toBe(404);
    expect(router.received).toEqual([]);
    expect(await scene.inTenant(tx => tx.many(sql`select 1 from session_commands`))).toEqual([]);
  });

  test('is refused, then acknowledged, then confirmed by the Stop', async () => {
    router.reply = answers.refused;
    const { promise, resolve: letAnswer } = Promise.withResolvers<void>();
    router.held = promise;
    const refused = kick(first);
    await expect.poll(() => router.received).toHaveLength(1);
    expect(await kick(first)).toMatchObject({ status: 200, body: { data: { state: 'requested' } } });
    expect(router.received).toHaveLength(1);
    letAnswer();
    expect(await refused).toMatchObject({ status: 200, body: { data: { state: 'refused', reason: 'operator' } } });
    router.reply = answers.acknowledged;
    expect((await kick(first)).body.data).toMatchObject({ state: 'acknowledged' });
    expect(router.received.at(-1)![0]).toBe(40);
    expect(router.received.at(-1)!.includes('s1')).toBe(true);
    const { body } = await get('panel/onlines?mac=A0:00:00:00:00:01');
    expect(body.data[0].kick).toMatchObject({ state: 'acknowledged' });
    await scene.send('stop', {});
    expect((await kick(first)).status).toBe(404);
    expect(await scene.inTenant(tx => tx.many(sql`select state from session_commands order by requested_at`))).toEqual([
      { state: 'refused' },
      { state: 'confirmed' },
    ]);
  });

  test('a command that was not sent is sent by the job', async () => {
    router.reply = answers.acknowledged;
    await scene.set('locations', scene.locationId, { trial_end_at: '2020-01-01' });
    await scene.set('devices', scene.device.id, { trial_end_at: '2020-01-01' });
    await scene.send('interim', { session: 's2', mac: 'B0:00:00:00:00:02', user: '' });
    await sendWaitingCommands(api.app);
    expect(router.received).toHaveLength(1);
    const { body } = await get('panel/onlines?mac=B0');
    expect(body.data[0].kick).toMatchObject({ state: 'acknowledged', reason: 'licence' });
  });

  test('reports that there is no answer', async () => {
    router.reply = undefined;
    await scene.inTenant(tx => tx.run(sql`update devices set last_address = null`));
    const [open] = await scene.open();
    expect((await kick(open!.id)).body.data).toMatchObject({ state: 'no-answer' });
  });
});
