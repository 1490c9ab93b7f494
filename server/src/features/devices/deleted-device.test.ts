import sql from 'sql-template-tag';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { answers, type CoaRouter, startCoaRouter } from '#features/sessions/testing/coa-router.ts';
import { makeScene, type Scene } from '#features/sessions/testing/scene.ts';
import { startApi } from '#test/harness.ts';

const api = await startApi({ COA_TIMEOUT: '1' });
const slug = 'gone';
let admin: string;
let tenant: string;

beforeAll(async () => {
  tenant = await api.tenantId(slug);
  admin = (await api.user('tenant-admin', { tenant: slug })).token;
});
const as = () => ({ token: admin, tenant: slug });
const get = async (at: string) => (await api.get(at, as())).body.data;

/** A venue whose guest `ada` is online now and was online once before. */
async function venue(): Promise<{ scene: Scene; visitor: string; session: string }> {
  const scene = await makeScene(api.app, tenant);
  const body = {
    location_id: scene.locationId,
    name: 'Ada',
    provider_type: 'username',
    username: 'ada',
    password: 'parola1',
  };
  const visitor = (await api.post('panel/client', { ...as(), body })).body.data.id;
  await scene.send('start', { session: 'before', ago: 300 });
  await scene.send('stop', { session: 'before', ago: 200, seconds: 100 });
  await scene.send('start', { session: 'now', ago: 50 });
  await scene.send('interim', { session: 'now', up: 700, down: 900, seconds: 40, ago: 10 });
  const [open] = await get(`panel/onlines?deviceIds=${scene.device.id}`);
  return { scene, visitor, session: open.rhid };
}

test('sessions end when their device is deleted, and their visitor can be changed and deleted', async () => {
  const { scene, visitor, session } = await venue();
  const { device } = scene;
  const more = await scene.addDevice();
  await scene.send('start', { session: 'else', mac: 'A0:00:00:00:00:02', device: more });
  const report = 'panel/reports/multiple-sessions';
  expect((await get(report)).some((it: { device_id: string }) => it.device_id === device.id)).toBe(true);

  const answers = await Promise.all([1, 2, 3].map(() => api.delete(`panel/device/${device.id}`, as())));
  expect(answers.map(it => it.status).sort()).toEqual([204, 404, 404]);

  expect(await get(`panel/onlines?deviceIds=${device.id}`)).toEqual([]);
  expect(await get(`panel/onlines?deviceIds=${more.id}`)).toHaveLength(1);
  const rows = await get(`panel/reports/sessions?deviceIds=${device.id}`);
  expect(rows.find((it: { id: string }) => it.id === session)).toMatchObject({
    device: null,
    upload: 700,
    download: 900,
    close_reason: 'stale',
    ended_at: expect.any(String),
  });
  // A MAC cannot be blocked at a deleted device.
  expect((await get(report)).some((it: { device_id: string }) => it.device_id === device.id)).toBe(false);
  expect((await scene.days()).map(it => it.upload).reduce((a, b) => a + b)).toBeGreaterThanOrEqual(700);

  // The router may continue to report. That must not open a session again.
  await scene.send('interim', { session: 'now', up: 800, seconds: 90 });
  await scene.send('start', { session: 'later' });
  expect(await get(`panel/onlines?deviceIds=${device.id}`)).toEqual([]);

  const paused = await api.post(`panel/client/${visitor}/pause`, as());
  expect(paused.status, paused.text).toBe(200);
  expect((await api.delete(`panel/client/${visitor}`, as())).status).toBe(204);
});

test('the session list still shows sessions of a deleted visitor', async () => {
  const { scene, visitor, session } = await venue();
  expect((await api.delete(`panel/client/${visitor}`, as())).status).toBe(204);
  const client = { id: visitor, name: '' };
  expect(await get(`panel/onlines?deviceIds=${scene.device.id}`)).toMatchObject([
    { rhid: session, name: null, client },
  ]);
  expect(await get(`panel/reports/sessions?deviceIds=${scene.device.id}`)).toMatchObject([{ client }, { client }]);
  await scene.send('start', { session: 'no user', mac: 'A0:00:00:00:00:09', user: '' });
  const [unnamed] = await get(`panel/onlines?deviceIds=${scene.device.id}&mac=00:09`);
  expect(unnamed.client).toBeNull();
});

test('sessions end when the location of their device is deleted', async () => {
  const { scene, session } = await venue();
  const answers = await Promise.all([1, 2].map(() => api.delete(`panel/location/${scene.locationId}`, as())));
  expect(answers.map(it => it.status).sort()).toEqual([204, 404]);
  expect(await get(`panel/onlines?deviceIds=${scene.device.id}`)).toEqual([]);
  expect(
    (await get(`panel/reports/sessions?deviceIds=${scene.device.id}`)).map((it: { id: string }) => it.id),
  ).toContain(session);
});

describe('the router of a deleted device', () => {
  const disconnectRequest = 40;
  /** Three guests are online at a router that answers. A busy machine may take long for it. */
  async function online(): Promise<{ scene: Scene; router: CoaRouter }> {
    const { settings } = api.app;
    const { COA_TIMEOUT } = settings;
    Object.assign(settings, { COA_TIMEOUT: 30 });
    onTestFinished(() => void Object.assign(settings, { COA_TIMEOUT }));
    const { scene } = await venue();
    for (const n of [3, 4]) await scene.send('start', { session: `guest-${n}`, mac: `A0:00:00:00:00:0${n}` });
    const router = await startCoaRouter();
    router.reply = answers.acknowledged;
    await scene.set('devices', scene.device.id, { coa_port: router.port });
    return { scene, router };
  }
  const asked = (router: CoaRouter) => router.received.map(packet => packet[0]);
  const sessions = (router: CoaRouter) =>
    ['now', 'guest-3', 'guest-4'].filter(name => router.received.some(packet => packet.includes(name)));

  const deletions: [string, (scene: Scene) => ReturnType<typeof api.delete>][] = [
    ['the device', ({ device }) => api.delete(`panel/device/${device.id}`, as())],
    [
      'selected devices',
      ({ device }) => api.post('panel/device/selected/delete', { ...as(), body: { ids: [device.id] } }),
    ],
    ['the location', ({ locationId }) => api.delete(`panel/location/${locationId}`, as())],
  ];

  test.each(deletions)('is asked to end its sessions, and can still report them: %s', async (_what, remove) => {
    const { scene, router } = await online();
    let free = (): void => undefined;
    router.held = new Promise(resolve => (free = resolve));
    const removed = remove(scene);
    await vi.waitFor(() => expect(router.received.length).toBeGreaterThan(0), { timeout: 120_000 });
    // The router reports the end of the session before it answers.
    await scene.send('stop', { session: 'now', up: 1500, down: 2500, seconds: 60 });
    free();
    expect((await removed).status).toBeLessThan(300);
    expect(sessions(router)).toEqual(['now', 'guest-3', 'guest-4']);
    expect(new Set(asked(router))).toEqual(new Set([disconnectRequest]));
    const rows = await get(`panel/reports/sessions?deviceIds=${scene.device.id}`);
    expect(rows).toContainEqual(expect.objectContaining({ upload: 1500, download: 2500, close_reason: 'stop' }));
  });

  test.each(deletions)(
    'takes no guests meanwhile, by MAC or password, and ends the session of one who was let in just before: %s',
    async (_what, remove) => {
      const { scene, router } = await online();
      const mac = 'A0:00:00:00:00:66';
      const body = { type: 'bypassed', mac, name: 'TV' };
      const rule = await api.post(`panel/device/${scene.device.id}/macs`, { ...as(), body });
      expect(rule.status, rule.text).toBe(201);
      const tries = async () => [
        (await scene.signIn({ user: mac, password: mac, mac })).outcome,
        (await scene.signIn({ user: 'ada', password: 'parola1', mac: 'A0:00:00:00:00:67' })).outcome,
      ];
      expect(await tries()).toEqual(['accept', 'accept']);
      let answer = (): void => undefined;
      router.held = new Promise(resolve => (answer = resolve));
      const removed = remove(scene);
      await vi.waitFor(() => expect(router.received.length).toBeGreaterThan(0), { timeout: 120_000 });
      expect(await tries()).toEqual(['reject', 'reject']);
      await scene.send('start', { session: 'just-before', mac });
      answer();
      expect((await removed).status).toBeLessThan(300);
      expect(router.received.some(packet => packet.includes('just-before'))).toBe(true);
    },
  );

  test('takes guests again if its deletion is broken off', async () => {
    const { scene } = await venue();
    const asks = async () =>
      (await scene.signIn({ user: 'ada', password: 'parola1', mac: 'A0:00:00:00:00:67' })).outcome;
    for (const [ago, outcome] of [
      ['1 minute', 'reject'],
      ['3 minutes', 'accept'],
      // The clock was set back since.
      ['-1 hour', 'accept'],
    ]) {
      const began = sql`update devices set deleting_at = now() - ${ago}::interval where id = ${scene.device.id}`;
      await api.app.db.withTenant(tenant, tx => tx.run(began));
      expect(await asks(), ago).toBe(outcome);
    }
  });

  test('that does not answer is asked for one session only, and the device is deleted', async () => {
    const { scene, router } = await online();
    router.reply = undefined;
    Object.assign(api.app.settings, { COA_TIMEOUT: 1 });
    expect((await api.delete(`panel/device/${scene.device.id}`, as())).status).toBe(204);
    expect(sessions(router)).toHaveLength(1);
    expect(await get(`panel/onlines?deviceIds=${scene.device.id}`)).toEqual([]);
  });

  test('that takes too long is not asked about the rest, and the device is deleted', async () => {
    const { scene, router } = await online();
    let free = (): void => undefined;
    router.held = new Promise(resolve => (free = resolve));
    const removed = api.delete(`panel/device/${scene.device.id}`, as());
    await vi.waitFor(() => expect(router.received.length).toBeGreaterThan(0), { timeout: 120_000 });
    const began = performance.now();
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => began + 60_000);
    onTestFinished(() => clock.mockRestore());
    free();
    expect((await removed).status).toBe(204);
    expect(sessions(router)).toHaveLength(1);
    expect(await get(`panel/onlines?deviceIds=${scene.device.id}`)).toEqual([]);
  });

  test('is not asked by those who may not delete it', async () => {
    const { scene, router } = await online();
    const more = await scene.addDevice();
    const at = { tenant: slug, location: scene.locationId };
    const reader = { ...(await api.user('member', { ...at, permissions: ['view-devices'] })), tenant: slug };
    const limited = { ...(await api.user('member', { ...at, deviceIds: [more.id] })), tenant: slug };
    const stranger = { ...(await api.user('tenant-admin', { tenant: 'elsewhere' })), tenant: 'elsewhere' };
    for (const { token, tenant } of [reader, limited, stranger]) {
      const ids = [scene.device.id];
      const answers = [
        await api.delete(`panel/device/${scene.device.id}`, { token, tenant }),
        await api.post('panel/device/selected/delete', { token, tenant, body: { ids } }),
        await api.delete(`panel/location/${scene.locationId}`, { token, tenant }),
      ];
      for (const { status } of answers) expect([403, 404, 422]).toContain(status);
    }
    const missing = { ids: [scene.device.id, '01a1fa3e-cdf1-703d-ad31-9b554b6d0ac9'] };
    expect((await api.post('panel/device/selected/delete', { ...as(), body: missing })).status).toBe(422);
    expect(router.received).toEqual([]);
  });
});

test('another tenant cannot end sessions by deleting a foreign device', async () => {
  const { scene, session } = await venue();
  const stranger = (await api.user('tenant-admin', { tenant: 'elsewhere' })).token;
  const answer = await api.delete(`panel/device/${scene.device.id}`, { token: stranger, tenant: 'elsewhere' });
  expect(answer.status).toBe(404);
  // The function sees all tenants, so it must check the tenant itself.
  await api.app.db.withTenant(await api.tenantId('elsewhere'), tx =>
    tx.run(sql`select close_device_sessions(array[${scene.device.id}::uuid])`),
  );
  expect(await get(`panel/onlines?deviceIds=${scene.device.id}`)).toMatchObject([{ rhid: session }]);
});
