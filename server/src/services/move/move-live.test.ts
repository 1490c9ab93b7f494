import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openRouterOs } from '@portico/simulator/router-os/router-os.ts';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildPages, startCaptive } from '#features/guests/testing/captive.ts';
import { startVenue, stateOf, type Venue } from '#features/guests/testing/venue.ts';
import { sessionHandlers } from '#features/sessions/public.ts';
import { type Body, startApi, type TestApi } from '#test/harness.ts';
import { confirmMove, exportTenant, type Installation, importTenant, switchTo } from './move.ts';

/** A venue with guests and a polling router whose tenant moves, seen from outside: panel, portal, RADIUS and router. */

let venue: Venue;
let there: TestApi;
let thereCaptive: Awaited<ReturnType<typeof startCaptive>>;
let from: Installation;
let to: Installation;
let router: Awaited<ReturnType<typeof openRouterOs>>;
const folder = mkdtempSync(path.join(tmpdir(), 'portico-move-live-'));
const passphrase = 'a passphrase for the tests';
const form = {
  ...{ gateway_interface: 'ether1', gateway_ip: '192.168.88.2', hotspot_address: '10.5.50.1' },
  ...{ hotspot_subnet: '24', guestInterfaces: ['ether2'] },
};

const urlOf = (api: TestApi): string => api.app.db.pool.options.connectionString!;
/** Addresses of installations lead to their servers in this test. */
async function withAddresses<T>(work: () => Promise<T>): Promise<T> {
  const real = globalThis.fetch;
  const local = (url: string) =>
    url.replace('https://old.example', venue.api.url).replace('https://new.example', there.url);
  globalThis.fetch = (input, init) => real(local(String(input)), init);
  try {
    return await work();
  } finally {
    globalThis.fetch = real;
  }
}

beforeAll(async () => {
  venue = await startVenue({ PUBLIC_URL: 'https://old.example', CAPTIVE_URL: 'https://guests.old.example' });
  there = await startApi({
    ...{ SECRET_KEY: 'the key of the other installation', PUBLIC_URL: 'https://new.example' },
    CAPTIVE_URL: 'https://guests.new.example',
  });
  // A new installation has a tenant of this name, which the one that arrives takes.
  await there.app.db.withSystem(tx => tx.run(sql`update tenants set slug = 'settled' where slug = 'panel'`));
  thereCaptive = await startCaptive(there, await buildPages());
  from = { app: venue.api.app, url: urlOf(venue.api) };
  to = { app: there.app, url: urlOf(there) };
  await venue.offer({ slug: 'username' });
  const { text } = await venue.api.post(`panel/device/mikrotik/script/${venue.device.id}`, {
    token: venue.admin,
    body: form,
  });
  router = await openRouterOs({ version: '7.18.2 (stable)' });
  router.paste(text);
});
afterAll(async () => {
  await router?.close();
  rmSync(folder, { recursive: true, force: true });
});

const poll = () => withAddresses(() => router.poll());
async function signInAt(captive: typeof venue.captive, username: string): Promise<Body> {
  const page = await captive.get(venue.arrival());
  const agree = /name="agree"[^>]*value="(\w+)"/.exec(page.html)?.[1] ?? '';
  const notice = page.html.includes('name="notice"') ? '1' : '';
  const fields = { state: stateOf(page.html), agree, notice, method: 'username', username, password: 'parola 1' };
  return captive.form(venue.signInAt, fields, {});
}

describe('a tenant that moves', () => {
  let username: string;
  test('works before', async () => {
    username = await venue.visitor();
    venue.newMac();
    expect((await signInAt(venue.captive, username)).status).toBe(303);
    expect(await poll()).toMatchObject({ status: 200 });
  });

  test('can be read but not changed while it is frozen: the caller is told when to try again', {
    timeout: 60_000,
  }, async () => {
    await exportTenant(from, { slug: 'panel', folder, passphrase }, () => undefined);
    const token = venue.admin;
    expect((await venue.api.get('panel/location', { token })).status).toBe(200);
    for (const language of ['en', 'tr'] as const) {
      const answer = await venue.api.post('panel/location', { token, language, body: { name: 'Yeni' } });
      expect([answer.status, answer.body.code, answer.headers.get('retry-after')]).toEqual([
        503,
        'tenant_moving',
        '30',
      ]);
      expect(answer.body.message).toMatch(language === 'en' ? /being moved/ : /taşınıyor/);
    }
    venue.newMac();
    // The portal remembers for five seconds that no tenant leaves.
    const page = () => venue.captive.get(venue.arrival());
    await expect.poll(async () => (await page()).status, { timeout: 15_000 }).toBe(503);
    expect((await page()).headers.get('retry-after')).toBe('30');
    // RADIUS knows no such device, and is silent: the router tries again.
    expect(await sessionHandlers(venue.api.app).resolveDevice(venue.nas)).toBeUndefined();
    expect(await poll()).toEqual({ status: 503, scripts: 0 });
    expect(router.polls()).toContain('https://old.example/');
  });

  test('is served by the other installation: panel, portal and RADIUS', async () => {
    await importTenant(to, { folder, passphrase }, () => undefined);
    const token = venue.admin;
    expect((await there.get('panel/location', { token })).body.data).toMatchObject([{ name: 'Kafe <Çınar>' }]);
    expect((await there.post('panel/location', { token, body: { name: 'Yeni' } })).status).toBe(201);
    const device = (await there.get(`panel/device/${venue.device.id}`, { token })).body.data;
    expect(device.secret).toBe(venue.device.secret);
    const guest = await signInAt(thereCaptive, username);
    expect([guest.status, guest.headers.get('location')]).toEqual([303, expect.stringContaining('http')]);
    const handlers = sessionHandlers(there.app);
    const found = (await handlers.resolveDevice(venue.nas))!;
    expect(found.secret.toString()).toBe(venue.device.secret);
    const request = {
      ...{
        device: found,
        userName: username,
        mac: 'AA:BB:CC:00:01:01',
        framedIp: '10.5.50.77',
        key: 'k',
        proven: true,
      },
      checkPassword: (typed: string) => typed === 'parola 1',
    };
    const [decision] = await handlers.authorize([request as never]);
    expect(decision).toMatchObject({ outcome: 'accept' });
  });

  test('tells its router the new address, where the router sets itself up', async () => {
    const headers = { 'x-portico-token': 'x'.repeat(43) };
    await switchTo(from, 'panel', { panelUrl: 'https://new.example', captiveUrl: 'https://guests.new.example' });
    expect((await venue.api.get(`device/poll/${venue.nas}`, { headers })).status).toBe(401);
    expect(await poll()).toEqual({ status: 200, scripts: 1 });
    expect(router.polls()).toContain('https://new.example/');
    const left = () => there.app.db.withSystem(tx => tx.many(sql`select from moved_routers`));
    expect(await left()).toHaveLength(1);
    expect(await poll()).toEqual({ status: 200, scripts: 1 });
    expect(await left()).toHaveLength(0);
    expect(await poll()).toMatchObject({ status: 200 });
    const { data } = (await there.get(`panel/device/${venue.device.id}`, { token: venue.admin })).body;
    expect(data).toMatchObject({ status: 'online', router_version: '7.18.2' });
  });

  test('sends operators and guests there, also after its rows are removed', { timeout: 60_000 }, async () => {
    const check = async () => {
      const answer = await venue.api.get('panel/location', { token: venue.admin, language: 'tr' });
      expect([answer.status, answer.body]).toEqual([
        404,
        { code: 'tenant_moved', message: 'Verileriniz artık başka bir sunucuda: https://new.example' },
      ]);
      const page = await venue.captive.get(venue.arrival());
      expect([page.status, page.headers.get('location')]).toEqual([
        307,
        `https://guests.new.example${venue.arrival()}`,
      ]);
      router.paste(
        `/system scheduler add name="portico" on-event="fetch url=(\\"https://old.example/v1/device/poll/${venue.nas}\\?version=\\" x) x-portico-token: ${token}"`,
      );
      expect(await poll()).toEqual({ status: 200, scripts: 1 });
      expect(router.polls()).toContain('https://new.example/');
    };
    const token = await pollToken();
    // A process may know the tenant of before for ten seconds.
    await expect
      .poll(async () => (await venue.api.get('panel/location', { token: venue.admin })).status, { timeout: 15_000 })
      .toBe(404);
    await check();
    await confirmMove(from, 'panel');
    await check();
    expect(await sessionHandlers(venue.api.app).resolveDevice(venue.nas)).toBeUndefined();
    expect((await there.get('panel/location', { token: venue.admin })).status).toBe(200);
  });
});

/** The token in the router's scheduler. */
async function pollToken(): Promise<string> {
  let token = '';
  const real = globalThis.fetch;
  globalThis.fetch = async (_, init) => {
    token = new Headers(init?.headers).get('x-portico-token') ?? token;
    return new Response('');
  };
  await router.poll();
  globalThis.fetch = real;
  return token;
}
