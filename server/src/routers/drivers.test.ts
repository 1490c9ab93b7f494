import { hasSecret, usesRadius } from '@portico/contract/device-kinds.ts';
import { guestArrival } from '@portico/contract/guest-forms.ts';
import { describe, expect, test } from 'vitest';
import type { HandOver } from './driver.ts';
import { driverOf, drivers, findDriver, portalPath } from './drivers.ts';
import { returnAddress } from './return-address.ts';

const noDevice = { hotspot_address: null, serial_number: null };
const handOver = (it: Partial<HandOver>): HandOver => ({
  device: noDevice,
  login: new URL('http://10.5.50.1/login'),
  mac: 'AA:BB:CC:00:00:01',
  ticket: 'ticket',
  onlineUrl: grant => `https://wifi.example/online?${grant?.class ?? ''}`,
  secret: () => undefined,
  authorize: async () => ({
    ...{ class: 'c1', sessionSeconds: 30, idleSeconds: 0 },
    ...{ uploadBps: null, downloadBps: null, totalBytes: null },
  }),
  queue: async () => {},
  controller: async () => undefined,
  ...it,
});

test('every driver is found by its slug, and other slugs have none', () => {
  for (const driver of drivers) expect(driverOf(driver.slug)).toBe(driver);
  expect(findDriver('other')).toBeUndefined();
  expect(() => driverOf('other')).toThrow('no driver for the brand other');
});

test('the panel shows our RADIUS server and the secret for the brands that use them', () => {
  expect(drivers.filter(({ slug }) => usesRadius(slug))).toEqual(drivers.filter(driver => driver.speaksRadius));
  expect(drivers.filter(({ slug }) => hasSecret(slug))).toEqual(
    drivers.filter(driver => driver.speaksRadius || driver.sharesSecret),
  );
});

test('a device has the address of its brand, or one of its own', () => {
  expect(drivers.map(({ slug }) => portalPath(slug, 'abcdefgh'))).toEqual(
    drivers.map(({ slug }) => (slug === 'watchguard' ? '/wg' : '/w/abcdefgh')),
  );
});

test('the sign-in page is at the hotspot address, if the brand has one', () => {
  const pages = drivers.map(driver => [driver.slug, driver.signInPage({ hotspot_address: '10.5.50.1/24' })]);
  expect(Object.fromEntries(pages.filter(([, page]) => page !== null))).toEqual({
    mikrotik: 'http://10.5.50.1/login',
    sophos: 'https://10.5.50.1:8090/',
    ...Object.fromEntries(['coovachilli', 'uspot', 'uam'].map(slug => [slug, 'http://10.5.50.1:3990/prelogin'])),
  });
  for (const driver of drivers) expect(driver.signInPage(noDevice)).toBeNull();
});

describe('mikrotik', () => {
  const driver = driverOf('mikrotik');
  test('hands over by the login address and signs out beside it', async () => {
    const { redirect } = (await driver.handOver(handOver({}))) as { redirect: string };
    expect(Object.fromEntries(new URL(redirect).searchParams)).toEqual({
      username: 'ticket',
      password: 'ticket',
      dst: 'https://wifi.example/online?',
    });
    expect(driver.signOutUrl(new URL('http://10.5.50.1/login?x=1'), 'guest')).toBe('http://10.5.50.1/logout');
    expect(driver.signOutUrl(new URL('http://10.5.50.1/other'), 'guest')).toBeNull();
  });
});

describe('sophos', () => {
  const driver = driverOf('sophos');
  const arrival = guestArrival.parse({ step: 'plain' });
  const request = {
    query: {},
    arrival,
    referrer: '',
    url: 'http://wifi.example/w/abcdefgh',
    device: noDevice,
    secret: () => undefined,
  };

  test('reads the return address from the Referer, or from the device', () => {
    const referrer = 'https://192.168.5.1:8090/?url=http://example.com/';
    expect(driver.readArrival!({ ...request, referrer })).toMatchObject({
      step: '',
      login: 'https://192.168.5.1:8090/login.xml',
      orig: 'http://example.com/',
    });
    const device = { ...noDevice, hotspot_address: '10.1.1.1' };
    const other = driver.readArrival!({ ...request, referrer: 'https://evil.example/', device });
    expect(other.login).toBe('https://10.1.1.1:8090/login.xml');
    expect(driver.readArrival!({ ...request, referrer: 'https://evil.example/' })).toEqual(arrival);
  });

  test('uses a form only for guests without script', () => {
    expect(driver.form!.appliesTo(new URL('https://192.168.5.1:8090/'))).toBe(false);
    const login = new URL('https://192.168.5.1:8090/login.xml');
    expect(driver.form!.appliesTo(login)).toBe(true);
    expect(driver.form!.signIn(login, 't', '')).toMatchObject({
      action: login.href,
      fields: { mode: '191', username: 't' },
    });
    expect(driver.form!.signOut!(login, 'u').action).toBe('https://192.168.5.1:8090/logout.xml');
  });
});

describe('watchguard', () => {
  const driver = driverOf('watchguard');
  const { arrival, serialNumber } = driver.sharedEntry!.read({
    xtm: 'http://10.0.3.1:4106/wgcgi.cgi',
    ts: '1677336031',
    sn: 'D0FE0CF6C42CB',
    mac: 'ca:fe:c0:ff:ee:00',
  });
  const login = new URL(arrival.login!);

  test('accepts only a return address of this Firebox and guest', () => {
    const check = {
      device: { ...noDevice, serial_number: 'd0fe0cf6c42cb' },
      login,
      mac: 'CA:FE:C0:FF:EE:00',
      secret: () => undefined,
    };
    expect(serialNumber).toBe('D0FE0CF6C42CB');
    expect(driver.isGenuine!(check)).toBe(true);
    expect(driver.isGenuine!({ ...check, mac: 'CA:FE:C0:FF:EE:01' })).toBe(false);
    expect(driver.isGenuine!({ ...check, device: noDevice })).toBe(false);
  });

  test('signs a decision of at least a minute, and none without the secret or an accepted guest', async () => {
    const signed = (await driver.handOver(handOver({ login, secret: () => 'secret' }))) as { redirect: string };
    const query = new URL(signed.redirect).searchParams;
    expect([query.get('success'), query.get('sess_timeout'), query.get('redirect')]).toEqual([
      '1',
      '60',
      'https://wifi.example/online?c1',
    ]);
    expect(await driver.handOver(handOver({ login }))).toEqual({ misconfigured: true });
    const refused = { problem: 'over_limit' } as const;
    expect(await driver.handOver(handOver({ login, secret: () => 's', authorize: async () => refused }))).toBe(refused);
  });
});

describe('a host of the vendor', () => {
  const at = (slug: string, login: string, learned?: string[]) =>
    returnAddress(login, { hotspot_address: null, login_hosts: learned, driver: driverOf(slug) })?.hostname;

  test('is a place to return to for its own brand only', () => {
    expect(at('aruba', 'https://securelogin.arubanetworks.com/cgi-bin/login')).toBe('securelogin.arubanetworks.com');
    expect(at('cisco', 'https://192.0.2.1/login.html')).toBe('192.0.2.1');
    expect(at('meraki', 'https://n143.network-auth.com/splash/login')).toBe('n143.network-auth.com');
    for (const [slug, host] of [
      ['mikrotik', 'securelogin.arubanetworks.com'],
      ['aruba', 'n143.network-auth.com'],
      ['aruba', 'securelogin.arubanetworks.com.evil.example'],
      ['meraki', 'network-auth.com.evil.example'],
      ['meraki', 'evilnetwork-auth.com'],
      ['cisco', '1.1.1.1'],
    ] as const)
      expect(at(slug, `https://${host}/`), `${slug} ${host}`).toBeUndefined();
  });

  test('is refused once the device has other places', () => {
    const login = 'https://n143.network-auth.com/splash/login';
    expect(at('meraki', login, ['n143.network-auth.com'])).toBe('n143.network-auth.com');
    expect(at('meraki', login, ['n7.network-auth.com'])).toBeUndefined();
  });
});

describe('meraki-click', () => {
  const driver = driverOf('meraki-click');
  const login = new URL('https://n143.network-auth.com/splash/grant');
  test('sends the guest to the grant with the time that its limits allow', async () => {
    const { redirect } = (await driver.handOver(handOver({ login }))) as { redirect: string };
    const to = new URL(redirect);
    expect(to.origin + to.pathname).toBe(login.href);
    expect(Object.fromEntries(to.searchParams)).toEqual({
      continue_url: 'https://wifi.example/online?c1',
      duration: '60',
    });
    const refused = { problem: 'over_limit' } as const;
    expect(await driver.handOver(handOver({ login, authorize: async () => refused }))).toBe(refused);
  });
});
