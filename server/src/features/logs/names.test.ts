import { expect, test } from 'vitest';
import { applicationOf, siteOf } from './names.ts';

test.each([
  ['cdn.example.com.tr', 'example.com.tr'],
  ['www.example.co.uk', 'example.co.uk'],
  ['a.b.example.com', 'example.com'],
  // A registered name directly under .tv, and a Japanese city domain with registrations below it.
  ['shop.web.tv', 'web.tv'],
  ['www.example.bunkyo.tokyo.jp', 'example.bunkyo.tokyo.jp'],
  ['_dns.example.org', 'example.org'],
  // Names without a registered part stay unchanged.
  ['com.tr', 'com.tr'],
  ['printer', 'printer'],
  ['192.0.2.10', '192.0.2.10'],
])('the site of %s is %s', (domain, site) => {
  expect(siteOf(domain)).toBe(site);
});

test.each([
  ['as the router reports it', { application: 'Skype', port: 443 }, 'youtube.com', 'Skype'],
  ['by its site', { port: 22 }, 'youtube.com', 'YouTube'],
  ['by its port', { port: 22 }, 'example.org', 'SSH'],
  ['by its port without a site', { port: 443, protocol: 'tcp' }, undefined, 'HTTPS'],
  ['by port and protocol', { port: 443, protocol: 'udp' }, undefined, 'QUIC'],
  ['by its port over UDP', { port: 53, protocol: 'udp' }, undefined, 'DNS'],
  ['of an unknown port', { port: 9 }, undefined, undefined],
  ['without a port', { protocol: 'udp' }, undefined, undefined],
])('an application is known %s', (_, facts, site, expected) => {
  expect(applicationOf({ type: 'firewall', connections: 1, ...facts }, site)).toBe(expected);
});

test('a proxy line counts by its site only, because the firewall logs its connection too', () => {
  const facts = { type: 'proxy', connections: 1, port: 443 } as const;
  expect([applicationOf(facts, 'example.org'), applicationOf(facts, 'youtube.com')]).toEqual([undefined, 'YouTube']);
});
