import { describe, expect, test } from 'vitest';
import { startApi } from '#test/harness.ts';
import { sendRouterCommands } from './commands.jobs.ts';
import { at, connection, mac, openCommandVenue, protocols } from './testing/command-venue.ts';

const { api, token, brands, device, latest, start, connected, block, send } = await openCommandVenue();

describe('the connection to a router', () => {
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

  test('pins the first certificate until it is forgotten', async () => {
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
    // It did not get the password.
    expect(router.requests('rest')).toBe(before);
    expect((await api.delete(at(id, '/connection/certificate'), { token })).status).toBe(204);
    await send();
    expect((await latest(id)).state).toBe('done');
    expect((await api.get(at(id), { token })).body.data.connection.certificate).not.toBe(certificate);
  });

  test('does not send its password to another host', async () => {
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

  test('reaches private networks only where the installation allows it', async () => {
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
