import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { registry } from '#lib/metrics.ts';
import { startRadius } from '../services/radius.ts';
import { proxySecret, startProxy } from './freeradius.ts';
import { freePort } from './process.ts';
import { ayse, startRadiusVenue } from './radius-venue.ts';
import { hasRadsecproxy, startRadsecproxy } from './radsecproxy.ts';

const radclient = spawnSync('radclient', ['-v']).status === 0;
const root = mkdtempSync(path.join(tmpdir(), 'portico-proxies-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe.skipIf(!radclient)('programs of others as proxies', async () => {
  const { api, token, radius, addDevice } = await startRadiusVenue();

  /** Sends one sign-in through a proxy. Returns the name of the reply, or undefined. */
  async function signIn(port: number, nas: string, attempts = 3) {
    const client = spawn('radclient', [
      '-x',
      '-r',
      String(attempts),
      '-t',
      '3',
      `127.0.0.1:${port}`,
      'auth',
      proxySecret,
    ]);
    let said = '';
    client.stdout.on('data', chunk => (said += chunk));
    const attributes = { 'NAS-Identifier': nas, 'User-Name': ayse.username, 'User-Password': ayse.password };
    const lines = Object.entries(attributes).map(([name, value]) => `${name} = "${value}"`);
    client.stdin.end([...lines, 'Message-Authenticator = 0x00', ''].join('\n'));
    await new Promise(resolve => client.on('close', resolve));
    return /^Received (\S+)/m.exec(said)?.[1];
  }

  // FreeRADIUS checks a dead server every six seconds, and believes its third answer.
  const slowly = { timeout: 120_000 };
  test('FreeRADIUS is served, marks the server dead while it is away, and finds it again', slowly, async () => {
    const device = await addDevice();
    const body = { name: 'FreeRADIUS', address: '127.0.0.1' };
    const { secret } = (await api.post('panel/radius-proxy', { token, body })).body.data;
    const folder = path.join(root, 'freeradius');
    mkdirSync(folder);
    const ports = { auth: await freePort(), acct: await freePort() };
    const second = await startRadius(
      Object.assign(Object.create(api.app), {
        settings: { ...api.app.settings, RADIUS_AUTH_PORT: ports.auth, RADIUS_ACCT_PORT: ports.acct, RADSEC_PORT: 0 },
      }),
    );
    const proxy = await startProxy({ folder, ports, secret });
    onTestFinished(() => proxy.stop());
    const { nas_identifier: nas } = device;
    expect(await signIn(proxy.authPort, nas), proxy.log()).toBe('Access-Accept');
    await second.stop();
    expect(await signIn(proxy.authPort, nas, 2)).not.toBe('Access-Accept');
    await expect.poll(proxy.log).toMatch(/zombie|dead/);
    const again = await startRadius(
      Object.assign(Object.create(api.app), {
        settings: { ...api.app.settings, RADIUS_AUTH_PORT: ports.auth, RADIUS_ACCT_PORT: ports.acct, RADSEC_PORT: 0 },
      }),
    );
    onTestFinished(() => again.stop());
    await expect.poll(proxy.log).toMatch(/alive/);
    expect(await signIn(proxy.authPort, nas), proxy.log()).toBe('Access-Accept');
  });

  test.skipIf(!hasRadsecproxy)('radsecproxy speaks for every device of the tenant with one certificate', async () => {
    const [first, second] = [await addDevice(), await addDevice()];
    const { id } = (await api.post('panel/radius-proxy', { token, body: { name: 'radsecproxy' } })).body.data;
    const answer = await api.post(`panel/radius-proxy/${id}/certificate`, { token, body: {} });
    expect(answer.status, answer.text).toBe(201);
    const folder = path.join(root, 'radsecproxy');
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'device.pem'), answer.body.data.certificate);
    writeFileSync(path.join(folder, 'device.key'), answer.body.data.private_key);
    writeFileSync(path.join(folder, 'ca.pem'), answer.body.data.authority);
    const proxy = await startRadsecproxy({ folder, radsecPort: radius.radsecPort ?? 0 });
    onTestFinished(() => proxy.stop());
    for (const device of [first, second])
      expect(await signIn(proxy.port, device.nas_identifier), proxy.log()).toBe('Access-Accept');
    const shown = async () => (await api.get('panel/radius-proxy', { token })).body.data[0];
    await expect.poll(shown).toMatchObject({ id, address: null, last_seen_at: expect.any(String) });
    // Other tests of the process revoke certificates too.
    const revoked = async () =>
      (await registry.getSingleMetric('portico_radsec_refused_total')?.get())?.values.find(
        it => it.labels['reason'] === 'revoked',
      )?.value ?? 0;
    const before = await revoked();
    expect((await api.delete(`panel/radius-proxy/${id}/certificate`, { token })).body.data.certificate).toBeNull();
    await expect.poll(revoked).toBeGreaterThan(before);
    expect(await signIn(proxy.port, first.nas_identifier, 1)).toBeUndefined();
  });
});
