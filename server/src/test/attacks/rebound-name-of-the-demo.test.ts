import { beforeAll, expect, test, vi } from 'vitest';
import { startApi, type TestApi } from '../harness.ts';

/**
 * The attack: a web page leads its own host name to 127.0.0.1 (DNS rebinding). Then it speaks to a demo on the machine of its
 * reader as to its own server. The account of the demo is known, and a development machine lets integrations reach its network.
 */

const environment = { DEMO: '1', PUBLIC_URL: 'http://demo.hotel.com:8080' };
let demo: TestApi;
beforeAll(async () => {
  demo = await startApi(environment);
  await demo.tenantId('panel');
});

const statusAt = async (api: TestApi, host: string, headers: Record<string, string> = {}): Promise<number> =>
  (await api.server.inject({ url: '/v1/config', headers: { host, ...headers } })).statusCode;

test.for([
  'evil.com',
  'localhost.evil.com',
  '127.0.0.1.evil.com',
  'panel.evil.com',
  'evilexample.com',
  'a.test.evil.com',
])('a page of %s reaches no demo, also when it names the tenant', async host => {
  expect([await statusAt(demo, host), await statusAt(demo, host, { 'x-tenant': 'panel' })]).toEqual([404, 404]);
  const { email } = await demo.user('auditor');
  const payload = { email, password: 'secret1' };
  const signIn = await demo.server.inject({ method: 'POST', url: '/v1/user/login', headers: { host }, payload });
  expect(signIn.statusCode).toBe(404);
});

test('a refused name is told what to set, and is logged once, of a hundred names', async () => {
  const api = await startApi(environment);
  await api.tenantId('panel');
  const warnings = vi.spyOn(api.app.log, 'warn');
  for (let n = 0; n < 2; n++) {
    const headers = { host: 'evil.com', 'accept-language': 'en' };
    expect((await api.server.inject({ url: '/v1/config', headers })).json()).toEqual({
      code: 'host_refused',
      message:
        'This demo does not answer under the name evil.com. To use this name, set PUBLIC_URL to it in the settings of the server.',
    });
  }
  expect(warnings).toHaveBeenCalledTimes(1);
  for (let n = 0; n < 110; n++) await statusAt(api, `n${n}.com`);
  expect(warnings).toHaveBeenCalledTimes(100);
});

test('the machine’s own names and the address of the settings lead to it', async () => {
  const names = ['localhost:8080', 'panel.localhost', '127.0.0.1:8080', '[::1]:8080', 'demo.hotel.com:8080'];
  // No stranger can register these.
  const unregistered = [
    'panel',
    'panel.portico.test',
    'wifi.example.com',
    'panel.portico.local',
    'nas.lan',
    'x.example',
  ];
  for (const host of [...names, ...unregistered, 'localhost.', 'panel.localhost.:8080', 'demo.hotel.com.'])
    expect(await statusAt(demo, host), host).toBe(200);
});

test('other installations, and a demo for the network, answer under any name', async () => {
  for (const it of [{ DEMO: '0' }, { HOST: '0.0.0.0' }]) {
    const api = await startApi({ ...environment, ...it });
    await api.tenantId('panel');
    expect(await statusAt(api, 'wifi.example')).toBe(200);
  }
});
