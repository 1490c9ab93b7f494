import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Body, startApi } from '#test/harness.ts';
import { makeScene, type Scene } from './testing/scene.ts';

/** The lists of sessions: which rows each shows, in which order, page by page. */

const api = await startApi();
const slug = 'venue';
let scene: Scene;
let admin: string;
let clerk: string;

beforeAll(async () => {
  scene = await makeScene(api.app, await api.tenantId(slug));
  admin = (await api.user('tenant-admin', { tenant: slug })).token;
  const user = await api.user('member', {
    tenant: slug,
    location: scene.locationId,
    permissions: ['view-basic-stats'],
  });
  await scene.inTenant(tx =>
    tx.run(sql`update users set active_location_id = ${scene.locationId} where id = ${user.id}`),
  );
  clerk = user.token;
  for (const [name, more] of [
    ['ada', { phone: '+905301234567', room_number: '12' }],
    ['sms', { provider_type: 'sms', phone: '+905301110000', name: 'Sms Guest' }],
    ['mail', { provider_type: 'email', email: 'mail@example.com', name: 'Mail Guest' }],
    ['room', { provider_type: 'room-number', room_number: '7', name: 'Room Guest' }],
  ] as const)
    await scene.addVisitor(name, 'pw', more);
  // From the oldest to the newest; some are over. One guest device has a single session.
  for (const [n, user] of [...order.entries()].reverse()) {
    const it = { session: `s${n}`, user, mac: n === 8 ? 'C0:00:00:00:00:05' : macOf(user), ip: `10.5.50.${n + 1}` };
    await scene.send('start', { ...it, ago: 20 + 5 * n });
    if (isOver(n)) await scene.send('stop', { ...it, ago: 16 + 5 * n, seconds: 4, up: 1000 * n, down: 2000 * n });
  }
  // However slow the machine is, they are not stale.
  await api.app.db.withSystem(tx => tx.run(sql`update online_sessions set interim = 3600`));
});
const order = ['ada', 'ada', 'sms', 'sms', 'mail', 'mail', 'room', 'room', 'ada', 'sms'];
const isOver = (n: number) => n % 2 === 1 || n === 6;
const macs: Record<string, string> = { ada: '01', sms: '02', mail: '03', room: '04' };
const macOf = (user: string) => `C0:00:00:00:00:${macs[user]}`;
const get = async (at: string, token = admin): Promise<Body> => {
  const answer = await api.get(at, { token, tenant: slug });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};
const lastOf = (row: Body) => Number(row.client_ip.split('.').at(-1)) - 1;
const day = (shift: number) => new Date(Date.now() + shift * 86_400_000).toISOString().slice(0, 10);
const history = `panel/reports/sessions?session_date=${day(-1)} 00:00:00,${day(1)} 23:59:59`;

describe('the sessions of a period', () => {
  test('are those online and those that are over, newest first, page by page', async () => {
    const rows = (await get(history)).data;
    expect(rows.map(lastOf)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(rows.map((it: Body) => it.ended_at !== null)).toEqual(order.map((_, n) => isOver(n)));
    expect(rows[3]).toMatchObject({
      upload: 3000,
      download: 6000,
      device: { id: scene.device.id },
      client: { name: 'Sms Guest' },
    });
    const page = async (query: string) => {
      const { data, meta } = await get(`${history}&${query}`);
      return [data.map(lastOf), meta.total];
    };
    expect(await page('per_page=4&page=2')).toEqual([[4, 5, 6, 7], 10]);
    expect(await page('per_page=4&page=3')).toEqual([[8, 9], 10]);
    expect(await page('per_page=3&page=2&order=asc')).toEqual([[6, 5, 4], 10]);
    expect(await page('user_ip=10.5.50.1')).toEqual([[0], 1]);
    expect(await page('user_ip=.50.1')).toEqual([[0, 9], 2]);
    expect(await page(`client_mac=${macOf('room')}`)).toEqual([[6, 7], 2]);
    expect(await page('client_mac=:04&user_ip=10.5.50.8')).toEqual([[7], 1]);
    expect(await page('search=Mail Guest')).toEqual([[4, 5], 2]);
  });

  test('are masked for a reader who may not see visitors', async () => {
    const [row] = (await get(`${history}&user_ip=10.5.50.1`, clerk)).data;
    expect(row.client).toMatchObject({ name: 'A*** G***', phone: '***67', room_number: null });
    const [full] = (await get(`${history}&user_ip=10.5.50.1`)).data;
    expect(full.client).toMatchObject({ name: 'Ada Guest', phone: '+905301234567', room_number: '12' });
  });
});

describe('the sessions that are online', () => {
  test('are listed by page, and found by address and name together', async () => {
    const page = async (query: string, token = admin) => {
      const { data, meta } = await get(`panel/onlines?${query}`, token);
      return [data.map(lastOf), meta.total];
    };
    expect(await page('')).toEqual([[0, 2, 4, 8], 4]);
    expect(await page('per_page=2&page=2')).toEqual([[4, 8], 4]);
    expect(await page('per_page=2&page=2&sort=started&order=asc')).toEqual([[2, 0], 4]);
    expect(await page('search=ada')).toEqual([[0, 8], 2]);
    expect(await page('search=ada&ip=10.5.50.9')).toEqual([[8], 1]);
    expect(await page('search=ada&mac=:02')).toEqual([[], 0]);
    expect(await page('search=ada', clerk)).toEqual([[], 0]);
  });
});

describe('guest devices with several sessions', () => {
  const at = 'panel/reports/multiple-sessions';
  const macsOf = (rows: Body[]) => rows.map(it => [it.client_mac.slice(-2), it.total]);

  test('are listed by their number of sessions, in both directions, page by page', async () => {
    const page = async (query: string) => {
      const { data, meta } = await get(`${at}?${query}`);
      return [macsOf(data), meta.total];
    };
    const all = [
      ['02', 3],
      ['01', 2],
      ['03', 2],
      ['04', 2],
    ];
    expect(await page('')).toEqual([all, 4]);
    expect(await page('per_page=3&page=2')).toEqual([all.slice(3), 4]);
    expect(await page('order=asc')).toEqual([[...all].reverse(), 4]);
    expect(await page('per_page=1&order=asc')).toEqual([all.slice(3), 4]);
    expect(await page(`client_mac=${macOf('mail')}`)).toEqual([[all[2]], 1]);
    expect(await page('client_mac=:04')).toEqual([[all[3]], 1]);
  });

  test('show how their guest signed in, to readers of visitors only, and their last session', async () => {
    const rows = (await get(at)).data;
    expect(rows.map((it: Body) => it.client.provider_id)).toEqual(['+905301110000', 'ada', 'mail@example.com', '7']);
    const hidden = (await get(at, clerk)).data;
    expect(hidden.map((it: Body) => it.client.provider_id)).toEqual([null, null, null, null]);
    expect(hidden[1].client.name).toBe('A*** G***');
    const [, ada, mail, last] = rows;
    expect(ada.accounting).toMatchObject({ acctstoptime: null, framedipaddress: '10.5.50.1' });
    expect(mail.accounting).toMatchObject({ acctstoptime: null, framedipaddress: '10.5.50.5', acctinputoctets: 0 });
    expect(last.accounting).toMatchObject({
      acctinputoctets: 6000,
      acctoutputoctets: 12_000,
      framedipaddress: '10.5.50.7',
    });
    expect(last.accounting.acctstoptime).not.toBeNull();
  });

  test('of a deleted router are left out, because it cannot block them', async () => {
    const tenant = 'far';
    const there = await makeScene(api.app, await api.tenantId(tenant));
    const { token } = await api.user('tenant-admin', { tenant });
    for (const n of [1, 2]) await there.send('start', { session: `gone${n}`, ago: 30 - n });
    const shown = async (query = '') => (await api.get(`${at}?${query}`, { token, tenant })).body;
    expect((await shown()).data).toMatchObject([{ client_mac: 'A0:00:00:00:00:01', total: 2 }]);
    const deleted = await api.delete(`panel/device/${there.device.id}`, { token, tenant });
    expect(deleted.status, deleted.text).toBe(204);
    expect([await shown(), await shown('per_page=1')]).toMatchObject([
      { data: [], meta: { total: 0 } },
      { data: [], meta: { total: 0 } },
    ]);
  });
});
