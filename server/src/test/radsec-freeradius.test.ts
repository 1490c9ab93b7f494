import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Proxy, proxySecret, startProxy } from './freeradius.ts';
import { ayse, startRadiusVenue } from './radius-venue.ts';

if (spawnSync('radclient', ['-v']).status !== 0)
  throw new Error('radclient is missing: apt-get install freeradius-utils');
const root = mkdtempSync(path.join(tmpdir(), 'portico-radsec-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('FreeRADIUS as a client over TLS', async () => {
  const { api, token, radius, addDevice } = await startRadiusVenue();
  const make = async (at: string, body: object) => {
    const answer = await api.post(at, { token, body });
    expect(answer.status, answer.text).toBe(201);
    return answer.body.data;
  };

  let folders = 0;
  async function plugIn() {
    const device = await addDevice();
    folders += 1;
    const certificate = await make(`panel/device/${device.id}/certificates`, { name: 'First' });
    const folder = path.join(root, String(folders));
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'device.pem'), certificate.certificate);
    writeFileSync(path.join(folder, 'device.key'), certificate.private_key);
    writeFileSync(path.join(folder, 'ca.pem'), certificate.authority);
    const proxy = await startProxy({ folder, radsecPort: radius.radsecPort ?? 0 });
    onTestFinished(() => proxy.stop());
    return { device, certificate, proxy };
  }

  /** Sends a request to the proxy and retransmits it as routers do (RFC 5080 section 2.2.1). Returns the name of the reply, or undefined. */
  async function ask(
    proxy: Proxy,
    service: 'auth' | 'acct' | 'status',
    nas: string,
    more: Record<string, string> = {},
  ) {
    const attributes = {
      'NAS-Identifier': nas,
      'Calling-Station-Id': 'A0:00:00:00:00:01',
      'Framed-IP-Address': '10.5.50.9',
      'User-Name': ayse.username,
      ...(service === 'auth' ? { 'User-Password': ayse.password, 'Message-Authenticator': '0x00' } : {}),
      ...more,
    };
    const port = service === 'auth' ? proxy.authPort : proxy.acctPort;
    const client = spawn('radclient', ['-x', '-r', '3', '-t', '4', `127.0.0.1:${port}`, service, proxySecret]);
    let said = '';
    client.stdout.on('data', chunk => (said += chunk));
    client.stdin.end(
      Object.entries(attributes)
        .map(([name, value]) => `${name} = ${value.startsWith('0x') ? value : `"${value}"`}\n`)
        .join(''),
    );
    await new Promise(resolve => client.on('close', resolve));
    return { name: /^Received (\S+)/m.exec(said)?.[1], said };
  }

  test('a guest signs in and is accounted, until the certificate is revoked', async () => {
    const { device, certificate, proxy } = await plugIn();
    const nas = device.nas_identifier;
    const reply = await ask(proxy, 'auth', nas);
    expect(reply.name, `${reply.said}\n${proxy.log()}`).toBe('Access-Accept');
    const session = { 'Acct-Session-Id': '80000001', Class: /Class = (0x[0-9a-f]+)/.exec(reply.said)?.[1] ?? '' };
    expect((await ask(proxy, 'acct', nas, { ...session, 'Acct-Status-Type': 'Start' })).name).toBe(
      'Accounting-Response',
    );
    const online = (await api.get('panel/onlines', { token })).body.data;
    expect(online).toMatchObject([{ name: 'A', client_mac: 'A0:00:00:00:00:01' }]);
    expect((await ask(proxy, 'auth', nas, { 'User-Password': 'wrong' })).name).toBe('Access-Reject');
    expect((await ask(proxy, 'acct', nas, { ...session, 'Acct-Status-Type': 'Stop' })).name).toBe(
      'Accounting-Response',
    );

    const at = `panel/device/${device.id}/certificates`;
    const shown = async () => (await api.get(at, { token })).body.data;
    await expect.poll(shown).toMatchObject([{ state: 'valid', last_seen_at: expect.any(String) }]);
    expect((await api.post(`${at}/${certificate.id}/revoke`, { token })).status).toBe(200);
    // The listener hears of it after the answer to the panel.
    await expect.poll(async () => (await ask(proxy, 'auth', nas)).name).not.toBe('Access-Accept');
  });

  test('a device cannot use the name of another', async () => {
    const victim = await plugIn();
    const thief = await plugIn();
    const stolen = victim.device.nas_identifier;
    const start = { 'Acct-Session-Id': '80000002', 'Acct-Status-Type': 'Start' };
    expect((await ask(thief.proxy, 'auth', stolen)).name).not.toBe('Access-Accept');
    expect((await ask(thief.proxy, 'acct', stolen, start)).name).toBeUndefined();
    expect((await api.get('panel/onlines', { token })).body.data).toEqual([]);
    const own = await ask(victim.proxy, 'auth', stolen);
    expect(own.name, `${own.said}\n${victim.proxy.log()}`).toBe('Access-Accept');
  });
});
