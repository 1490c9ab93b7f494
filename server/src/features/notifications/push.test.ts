import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSecrets } from '#lib/secrets.ts';
import { takeMails } from '#mail/testing.ts';
import { startApi, type TestApi } from '#test/harness.ts';
import { notify } from './notifications.service.ts';
import { pushKeys } from './push-keys.ts';
import { sendPushes } from './push-send.service.ts';
import { claimsOf, makeBrowser, startPushService } from './testing/push-service.ts';

let api: TestApi;
let admin: { id: string; email: string; token: string };
let service: Awaited<ReturnType<typeof startPushService>>;
let publicKey: string;
beforeAll(async () => {
  service = await startPushService();
  api = await startApi({ INTEGRATIONS_INSIDE: '1' });
  admin = await api.user('tenant-admin');
  publicKey = (await api.get(at, { token: admin.token })).body.data.public_key;
});
beforeEach(() => {
  service.answer(() => ({ status: 201 }));
  service.take();
});

const at = 'panel/user/push';
let paths = 0;
/** A browser of the user with notifications turned on. */
async function turnOn(token: string, tenant = 'panel', path = `/send/${++paths}`) {
  const browser = makeBrowser(`${service.url}${path}`);
  const headers = {
    'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/141.0.0.0 Safari/537.36',
  };
  const answer = await api.put(at, { token, tenant, body: browser.subscription, headers });
  expect(answer.status, answer.text).toBeLessThan(300);
  return { ...browser, path, id: answer.body.data.id as string, answer };
}
const browsersOf = async (token: string, tenant = 'panel') =>
  (await api.get(at, { token, tenant })).body.data.browsers as { id: string; name: string; problem: string | null }[];

/** A member of a location who wants offline devices in the browser. */
async function technician() {
  const location = await api.location(admin.token, 'Otel');
  const user = await api.user('member', { location });
  const body = { choices: [{ kind: 'device_offline', way: 'push' }] };
  expect((await api.put('panel/user/notification', { token: user.token, body })).status).toBe(200);
  const offline = (device: string, deviceId: string | null = null) =>
    api.inTenant(tx =>
      notify(tx, {
        kind: 'device_offline',
        to: { location, deviceId },
        data: { device, location: 'Otel' },
        locationId: location,
        deviceId,
      }),
    );
  return { ...user, location, offline };
}
const send = () => sendPushes(api.app);
/** Ends the pauses after failures. */
const later = () => api.app.db.pool.query("update push_browsers set next_at = now() - interval '1 second'");

describe('a notification', () => {
  test('is shown in each browser of its user, in their language, encrypted and signed, once with two processes', async () => {
    const user = await technician();
    await api.app.db.pool.query("update users set language = 'tr' where id = $1", [user.id]);
    const [first, second] = [await turnOn(user.token), await turnOn(user.token)];
    const device = '00000000-0000-4000-8000-00000000000a';
    await user.offline('Lobi', device);
    await Promise.all([send(), send()]);
    const got = service.take();
    expect(got.map(it => it.path).sort()).toEqual([first.path, second.path].sort());
    for (const browser of [first, second]) {
      const pushed = got.find(it => it.path === browser.path)!;
      expect(browser.read(pushed)).toEqual({
        title: 'Lobi çevrimdışı',
        body: 'Cihazdan Otel lokasyonunda bir süredir haber alınamıyor.',
        language: 'tr',
        path: `/devices/${device}`,
        tag: expect.any(String),
      });
      expect(pushed.headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '43200', urgency: 'high' });
      expect(pushed.body.toString('latin1')).not.toContain('Lobi');
      const { aud, exp, sub } = claimsOf(pushed, publicKey);
      expect([aud, sub]).toEqual([service.url, 'http://localhost:8080']);
      // RFC 8292: at most a day ahead.
      expect(exp * 1000 - Date.now()).toBeLessThan(24 * 3_600_000);
      expect(exp * 1000).toBeGreaterThan(Date.now());
      const other = browser === first ? second : first;
      expect(() => other.read(pushed), 'for this browser only').toThrow();
    }
    await send();
    expect(service.take(), 'once').toEqual([]);
    expect(await browsersOf(user.token)).toMatchObject([
      { name: 'Chrome, Windows', service: 'localhost', problem: null, sent_at: expect.any(String) },
      { name: 'Chrome, Windows' },
    ]);
  });

  test('comes with the others of the moment in one message, and not if it was read or is out of reach', async () => {
    const user = await technician();
    const browser = await turnOn(user.token);
    for (const device of ['A', 'B', 'C']) await user.offline(device);
    await send();
    const [message, ...others] = service.take();
    expect(others).toEqual([]);
    expect(browser.read(message!)).toMatchObject({
      title: 'C is offline',
      body: 'Location: Otel.\nAnd 2 more.',
      path: '/notifications',
    });
    await user.offline('Read');
    await api.post('panel/notification/read-all', { token: user.token });
    await send();
    expect(service.take()).toEqual([]);
    await user.offline('Removed');
    await api.user('member', { location: user.location });
    await api.delete(`panel/location/${user.location}/user/${user.id}`, { token: admin.token });
    await send();
    expect(service.take()).toEqual([]);
  });

  test('leads a member of several locations to the list, which opens each notice at its location', async () => {
    const user = await technician();
    const browser = await turnOn(user.token);
    await api.app.db.pool.query(
      `insert into location_members (tenant_id, location_id, user_id, permissions)
       select tenant_id, $2, user_id, permissions from location_members where user_id = $1`,
      [user.id, await api.location(admin.token, 'Plaj')],
    );
    await user.offline('Lobi', '00000000-0000-4000-8000-00000000000b');
    await send();
    expect(browser.read(service.take()[0]!)).toMatchObject({ title: 'Lobi is offline', path: '/notifications' });
  });

  test('beyond twenty messages in an hour comes at its end, with the others in one', async () => {
    const user = await technician();
    const browser = await turnOn(user.token);
    await api.app.db.pool.query('update push_browsers set hour_sent = 19 where id = $1', [browser.id]);
    for (const device of ['19', '20', '21']) {
      await user.offline(device);
      await send();
    }
    expect(service.take().map(it => browser.read(it).title)).toEqual(['19 is offline']);
    await api.app.db.pool.query(
      "update push_browsers set hour_at = hour_at - interval '1 hour', next_at = next_at - interval '1 hour' where id = $1",
      [browser.id],
    );
    await send();
    expect(service.take().map(it => browser.read(it).body)).toEqual(['Location: Otel.\nAnd 1 more.']);
  });
});

describe('a push service', () => {
  test('that is busy is asked again after the time that it names, and one that fails after growing pauses', async () => {
    const user = await technician();
    const browser = await turnOn(user.token);
    await user.offline('Lobi');
    const wait = async () =>
      (
        await api.app.db.pool.query(
          'select round(extract(epoch from next_at - now()))::int as seconds, problem from push_browsers where id = $1',
          [browser.id],
        )
      ).rows[0] as { seconds: number; problem: string | null };
    service.answer(() => ({ status: 429, headers: { 'retry-after': '1200' } }));
    await send();
    await send();
    expect(service.take(), 'it waits').toHaveLength(1);
    expect(await wait()).toMatchObject({ problem: 'refused', seconds: expect.closeTo(1200, -2) });
    service.answer(() => ({ status: 503, headers: { 'retry-after': '864000' } }));
    await later();
    await send();
    expect((await wait()).seconds, 'at most an hour').toBeLessThanOrEqual(3600);
    service.answer(() => ({ status: 500 }));
    await later();
    await send();
    expect((await wait()).seconds).toBeLessThanOrEqual(300);
    service.answer(() => ({ status: 201 }));
    await later();
    await send();
    expect(service.take().map(it => browser.read(it).title)).toEqual(Array(3).fill('Lobi is offline'));
    expect(await browsersOf(user.token)).toMatchObject([{ problem: null }]);
  });

  test('that says a browser is gone ends it; a message that it refuses for good is not repeated', async () => {
    const user = await technician();
    const gone = await turnOn(user.token);
    const kept = await turnOn(user.token);
    service.answer(it => ({ status: it.path === gone.path ? 410 : 400 }));
    await user.offline('Lobi');
    await send();
    await later();
    await send();
    expect(service.take()).toHaveLength(2);
    expect(await browsersOf(user.token)).toMatchObject([{ id: kept.id, problem: 'refused' }]);
    service.answer(() => ({ status: 404 }));
    await user.offline('Havuz');
    await send();
    expect(await browsersOf(user.token)).toEqual([]);
  });

  test('that cannot be reached is tried for about a day', async () => {
    const user = await technician();
    const { id, path } = await turnOn(user.token);
    const away = { endpoint: 'https://localhost:1/', keys: makeBrowser('').subscription.keys };
    await api.app.db.pool.query('update push_browsers set subscription = $2 where id = $1', [
      id,
      api.app.secrets.encrypt(JSON.stringify(away)),
    ]);
    await user.offline('Lobi');
    const waiting = async () =>
      (await api.app.db.pool.query('select from push_notices where browser_id = $1', [id])).rowCount;
    for (let attempt = 1; attempt <= 7; attempt++) {
      await send();
      expect(await waiting(), `after attempt ${attempt}`).toBe(1);
      await later();
    }
    await send();
    expect(await waiting()).toBe(0);
    expect(await browsersOf(user.token)).toMatchObject([{ problem: 'unreachable' }]);
    expect(service.take().filter(it => it.path === path)).toEqual([]);
  });
});

describe('a browser', () => {
  test('belongs to the user who turned it on last, in one tenant', async () => {
    const [user, other] = [await technician(), await technician()];
    const foreign = await api.user('tenant-admin', { tenant: 'elsewhere' });
    const mine = await turnOn(user.token);
    expect(mine.answer.status).toBe(201);
    expect((await turnOn(user.token, 'panel', mine.path)).answer.status, 'again').toBe(200);
    const id = (await browsersOf(user.token))[0]!.id;
    expect((await api.delete(`${at}/${id}`, { token: other.token })).status).toBe(404);
    expect((await api.delete(`${at}/${id}`, { token: admin.token })).status).toBe(404);
    expect((await api.delete(`${at}/${id}`, { token: foreign.token, tenant: 'elsewhere' })).status).toBe(404);
    expect(await browsersOf(other.token)).toEqual([]);
    expect(await browsersOf(foreign.token, 'elsewhere')).toEqual([]);
    // Another tenant may be opened in the same browser, at the same address.
    await turnOn(foreign.token, 'elsewhere', mine.path);
    expect(await browsersOf(user.token)).toHaveLength(1);
    await turnOn(other.token, 'panel', mine.path);
    expect(await browsersOf(user.token)).toEqual([]);
    await user.offline('Lobi');
    await send();
    expect(service.take()).toEqual([]);
    const [theirs] = await browsersOf(other.token);
    expect((await api.delete(`${at}/${theirs!.id}`, { token: other.token })).status).toBe(204);
    expect(await browsersOf(other.token)).toEqual([]);
    const log = await api.get('panel/audit?per_page=5', { token: admin.token });
    expect(log.text).toContain('Chrome, Windows');
  });

  test('ends with its sign-in if that is ended, not if that runs out', async () => {
    const user = await technician();
    await turnOn(user.token);
    await api.post('user/logout', { token: user.token });
    const left = () => api.app.db.pool.query('select from push_browsers where user_id = $1', [user.id]);
    expect((await left()).rowCount).toBe(0);
    const again = await technician();
    await turnOn(again.token);
    await api.app.db.pool.query("update tokens set expires_at = now() - interval '1 day' where user_id = $1", [
      again.id,
    ]);
    await api.app.db.pool.query('delete from tokens where user_id = $1', [again.id]);
    const { rows } = await api.app.db.pool.query('select token_id from push_browsers where user_id = $1', [again.id]);
    expect(rows).toEqual([{ token_id: null }]);
  });

  test('ends with a new password, but the browser in which it was set goes on', async () => {
    const user = await technician();
    const elsewhere = await api.post('user/login', { body: { email: user.email, password: 'secret1' } });
    const own = await turnOn(user.token);
    await turnOn(elsewhere.body.data.token);
    const ranOut = await api.post('user/login', { body: { email: user.email, password: 'secret1' } });
    const forgotten = await turnOn(ranOut.body.data.token);
    await api.app.db.pool.query(
      "update tokens set expires_at = now() - interval '1 day' where id = (select token_id from push_browsers where id = $1)",
      [forgotten.id],
    );
    const body = { password: 'kahve-fincanı-7', password_confirmation: 'kahve-fincanı-7', current_password: 'secret1' };
    const changed = await api.put('panel/user/me', { token: user.token, body });
    expect(changed.status, changed.text).toBe(200);
    expect((await browsersOf(user.token)).map(it => it.id)).toEqual([own.id]);
    await user.offline('Lobi');
    await send();
    expect(service.take().map(it => it.path)).toEqual([own.path]);
  });

  test('ends with a password that is set by a mailed code, in every browser', async () => {
    const user = await technician();
    await turnOn(user.token);
    await api.app.db.pool.query('update users set email_confirmed_at = now() where id = $1', [user.id]);
    await api.post('user/forgot-password', { body: { email: user.email } });
    const mail = (await takeMails(api.app)).find(it => it.to.includes(user.email) && /\d{6}/.test(it.subject))!;
    const [code] = /\d{6}/.exec(mail.subject)!;
    const password = 'kahve-fincanı-8';
    const body = { email: user.email, code, password, password_confirmation: password };
    const reset = await api.post('user/reset-password', { body });
    expect(reset.status, reset.text).toBeLessThan(300);
    await user.offline('Lobi');
    await send();
    expect(service.take()).toEqual([]);
  });

  test('that subscribed with the key of another installation gets nothing and is forgotten', async () => {
    const user = await technician();
    const { id } = await turnOn(user.token);
    await api.app.db.pool.query("update push_browsers set server_key = 'other' where id = $1", [id]);
    expect(await browsersOf(user.token)).toEqual([]);
    await user.offline('Lobi');
    await send();
    expect(service.take()).toEqual([]);
    expect((await api.app.db.pool.query('select from push_browsers where id = $1', [id])).rowCount).toBe(0);
  });

  test('is refused by field: not https, inside, no key, too many; and for personal tokens', async () => {
    const { token } = await technician();
    const { endpoint, keys } = makeBrowser(`${service.url}/x`).subscription;
    const put = (body: object, who = token) => api.put(at, { token: who, body });
    const bad: [object, string][] = [
      [{ endpoint: 'http://push.example.com/x', keys }, 'endpoint'],
      [{ endpoint: 'https://user:pw@push.example.com/x', keys }, 'endpoint'],
      [{ endpoint: 'ftp://push.example.com/x', keys }, 'endpoint'],
      [{ endpoint: `https://push.example.com/${'x'.repeat(1000)}`, keys }, 'endpoint'],
      [{ endpoint, keys: { ...keys, auth: 'short' } }, 'keys.auth'],
      [{ endpoint, keys: { ...keys, p256dh: Buffer.alloc(65, 1).toString('base64url') } }, 'keys.p256dh'],
      [{ endpoint }, 'keys'],
    ];
    for (const [body, field] of bad) {
      const answer = await put(body);
      expect([answer.status, Object.keys(answer.body.errors ?? {})], JSON.stringify(body)).toEqual([422, [field]]);
    }
    const strict = await startApi({ INTEGRATIONS_INSIDE: '0' });
    const other = (await strict.user('member')).token;
    for (const host of ['127.0.0.1', 'localhost', '169.254.169.254', '[::1]', '[::ffff:a9fe:a9fe]', '0x7f.1']) {
      const answer = await strict.put(at, { token: other, body: { endpoint: `https://${host}/x`, keys } });
      expect([answer.status, Object.keys(answer.body.errors ?? {})], host).toEqual([422, ['endpoint']]);
    }
    const form = { name: 'ERP', permissions: ['view-clients'] };
    const personal = (await api.post('panel/user/token', { token: admin.token, body: form })).body.data.token;
    expect((await put({ endpoint, keys }, personal)).status).toBe(403);
    expect((await api.get(at)).status).toBe(401);
    for (let i = 0; i < 20; i++) await turnOn(token);
    expect((await put({ endpoint: `${service.url}/one-more`, keys })).body.errors).toHaveProperty('endpoint');
    expect(await browsersOf(token)).toHaveLength(20);
  });
});

test('several processes that need a key pair at once get the same one, encrypted in the database', async () => {
  await api.inTenant(tx => tx.run(sql`select 1`));
  await api.app.db.pool.query('delete from push_keys');
  const made = await Promise.all([pushKeys(api.app), pushKeys(api.app), pushKeys(api.app)]);
  expect(new Set(made.map(it => it.privateKey)).size).toBe(1);
  const { rows } = await api.app.db.pool.query('select private_key from push_keys');
  expect(rows).toHaveLength(1);
  expect(rows[0].private_key).not.toContain('kty');
});

test('with a lost SECRET_KEY there is a new pair of keys, once, and browsers subscribe anew', async () => {
  const user = await technician();
  const old = await turnOn(user.token);
  const lost = createSecrets('the key that this installation had before');
  const before = await pushKeys(api.app);
  const row = 'update push_keys set private_key = $1';
  await api.app.db.pool.query(row, [lost.encrypt(before.privateKey)]);
  const made = await Promise.all(Array.from({ length: 5 }, () => pushKeys(api.app)));
  expect(new Set(made.map(it => it.publicKey)).size).toBe(1);
  expect(made[0]!.publicKey).not.toBe(before.publicKey);
  expect((await api.get(at, { token: user.token })).body.data).toMatchObject({
    public_key: made[0]!.publicKey,
    browsers: [],
  });
  const anew = await turnOn(user.token);
  await user.offline('Lobi');
  await send();
  const got = service.take();
  expect(got.map(it => it.path)).toEqual([anew.path]);
  expect(claimsOf(got[0]!, made[0]!.publicKey).sub).toBeDefined();
  expect((await api.app.db.pool.query('select from push_browsers where id = $1', [old.id])).rowCount).toBe(0);
});
