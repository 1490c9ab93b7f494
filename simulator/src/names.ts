import type { Random } from './random.ts';

const vendors = [
  '3C:06:30',
  'F0:18:98',
  'A4:83:E7',
  '8C:85:90',
  'DC:A6:32',
  '5C:CF:7F',
  '28:6C:07',
  '40:4E:36',
  'E8:50:8B',
  'B8:27:EB',
];
const kinds = ['iPhone', 'Galaxy-A54', 'Redmi-Note-12', 'MacBook-Air', 'iPad', 'Pixel-8', 'DESKTOP', 'Huawei-P40'];

const pair = (random: Random): string => random.below(256).toString(16).padStart(2, '0').toUpperCase();

/** A MAC with a real maker's prefix, in upper case with colons. */
export const randomMac = (random: Random): string =>
  [random.pick(vendors), pair(random), pair(random), pair(random)].join(':');

/** The host name of a guest's device. */
export const randomDeviceName = (random: Random): string => `${random.pick(kinds)}-${random.below(1000)}`;

/** Sites that guests visit, the popular ones first; addresses are from the documentation ranges (RFC 5737). */
export const sites = [
  { domain: 'www.google.com', address: '198.51.100.10' },
  { domain: 'www.youtube.com', address: '198.51.100.11' },
  { domain: 'i.instagram.com', address: '198.51.100.12' },
  { domain: 'web.whatsapp.com', address: '198.51.100.13' },
  { domain: 'www.trendyol.com', address: '203.0.113.20' },
  { domain: 'www.hurriyet.com.tr', address: '203.0.113.21' },
  { domain: 'www.sahibinden.com', address: '203.0.113.22' },
  { domain: 'open.spotify.com', address: '198.51.100.14' },
  { domain: 'www.netflix.com', address: '198.51.100.15' },
  { domain: 'tr.wikipedia.org', address: '192.0.2.30' },
  { domain: 'www.booking.com', address: '192.0.2.31' },
  { domain: 'mgm.gov.tr', address: '192.0.2.32' },
] as const;

/** Picks a site; the first ones are far more frequent than the last. */
export const randomSite = (random: Random): (typeof sites)[number] =>
  sites[Math.min(sites.length - 1, Math.floor(random.around(sites.length / 4)))] as (typeof sites)[number];
