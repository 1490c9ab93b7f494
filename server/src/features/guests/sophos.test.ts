import { beforeAll, describe, expect, test } from 'vitest';
import { newGuestEachTest, startVenue, stateOf, type Venue } from './testing/venue.ts';

const login = 'https://192.168.5.1:8090/';
let venue: Venue;
let nas: string;
let firewall: { id: string; nas_identifier: string };
beforeAll(async () => {
  venue = await startVenue();
  const brands = (await venue.api.get('panel/device/brands', { token: venue.admin })).body.data;
  const brand_id = brands.find((brand: { slug: string }) => brand.slug === 'sophos').id;
  const body = { name: 'Sophos', brand_id, mac_address: '02:00:00:00:00:77', location_id: venue.location };
  firewall = await venue.create('panel/device', body);
  nas = firewall.nas_identifier;
  await venue.create(`panel/device/${firewall.id}/macs`, { mac: 'AA:AA:AA:AA:AA:AA', type: 'bypassed', comment: '' });
}, 120_000);
newGuestEachTest(() => venue);

const open = (more: Record<string, string> = {}, cookie = '') =>
  venue.captive.get(`/w/${nas}?${new URLSearchParams({ login, orig: '', ...more })}`, { cookie });
const cookieOf = (page: { headers: Headers }) => /portico_device=[^;]+/.exec(page.headers.get('set-cookie') ?? '')?.[0];
const macOf = (html: string) => JSON.parse(Buffer.from(stateOf(html).split('.')[0]!, 'base64url').toString())[1];

describe('a guest of a Sophos', () => {
  test('shows the doctor that the portal is open before sign-in, and which page sent it', async () => {
    const checks = async () =>
      Object.fromEntries(
        (await venue.api.post(`panel/device/${firewall.id}/doctor`, { token: venue.admin })).body.data.map(
          (it: { name: string; state: string; reason: string }) => [it.name, it.reason],
        ),
      );
    expect(await checks()).toMatchObject({ garden: 'none', login_page: 'none' });
    await open({ v: '1' });
    expect(await checks()).toMatchObject({ garden: 'ok', login_page: 'old' });
    await open({ v: '2' });
    expect(await checks()).toMatchObject({ garden: 'ok', login_page: 'ok' });
  });

  test('signs in though the firewall does not tell whose device it is, and goes back to it with a ticket', async () => {
    const page = await open();
    expect(page.status).toBe(200);
    const form = {
      state: stateOf(page.html),
      method: 'username',
      username: await venue.visitor(),
      password: 'parola 1',
    };
    const answer = await venue.captive.form(`/w/${nas}/sign-in`, form);
    expect(answer.status, answer.html).toBe(303);
    const to = new URL(answer.headers.get('location')!);
    expect(to.origin + to.pathname).toBe(login);
    expect(to.searchParams.get('username')).toBe(to.searchParams.get('password'));
    expect(to.searchParams.get('dst')).toMatch(/^http:\/\/guests\.example\/w\//);
  });

  test('is known again by what stands for its device, which nobody can make up', async () => {
    const first = await open();
    const mac = macOf(first.html);
    expect(mac).toMatch(/^.[26AE]:/);
    expect(macOf((await open({}, cookieOf(first))).html)).toBe(mac);
    for (const cookie of ['', `portico_device=${mac.replaceAll(':', '').toLowerCase()}.${'0'.repeat(32)}`])
      expect(macOf((await open({}, cookie)).html)).not.toBe(mac);
  });

  test('cannot say itself which device it is', async () => {
    const page = await open({ mac: 'AA:AA:AA:AA:AA:AA' });
    expect(page.status).toBe(200);
    expect(macOf(page.html)).not.toBe('AA:AA:AA:AA:AA:AA');
    expect((await open({ login: 'https://evil.example/' })).status).toBe(400);
    expect((await open({ login: '' })).status).toBe(400);
  });
});
