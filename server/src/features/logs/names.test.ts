import { expect, test } from 'vitest';
import { siteOf } from './names.ts';

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
