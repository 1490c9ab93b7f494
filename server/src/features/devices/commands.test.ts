import { openRouterOs, type RouterOs, type RouterOsOptions } from '@portico/simulator/router-os/router-os.ts';
import sql from 'sql-template-tag';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#lib/ids.ts';
import { type Body, startApi, type TestApi } from '#test/harness.ts';
import { sendRouterCommands } from './commands.jobs.ts';

let api: TestApi;
let token: string;
let location: string;
let brands: Record<string, string>;
beforeAll(async () => {
  api = await startApi({ ROUTERS_INSIDE: '1', COA_TIMEOUT: '1' });
  token = (await api.user('tenant-admin')).token;
  location = await api.location(token, 'Otel');
  const list = (await api.get('panel/device/brands', { token })).body.data;
  brands = Object.fromEntries(list.map((brand: Body) => [brand.slug, brand.id]));
});

const open: RouterOs[] = [];
afterEach(async () => {
  for (const router of open.splice(0)) await router.close();
});
const start = async (options: RouterOsOptions = {}): Promise<RouterOs> => {
  const router = await openRouterOs({ password: 'yönlendirici', ...options });
  open.push(router);
  return router;
};

type Protocol = 'rest' | 'api' | 'api-ssl';
const protocols: Protocol[] = ['rest', 'api', 'api-ssl'];
let made = 0;
const device = async (more: object = {}, brand = 'mikrotik'): Promise<string> => {
  made += 1;
  const mac_address = brand === 'watchguard' ? `SN${made}` : `02AB000000${String(made).padStart(2, '0')}`;
  const body = { brand_id: brands[brand], name: `Router ${made}`, mac_address, location_id: location, ...more };
  const answer = await api.post('panel/device', { token, body });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data.id;
};
const connection = (router: RouterOs, protocol: Protocol, more: object = {}) => ({
  host: '127.0.0.1',
  port: router.ports[protocol],
  username: 'portico',
  password: 'yönlendirici',
  protocol,
  ...more,
});
const connected = (router: RouterOs, protocol: Protocol = 'rest', more: object = {}) =>
  device({ connection: connection(router, protocol, more) });

const at = (id: string, rest = '') => `panel/device/${id}${rest}`;
const block = async (id: string, mac: string, type = 'blocked', networks: string[] = []): Promise<string> => {
  const answer = await api.post(at(id, '/macs'), { token, body: { mac, type, networks } });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data.id;
};
const commands = async (id: string): Promise<Body[]> => (await api.get(at(id, '/commands'), { token })).body.data;
const latest = async (id: string): Promise<Body> => (await commands(id))[0];
const send = () => sendRouterCommands(api.app);
const shown = (router: RouterOs) =>
  router.bindings().map(({ 'mac-address': mac, type, address, disabled }) => ({ mac, type, address, disabled }));
/** Moves the clock: what waits for its next attempt is due now. */
const pass = (id: string) =>
  api.inTenant(tx =>
    tx.run(
      sql`update router_commands set next_at = now(), sent_at = sent_at - interval '2 minutes' where device_id = ${id}`,
    ),
  );

const mac = 'A0:00:00:00:00:01';

describe.each(protocols)('by %s, a router', protocol => {
  test('is told whom to block and to let pass, and to forget them', async () => {
    const router = await start();
    router.add({ 'mac-address': mac, type: 'regular', comment: 'theirs' });
    const id = await connected(router, protocol);
    const rule = await block(id, mac);
    expect(await latest(id)).toMatchObject({ action: 'block', mac, state: 'queued', attempts: 0, driver: null });
    await send();
    expect(shown(router)).toEqual([
      { mac, type: 'regular', disabled: 'false' },
      { mac, type: 'blocked', disabled: 'false' },
    ]);
    expect(await latest(id)).toMatchObject({ state: 'done', words: '', driver: protocol, attempts: 1 });

    await block(id, 'A0:00:00:00:00:02', 'bypassed');
    expect((await api.delete(at(id, `/macs/${rule}`), { token })).status).toBe(204);
    await send();
    expect(shown(router)).toEqual([
      { mac, type: 'regular', disabled: 'false' },
      { mac: 'A0:00:00:00:00:02', type: 'bypassed', disabled: 'false' },
    ]);
    expect((await commands(id)).map(it => [it.action, it.state])).toEqual([
      ['release', 'done'],
      ['bypass', 'done'],
      ['block', 'done'],
    ]);
  });

  test('whose hotspot is switched off has nobody online, and lets nobody pass', async () => {
    let online = [
      { id: 'A1', mac, ip: '10.5.50.2', user: 'ayse' },
      { id: 'A2', mac: 'A0:00:00:00:00:05', ip: '10.5.50.3', user: 'can' },
    ];
    const guests = { list: () => online, end: (id: string) => void (online = online.filter(it => it.id !== id)) };
    const router = await start({ guests });
    const id = await connected(router, protocol);
    await block(id, 'A0:00:00:00:00:02', 'bypassed');
    await send();
    const off = await api.patch(at(id, '/management/disableHotspot'), { token });
    expect(off.body.data.hotspot_status).toBe(false);
    await send();
    expect(online).toEqual([]);
    await block(id, 'A0:00:00:00:00:03', 'bypassed');
    await send();
    expect(shown(router).map(it => it.disabled)).toEqual(['true', 'true']);
    await api.patch(at(id, '/management/enableHotspot'), { token });
    await send();
    expect(shown(router).map(it => it.disabled)).toEqual(['false', 'false']);
    expect((await latest(id)).state).toBe('done');
  });

  test('that cannot be trusted or understood is told of in its own words', async () => {
    const router = await start();
    const id = await connected(router, protocol);
    router.refuseNext('failure: already have such entry');
    await block(id, mac);
    await send();
    expect(await latest(id)).toMatchObject({ state: 'failed' });
    expect((await latest(id)).words).toContain('already have such entry');
    router.behave('half');
    await block(id, 'A0:00:00:00:00:07');
    await send();
    expect(await latest(id)).toMatchObject({ state: 'queued', attempts: 1 });
    expect((await latest(id)).words).toContain('closed the connection');
    router.behave('good');
    await pass(id);
    await send();
    expect(await latest(id)).toMatchObject({ state: 'done', attempts: 2 });
    router.behave('large');
    await block(id, 'A0:00:00:00:00:08');
    await send();
    expect(await latest(id)).toMatchObject({ state: 'failed', words: 'the answer is too large' });
    router.behave('good');
    const wrong = await connected(router, protocol, { password: 'yanlış' });
    await block(wrong, mac);
    await send();
    expect(await latest(wrong)).toMatchObject({ state: 'failed' });
    expect((await latest(wrong)).words).toMatch(/user name or password/);
    // With the right one, what failed goes out by itself.
    await api.put(at(wrong), { token, body: { connection: connection(router, protocol) } });
    await send();
    expect((await latest(wrong)).state).toBe('done');
  });
});

test('a router from before 6.43 signs in by a challenge', async () => {
  const router = await start({ login: 'challenge', version: '6.40.9' });
  const id = await connected(router, 'api');
  await block(id, mac);
  await send();
  expect((await latest(id)).state).toBe('done');
  const wrong = await connected(router, 'api', { password: 'yanlış' });
  await block(wrong, mac);
  await send();
  expect((await latest(wrong)).state).toBe('failed');
});

describe('wishes', () => {
  test('said twice are sent once, and the newest wins', async () => {
    const router = await start();
    const id = await connected(router);
    for (const way of ['disableHotspot', 'disableHotspot', 'enableHotspot', 'disableHotspot'])
      await api.patch(at(id, `/management/${way}`), { token });
    expect((await commands(id)).map(it => [it.action, it.state])).toEqual([
      ['hotspot-off', 'queued'],
      ['hotspot-on', 'replaced'],
      ['hotspot-off', 'replaced'],
    ]);
    const rule = await block(id, mac);
    await api.delete(at(id, `/macs/${rule}`), { token });
    await block(id, mac, 'bypassed');
    await Promise.all([send(), send(), send()]);
    expect(shown(router)).toEqual([{ mac, type: 'bypassed', address: undefined, disabled: 'true' }]);
    const states = (await commands(id)).map(it => it.state);
    expect(states.filter(state => state === 'done')).toHaveLength(2);
    expect(states.filter(state => state === 'replaced')).toHaveLength(4);
    expect((await commands(id)).every(it => it.attempts <= 1)).toBe(true);
  });

  test('follow the networks they are for; blocked wins over bypassed', async () => {
    const router = await start();
    const id = await connected(router);
    const network = async (start_ip: string): Promise<string> =>
      (await api.post(at(id, '/network'), { token, body: { name: start_ip, start_ip, subnet: '24' } })).body.data.id;
    const [one, two] = [await network('10.5.50.0'), await network('10.5.51.0')];
    await block(id, mac, 'bypassed', [one]);
    await block(id, mac, 'blocked', [two]);
    await send();
    expect(shown(router).map(it => [it.type, it.address])).toEqual([
      ['blocked', '10.5.51.0/24'],
      ['bypassed', '10.5.50.0/24'],
    ]);
    await api.put(at(id, `/network/${one}`), { token, body: { name: 'x', start_ip: '10.9.0.0', subnet: '16' } });
    await api.delete(at(id, `/network/${two}`), { token });
    await send();
    expect(shown(router).map(it => [it.type, it.address])).toEqual([['bypassed', '10.9.0.0/16']]);
    await block(id, mac, 'blocked');
    await send();
    expect(shown(router).map(it => [it.type, it.address])).toEqual([['blocked', undefined]]);
  });

  test('outlive a router that is away and a sender that died', async () => {
    const router = await start();
    const id = await connected(router);
    const { port } = connection(router, 'rest');
    await router.close();
    await block(id, mac);
    await send();
    const [first] = await commands(id);
    expect(first).toMatchObject({ state: 'queued', attempts: 1 });
    expect(first.words).toContain('ECONNREFUSED');
    await send();
    expect((await latest(id)).attempts).toBe(1);
    const pauses: number[] = [];
    for (let i = 0; i < 4; i += 1) {
      const { next_at, answered_at } = await latest(id);
      pauses.push(Math.round((Date.parse(next_at) - Date.parse(answered_at)) / 1000));
      await pass(id);
      await send();
    }
    expect(pauses).toEqual([5, 15, 60, 300]);
    // A sender took it and was never heard of again.
    const back = await start();
    await api.put(at(id), { token, body: { connection: connection(back, 'rest') } });
    await api.inTenant(tx =>
      tx.run(
        sql`update router_commands set state = 'sent', sent_at = now(), answered_at = null where device_id = ${id}`,
      ),
    );
    await send();
    expect(back.requests('rest')).toBe(0);
    await pass(id);
    await send();
    expect((await latest(id)).state).toBe('done');
    expect(port).toBeGreaterThan(0);
  });

  test('that wait for a router out of reach go out at once when the way to it is put right, or on request', async () => {
    const router = await start();
    const id = await device({ connection: connection(router, 'rest', { port: 9 }) });
    const waits = async () => {
      await block(id, `A0:00:00:00:00:${(await commands(id)).length + 10}`);
      await send();
      const it = await latest(id);
      expect(it).toMatchObject({ state: 'queued', attempts: 1, next_at: expect.any(String) });
      expect(Date.parse(it.next_at)).toBeGreaterThan(Date.now());
      return it;
    };
    const first = await waits();
    expect((await api.post(at(id, `/commands/${first.id}/retry`), { token })).body.data).toMatchObject({
      state: 'queued',
      attempts: 0,
    });
    await send();
    expect(await latest(id)).toMatchObject({ state: 'queued', attempts: 1 });
    await api.put(at(id), { token, body: { connection: connection(router, 'rest') } });
    await send();
    expect((await commands(id)).map(it => it.state)).toEqual(['done']);
    expect(router.bindings()).toHaveLength(1);
  });

  test('that failed are sent again on request, unless a newer one overtook them', async () => {
    const router = await start();
    const id = await connected(router);
    router.refuseNext('failure: full');
    await block(id, mac);
    await send();
    const failed = await latest(id);
    const retry = (command: string) => api.post(at(id, `/commands/${command}/retry`), { token });
    const again = await retry(failed.id);
    expect([again.status, again.body.data.state]).toEqual([200, 'queued']);
    expect((await retry(failed.id)).body.data.state).toBe('queued');
    await send();
    expect((await latest(id)).state).toBe('done');
    expect((await retry(failed.id)).status).toBe(409);
    expect((await retry('00000000-0000-4000-8000-000000000000')).status).toBe(404);
  });

  test('are only for routers that take commands', async () => {
    const id = await device({}, 'sophos');
    await block(id, mac);
    expect(await commands(id)).toEqual([]);
  });
});

describe('a guest who is online', () => {
  const online = async (id: string): Promise<string> => {
    const session = newId();
    const tenant = await api.tenantId('panel');
    await api.app.db.withSystem(tx =>
      tx.run(sql`insert into online_sessions (tenant_id, id, accounting_id, location_id, device_id, user_name, acct_session_id, client_mac,
          started_at, updated_at, interim, day, day_ends_at)
        values (${tenant}, ${session}, ${newId()}, ${location}, ${id}, 'ayse', ${session}, ${mac}, now(), now(), 60, current_date, now() + interval '1 day')`),
    );
    return session;
  };
  const kicks = (session: string) =>
    api.inTenant(tx => tx.many<Body>(sql`select state, reason from kicks where session_id = ${session}`));

  test('is asked out by RADIUS as well when the device is blocked', async () => {
    const id = await device();
    const session = await online(id);
    await block(id, 'A0:00:00:00:00:09');
    expect(await kicks(session)).toEqual([]);
    await block(id, mac);
    expect(await kicks(session)).toEqual([{ state: 'requested', reason: 'blocked' }]);
  });

  test('whose router hears no Disconnect-Request is signed out by its own interface', async () => {
    let guests = [{ id: 'A1', mac, ip: '10.5.50.2', user: 'ayse' }];
    const router = await start({
      guests: { list: () => guests, end: gone => void (guests = guests.filter(it => it.id !== gone)) },
    });
    const id = await connected(router);
    const session = await online(id);
    const answer = await api.post(`panel/kick/${session}`, { token });
    expect([answer.status, answer.body.data.state]).toEqual([200, 'no-answer']);
    expect(await latest(id)).toMatchObject({ action: 'logout', mac, state: 'queued' });
    await send();
    expect(guests).toEqual([]);
    expect((await latest(id)).state).toBe('done');
    // Where there is no such way, nothing is left that could hit a later guest.
    const alone = await device();
    await api.post(`panel/kick/${await online(alone)}`, { token });
    expect(await commands(alone)).toEqual([]);
  });
});

describe('the connection', () => {
  const attempt = (id: string, body: object, language: 'en' | 'tr' = 'en') =>
    api.post(at(id, '/connection/test'), { token, body, language });

  test.each(protocols)('is tested by %s', async protocol => {
    const router = await start({ identity: 'Lobi' });
    const id = await device();
    const answer = await attempt(id, connection(router, protocol));
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body.data).toMatchObject({ protocol, identity: 'Lobi', version: '7.18.2 (stable)' });
    expect(answer.body.data.certificate === null).toBe(protocol === 'api');
    const wrong = await attempt(id, connection(router, protocol, { password: 'x' }));
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['password']]);
    router.behave('half');
    expect((await attempt(id, connection(router, protocol), 'tr')).body.errors.host[0]).toContain(
      'Bağlantı kurulamadı',
    );
  });

  test('keeps the certificate it saw first, until that is forgotten', async () => {
    const router = await start();
    const id = await connected(router);
    await block(id, mac);
    await send();
    const { certificate } = (await api.get(at(id), { token })).body.data.connection;
    expect(certificate).toMatch(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/);
    router.renewCertificate();
    const before = router.requests('rest');
    await block(id, 'A0:00:00:00:00:02');
    await send();
    expect(await latest(id)).toMatchObject({ state: 'failed' });
    expect((await latest(id)).words).toContain('another certificate');
    expect((await attempt(id, connection(router, 'rest'))).body.errors.host[0]).toContain('another certificate');
    // The password was not told to it.
    expect(router.requests('rest')).toBe(before);
    expect((await api.delete(at(id, '/connection/certificate'), { token })).status).toBe(204);
    await send();
    expect((await latest(id)).state).toBe('done');
    expect((await api.get(at(id), { token })).body.data.connection.certificate).not.toBe(certificate);
  });

  test('does not hand its password to another host', async () => {
    const router = await start();
    const thief = await start();
    const id = await connected(router);
    const { password: _, ...form } = connection(thief, 'rest', { host: 'localhost' });
    expect((await attempt(id, form)).body.errors).toHaveProperty('password');
    const put = await api.put(at(id), { token, body: { connection: form } });
    expect([put.status, Object.keys(put.body.errors)]).toEqual([422, ['connection.password']]);
    expect(thief.requests('rest')).toBe(0);
    const same = await attempt(id, { ...form, host: '127.0.0.1', port: router.ports.rest });
    expect(same.status).toBe(200);
  });

  test('reaches into our own network only where that is allowed', async () => {
    const strict = await startApi({ ROUTERS_INSIDE: '0' });
    const admin = (await strict.user('tenant-admin')).token;
    const place = await strict.location(admin, 'Otel');
    const router = await start();
    const body = {
      brand_id: brands['mikrotik'],
      name: 'Router',
      mac_address: '020000000001',
      location_id: place,
      connection: connection(router, 'rest'),
    };
    const { id } = (await strict.post('panel/device', { token: admin, body })).body.data;
    const hosts = ['127.0.0.1', 'localhost', '10.0.0.1', '[::1]', '169.254.169.254', '::ffff:127.0.0.1'];
    for (const host of hosts) {
      const answer = await strict.post(at(id, '/connection/test'), {
        token: admin,
        body: { ...connection(router, 'rest'), host },
      });
      expect(answer.status).toBe(422);
      expect(answer.body.errors.host[0]).toMatch(/not allowed/);
    }
    await strict.post(at(id, '/macs'), { token: admin, body: { mac, type: 'blocked' } });
    await sendRouterCommands(strict.app);
    const [command] = (await strict.get(at(id, '/commands'), { token: admin })).body.data;
    expect(command).toMatchObject({ state: 'failed', words: 'this address is not allowed' });
    expect(router.requests('rest')).toBe(0);
  });
});
