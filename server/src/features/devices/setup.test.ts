import { type Configuration, factoryDefault, pasteInto } from '@portico/simulator/router-os/terminal.ts';
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { drivers } from '#routers/drivers.ts';
import { mikrotikScript } from '#routers/mikrotik/script.ts';
import { startApi, type TestApi } from '#test/harness.ts';

let api: TestApi;
let token: string;
const devices: Record<string, { id: string; nas_identifier: string; secret: string }> = {};
beforeAll(async () => {
  api = await startApi({ PUBLIC_URL: 'https://panel.example.com', CAPTIVE_URL: 'https://wifi.example.com' });
  token = (await api.user('tenant-admin')).token;
  const location_id = await api.location(token, 'Otel');
  for (const brand of (await api.get('panel/device/brands', { token })).body.data) {
    const mac_address = brand.slug === 'watchguard' ? 'D0FE1234' : `A1:B2:C3:D4:E5:${10 + Object.keys(devices).length}`;
    const body = { location_id, brand_id: brand.id, name: brand.name, mac_address };
    devices[brand.slug] = (await api.post('panel/device', { token, body })).body.data;
  }
});

const form = {
  gateway_interface: 'ether1',
  gateway_ip: '192.168.88.2',
  hotspot_address: '10.5.50.1',
  hotspot_subnet: '10.5.50.0/24',
  guestInterfaces: ['ether2', 'wlan 1'],
};
const script = (body: unknown) => api.post(`panel/device/mikrotik/script/${devices['mikrotik']!.id}`, { token, body });

test('every brand has a driver', () => {
  expect(drivers.map(({ slug }) => slug).toSorted()).toEqual(Object.keys(devices).toSorted());
});

// A RouterOS command: a menu and a verb (or a : command), then words, each bare, quoted, or in […] or (…).
const word = String.raw`(?:"(?:[^"\\$]|\\.)*"|\[[^\n]*\]|\([^\n]*\)|\{[^\n]*\}|[^\s"\\]+)`;
const command = new RegExp(String.raw`^(?:/[a-z-]+(?: [a-z-]+)*|:[a-z]+)(?: (?:${word}|[a-z-]+=${word}))*$`);

/** The settings of a router without their ids, which change. */
const settingsOf = (router: Configuration) =>
  new Map(
    [...router]
      .filter(([, entries]) => entries.length)
      .map(([menu, entries]) => [
        menu,
        entries.map(entry => Object.fromEntries(Object.entries(entry).filter(([name]) => name !== '.id'))),
      ]),
  );

describe('the MikroTik script', () => {
  test('has well-formed commands for both versions and the device’s own secret', async () => {
    for (const version of ['6', '7']) {
      const answer = await script({ ...form, version });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toContain('text/plain');
      const lines = answer.text.split('\n').filter(line => line && !line.startsWith('#'));
      for (const line of lines) expect(line).toMatch(command);
      const { nas_identifier, secret } = devices['mikrotik']!;
      expect(answer.text).toContain(`/system identity set name="${nas_identifier}"`);
      expect(answer.text).toContain(`secret="${secret}"`);
      expect(answer.text).toContain('ranges=10.5.50.2-10.5.50.254');
      expect(answer.text).toContain('interface="wlan 1"');
      expect(answer.text.includes('require-message-auth')).toBe(version === '7');
    }
  });

  test('is idempotent, does not change other settings, and can be undone', async () => {
    for (const version of ['6', '7']) {
      const path = `panel/device/mikrotik/script/${devices['mikrotik']!.id}/link`;
      const again = async () => (await api.post(path, { token, body: { ...form, version } })).body.data;
      const { script: first, undo } = await again();
      for (const line of undo.split('\n').filter((each: string) => each && !each.startsWith('#')))
        expect(line).toMatch(command);
      const router = factoryDefault();
      pasteInto(router, first);
      const once = settingsOf(router);
      expect(once.get('/ip hotspot')).toHaveLength(1);
      expect(once.get('/interface bridge port')?.filter(port => port['comment'] === 'portico')).toHaveLength(2);
      // With fasttrack, later rules would not see the connections.
      expect(once.get('/ip firewall filter')?.map(rule => `${rule['chain']} ${rule['action']}`)).toEqual([
        ...['forward drop', 'forward drop', 'forward log', 'forward fasttrack-connection'],
        ...['input drop', 'input drop', 'input accept'],
      ]);
      pasteInto(router, first);
      expect(settingsOf(router)).toEqual(once);
      pasteInto(router, (await again()).script);
      for (const [menu, entries] of settingsOf(router)) expect(entries.length, menu).toBe(once.get(menu)?.length);

      for (let time = 0; time < 2; time += 1) {
        pasteInto(router, undo);
        const left = [...settingsOf(router)].flatMap(([menu, entries]) => entries.map(entry => ({ menu, ...entry })));
        expect(left).toEqual([
          { menu: '/interface bridge', name: 'bridge', comment: 'defconf' },
          // The former ports of the guest interfaces are not restored.
          { menu: '/interface bridge port', bridge: 'bridge', interface: 'ether3', comment: 'defconf' },
          expect.objectContaining({ menu: '/interface bridge port', interface: 'wlan1' }),
          expect.objectContaining({ menu: '/ip firewall filter', action: 'fasttrack-connection' }),
          { menu: '/system identity', name: devices['mikrotik']!.nas_identifier },
          { menu: '/ip dns', 'allow-remote-requests': 'yes' },
          { menu: '/radius incoming', accept: 'no', port: '3799' },
        ]);
      }
    }
  });

  test('uses no variable of a previous line, because a terminal does not keep it', () => {
    const router = factoryDefault();
    expect(() => pasteInto(router, ':local mine [/ip pool find]\n/ip pool remove $mine')).toThrow('line 2');
  });

  test('accepts the subnet in any notation, and excludes the router from the pool', async () => {
    for (const hotspot_subnet of ['24', 24, '/24', '255.255.255.0'])
      expect((await script({ ...form, hotspot_subnet })).status).toBe(200);
    expect((await script({ ...form, hotspot_address: '10.5.50.100' })).text).toContain(
      'ranges=10.5.50.1-10.5.50.99,10.5.50.101-10.5.50.254',
    );
    expect((await script({ ...form, hotspot_address: '10.5.50.0' })).text).toContain('address=10.5.50.1/24');
  });

  test('requires all five fields, and refuses values that would break it or inject commands', async () => {
    expect(Object.keys((await script({})).body.errors).sort()).toEqual(Object.keys(form).sort());
    const bad: [Record<string, unknown>, string][] = [
      [{ gateway_interface: 'ether1"; /user add name=x' }, 'gateway_interface'],
      [{ guestInterfaces: ['ether2\n/system reset'] }, 'guestInterfaces'],
      [{ guestInterfaces: [] }, 'guestInterfaces'],
      [{ guestInterfaces: ['ether1'] }, 'guestInterfaces'],
      [{ gateway_ip: '10.5.50.254' }, 'gateway_ip'],
      [{ gateway_ip: '300.1.1.1' }, 'gateway_ip'],
      [{ hotspot_address: '10.6.0.1' }, 'hotspot_address'],
      [{ hotspot_subnet: '33' }, 'hotspot_subnet'],
      [{ hotspot_subnet: '$(x)' }, 'hotspot_subnet'],
    ];
    for (const [change, field] of bad) {
      const answer = await script({ ...form, ...change });
      expect(answer.status, JSON.stringify(change)).toBe(422);
      expect(Object.keys(answer.body.errors)).toContain(field);
    }
  });

  test('announces the portal’s API to phones and polls for commands with its own token', async () => {
    const { text } = await script(form);
    const { nas_identifier: nas } = devices['mikrotik']!;
    expect(text).toContain(`code=114 value="'https://wifi.example.com/captive/${nas}'"`);
    expect(text).toContain('dhcp-option="portico"');
    expect(text).toContain(`https://panel.example.com/v1/device/poll/${nas}`);
    const tokenOf = (text: string) => /x-portico-token: ([\w-]{43})/.exec(text)?.[1];
    expect(tokenOf(text)).toBeDefined();
    expect(tokenOf((await script(form)).text)).not.toBe(tokenOf(text));
  });

  test('is fetched by one line from a link that works once, for half an hour', async () => {
    const { id, secret } = devices['mikrotik']!;
    const path = `panel/device/mikrotik/script/${id}/link`;
    const link = async () => (await api.post(path, { token, body: form })).body.data;
    const it = await link();
    expect(it.script).toContain(`secret="${secret}"`);
    for (const part of it.command.split('; ')) expect(part).toMatch(command);
    expect(it.command).toContain(`/tool fetch url="${it.url}"`);
    expect(it.url).toMatch(/^https:\/\/panel\.example\.com\/v1\/device\/script\/[\w-]{43}$/);
    const minutes = (new Date(it.expires_at).getTime() - Date.now()) / 60_000;
    expect(minutes).toBeLessThanOrEqual(30);
    expect(minutes).toBeGreaterThan(20);
    const fetched = async (url: string) => api.get(new URL(url).pathname);
    expect((await fetched(`${it.url}x`)).status).toBe(404);
    const first = await fetched(it.url);
    expect([first.status, first.text]).toEqual([200, it.script]);
    expect(first.headers.get('cache-control')).toContain('no-store');
    expect((await fetched(it.url)).status).toBe(404);

    const older = await link();
    const late = await link();
    expect((await fetched(older.url)).status, 'a newer line replaces the older').toBe(404);
    await api.inTenant(tx => tx.run(sql`update script_links set expires_at = now() where device_id = ${id}`));
    expect((await fetched(late.url)).status).toBe(404);
    const rows = await api.inTenant(tx => tx.many<{ script: string }>(sql`select script from script_links`));
    expect(rows.map(row => row.script).join()).not.toContain(secret);
    expect((await api.post(path, { token, body: { ...form, hotspot_subnet: '33' } })).status).toBe(422);
  });

  test('keeps the CoA port of a router that is set up already', async () => {
    const { id } = devices['mikrotik']!;
    await api.inTenant(tx => tx.run(sql`update devices set coa_port = 3798 where id = ${id}`));
    const { text } = await script(form);
    expect(text).toContain('/radius incoming set accept=yes port=3798');
    expect(text).toContain('dst-port=3798');
    expect((await api.get(`panel/device/${id}`, { token })).body.data.radius.coa_port).toBe(3798);
    await api.inTenant(tx => tx.run(sql`update devices set coa_port = 3799 where id = ${id}`));
  });

  test.each(['6', '7'] as const)('is for RouterOS %s what the golden file shows', async version => {
    const facts = { ...form, version, nasIdentifier: 'k3v9x2mqab7c', secret: 'a-secret-of-thirty-two-letters-xx' };
    const text = mikrotikScript({
      ...facts,
      radius: { host: 'panel.example.com', auth_port: 1812, acct_port: 1813 },
      coaPort: 3799,
      syslogPort: 5514,
      captiveUrl: 'https://wifi.example.com',
      loginFileUrl: 'https://panel.example.com/v1/device/login-file/k3v9x2mqab7c.1893456000.signature',
      poll: {
        url: 'https://panel.example.com/v1/device/poll/k3v9x2mqab7c',
        token: 'a-token-of-forty-three-characters-0123456789',
      },
    });
    await expect(text).toMatchFileSnapshot(`./golden/routeros-${version}.rsc`);
  });

  test('configures NetFlow only if the server collects it', async () => {
    expect((await script(form)).text).not.toContain('traffic-flow');
    Object.assign(api.app.settings, { NETFLOW_PORT: 2055 });
    const { text } = await script(form);
    Object.assign(api.app.settings, { NETFLOW_PORT: undefined });
    expect(text).toContain('/ip traffic-flow set enabled=yes');
    expect(text).toMatch(/^\/ip traffic-flow target add dst-address=.+ port=2055 version=9$/m);
    expect(text).toMatch(/^\/ip traffic-flow target remove \[find where port=2055\]$/m);
  });
});

describe('login pages', () => {
  test('are available for their own brand only', async () => {
    const login = await api.post(`panel/device/mikrotik/login/${devices['mikrotik']!.id}`, { token });
    expect(login.status).toBe(200);
    expect(login.headers.get('content-disposition')).toContain('login.html');
    expect(login.text).toContain(`https://wifi.example.com/w/${devices['mikrotik']!.nas_identifier}?mac=$(mac-esc)`);
    const sophos = await api.post(`panel/device/sophos/template/${devices['sophos']!.id}`, { token });
    expect(sophos.text).toContain('/login.xml');
    expect((await api.post(`panel/device/sophos/template/${devices['mikrotik']!.id}`, { token })).status).toBe(422);
    expect((await api.post(`panel/device/mikrotik/login/${devices['watchguard']!.id}`, { token })).status).toBe(422);
  });

  test('are fetched by the router with the signed link of its script only', async () => {
    const link = /fetch url="https:\/\/panel\.example\.com(\/v1\/device\/login-file\/[^"]+)"/.exec(
      (await script(form)).text,
    )?.[1];
    const at = link!.replaceAll('\\', '');
    const page = await api.get(at);
    expect(page.status).toBe(200);
    expect(page.text).toContain('$(link-login-only-esc)');
    const out = await api.get(at.replace('=login', '=logout'));
    expect(out.headers.get('content-disposition')).toContain('logout.html');
    expect(out.text).toContain('step=logged_out');
    // A script of an earlier version names no page.
    expect((await api.get(at.replace('?page=login', ''))).text).toBe(page.text);
    for (const bad of [at.replace('?', '0?'), at.replace('=login', '=../x'), at.replace('=login', '=constructor')])
      expect((await api.get(bad)).status, bad).toBe(404);
    expect((await api.get('/v1/device/login-file/abc.9999999999.0000')).status).toBe(404);
  });
});
