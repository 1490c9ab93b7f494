import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openRouterOs } from '@portico/simulator/router-os/router-os.ts';
import sql from 'sql-template-tag';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { stepAt, totpCode } from '#features/auth/totp.ts';
import { buildPages, startCaptive } from '#features/guests/testing/captive.ts';
import { cookiesOf, startVenue, stateOf, type Venue } from '#features/guests/testing/venue.ts';
import { sessionHandlers } from '#features/sessions/public.ts';
import { routerAt } from '#features/sessions/testing/router.ts';
import { type Body, startApi, type TestApi } from '#test/harness.ts';
import { confirmMove, exportTenant, type Installation, importTenant, switchTo } from './move.ts';

/** A venue with guests and a polling router whose tenant moves, seen from outside: panel, portal, RADIUS and router. Each test has its own. */

let venue: Venue;
let there: TestApi;
let thereCaptive: Awaited<ReturnType<typeof startCaptive>>;
let from: Installation;
let to: Installation;
let router: Awaited<ReturnType<typeof openRouterOs>>;
let username: string;
let folder: string;
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

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'portico-move-live-'));
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
  await venue.offer({ slug: 'username', options: { remember: 'cookie', remember_days: 7 } }, { slug: 'voucher' });
  const { text } = await venue.api.post(`panel/device/mikrotik/script/${venue.device.id}`, {
    token: venue.admin,
    body: form,
  });
  router = await openRouterOs({ version: '7.18.2 (stable)' });
  router.paste(text);
  expect(await poll()).toMatchObject({ status: 200 });
  username = await venue.visitor();
  venue.newMac();
});
afterEach(async () => {
  await router?.close();
  rmSync(folder, { recursive: true, force: true });
});

const poll = () => withAddresses(() => router.poll());
const freeze = () => exportTenant(from, { slug: 'panel', folder, passphrase }, () => undefined);
async function arrive(): Promise<void> {
  await freeze();
  await importTenant(to, { folder, passphrase }, () => undefined);
}
async function leave(): Promise<void> {
  await arrive();
  await switchTo(from, 'panel', { panelUrl: 'https://new.example', captiveUrl: 'https://guests.new.example' });
}
async function signInAt(captive: typeof venue.captive, username: string) {
  const page = await captive.get(venue.arrival());
  const agree = /name="agree"[^>]*value="(\w+)"/.exec(page.html)?.[1] ?? '';
  const notice = page.html.includes('name="notice"') ? '1' : '';
  const fields = { state: stateOf(page.html), agree, notice, method: 'username', username, password: 'parola 1' };
  return captive.form(venue.signInAt, fields, {});
}

/** Printed, written down or kept by a browser before the move. */
interface Lasting {
  /** The path in the QR code of a visitor's card, and of a voucher. */
  readonly card: string;
  readonly voucher: string;
  readonly recovery: { readonly email: string; readonly codes: readonly string[] };
  /** The cookie of a guest who is remembered. */
  readonly cookie: string;
}

/** A licence that a customer is paying: the page of the provider, and the addresses that the provider was told. */
interface LicencePayment {
  readonly page: string;
  readonly back: string;
  readonly hook: string;
}

async function beginLicence(): Promise<LicencePayment> {
  const params = { connection: { type: 'test-payment' } };
  await venue.create('panel/integration', {
    ...{ name: 'Tenant', integration_id: 'test-payment', location_id: null },
    params,
  });
  const terms = { is_active: true, price: 12_000, currency: 'eur', tax_rate: 2000 };
  await venue.api.put('panel/license-terms', { token: venue.admin, body: terms });
  const { url } = await venue.create(`panel/location/${venue.location}/license-payment`, { year: 1 });
  const [row] = await venue.rows(sql`select return_url from test_payments`);
  const hook = `/pay/licence-hook/${await venue.api.tenantId('panel')}`;
  return { page: new URL(url).pathname, back: new URL(row!['return_url']).pathname, hook };
}

async function makeLasting(): Promise<Lasting> {
  const pathOf = (it: Body) => new URL(it.sign_in_url).pathname;
  const place = { location_id: venue.location };
  const [card] = await venue.create('panel/client/bulk', {
    ...{ total_user: 1, name: 'Kart', provider_type: 'username' },
    ...place,
  });
  const batch = await venue.create('panel/voucher-batch', {
    ...{ name: 'Havuz', count: 1, valid_for: { is_active: true, option: 'day', value: 1 }, price: 0, currency: 'eur' },
    ...place,
    profile_id: (await venue.create('panel/location/user-profile', { name: 'Havuz', ...place })).id,
  });
  const post = async (at: string, token: string, body: object = {}) =>
    (await venue.api.post(at, { token, body })).body.data;
  const [voucher] = await post(`panel/voucher-batch/${batch.id}/cards`, venue.admin);
  const { token, email } = await venue.api.user('tenant-admin');
  const { secret } = await post('panel/user/two-factor', token, { password: 'secret1' });
  const code = totpCode(secret, stepAt(Date.now()));
  const { recovery_codes: codes } = await post('panel/user/two-factor/confirm', token, { code });
  const answer = await signInAt(venue.captive, username);
  expect(answer.status).toBe(303);
  const ticket = new URL(answer.headers.get('location')!).searchParams.get('username')!;
  expect((await venue.routerAccepts(ticket)).outcome).toBe('accept');
  return { card: pathOf(card), voucher: pathOf(voucher), recovery: { email, codes }, cookie: cookiesOf(answer) };
}

describe('a tenant that moves', () => {
  test('can be read but not changed while it is frozen: the caller is told when to try again', async () => {
    const { back, hook } = await beginLicence();
    await freeze();
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
    await expect.poll(async () => (await page()).status).toBe(503);
    expect((await page()).headers.get('retry-after')).toBe('30');
    expect([(await venue.captive.get(back)).status, (await venue.captive.post(hook, {})).status]).toEqual([503, 503]);
    // RADIUS knows no such device, and is silent: the router tries again.
    expect(await sessionHandlers(venue.api.app).resolveDevice(venue.nas)).toBeUndefined();
    expect(await poll()).toEqual({ status: 503, scripts: 0 });
    expect(router.polls()).toContain('https://old.example/');
  });

  test('is served by the other installation: panel, portal and RADIUS', async () => {
    await arrive();
    const token = venue.admin;
    expect((await there.get('panel/location', { token })).body.data).toMatchObject([{ name: 'Kafe <Çınar>' }]);
    expect((await there.post('panel/location', { token, body: { name: 'Yeni' } })).status).toBe(201);
    const device = (await there.get(`panel/device/${venue.device.id}`, { token })).body.data;
    expect(device.secret).toBe(venue.device.secret);
    const guest = await signInAt(thereCaptive, username);
    expect([guest.status, guest.headers.get('location')]).toEqual([303, expect.stringContaining('http')]);
    const router = await routerAt(there.app, venue.nas);
    expect(router.device.secret.toString()).toBe(venue.device.secret);
    const decision = await router.asks(username, { mac: 'AA:BB:CC:00:01:01' }, 'parola 1');
    expect(decision).toMatchObject({ outcome: 'accept' });
  });

  test('keeps what was printed, written down or kept by browsers, and its keys open nothing of other tenants', async () => {
    const { card, voucher, cookie, recovery } = await makeLasting();
    await arrive();
    for (const path of [card, voucher]) {
      const page = await thereCaptive.get(path);
      expect(page.status, page.html).toBe(200);
      venue.newMac();
      expect((await thereCaptive.get(venue.arrival(), { cookie: cookiesOf(page) })).status).toBe(303);
    }
    venue.newMac();
    expect((await thereCaptive.get(venue.arrival(), { cookie })).status).toBe(303);
    const { email, codes } = recovery;
    const login = (code: string) => there.post('user/login', { body: { email, password: 'secret1', code } });
    expect((await login(codes[0]!)).status).toBe(200);
    expect((await login(codes[0]!)).status, 'used up').toBe(422);
    const find = sql`select id from tenants where slug = 'settled'`;
    const { id: settled } = await there.app.db.withSystem(tx => tx.one<{ id: string }>(find));
    const moved = await venue.api.tenantId('panel');
    const keysOf = (api: TestApi, id: string) => api.app.secrets.ofTenant(id).keys;
    expect(keysOf(there, moved)).toEqual(keysOf(venue.api, moved));
    expect(keysOf(venue.api, settled).signature).not.toBe(keysOf(venue.api, moved).signature);
    expect(keysOf(there, settled)).not.toEqual(keysOf(venue.api, settled));
  });

  test('tells its router the new address, where the router sets itself up', async () => {
    const headers = { 'x-portico-token': 'x'.repeat(43) };
    await leave();
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

  test('licenses what is paid meanwhile: the provider and the buyer are sent there', async () => {
    const { page, back, hook } = await beginLicence();
    await leave();
    const portal = 'https://guests.new.example';
    await expect.poll(async () => (await venue.captive.get(back)).status).toBe(307);
    const led = await Promise.all([venue.captive.get(page), venue.captive.get(back), venue.captive.post(hook, {})]);
    expect(led.map(it => [it.status, it.headers.get('location')])).toEqual(
      [page, back, hook].map(at => [307, portal + at]),
    );
    expect((await thereCaptive.post(page, { decide: 'pay' })).status).toBe(303);
    const returned = await thereCaptive.get(back);
    expect(returned.status).toBe(303);
    expect(returned.headers.get('location')).toMatch(/^https:\/\/new\.example\/onboarding\/subscribe\/payment\?/);
    const payments = await there.get('panel/license-payment', { token: venue.admin });
    expect(payments.body.data).toMatchObject([{ state: 'paid', amount: 12_000 }]);
    // The test provider sends no notifications; the address is known here.
    expect((await thereCaptive.post(hook, {})).status).not.toBe(404);
  });

  test('sends operators and guests there, also after its rows are removed', async () => {
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
    await leave();
    // A process may know the tenant of before for ten seconds.
    await expect.poll(async () => (await venue.api.get('panel/location', { token: venue.admin })).status).toBe(404);
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
  try {
    await router.poll();
  } finally {
    globalThis.fetch = real;
  }
  return token;
}
