import { expect, test } from 'vitest';
import { filterOf } from '#app/filter-of.ts';

test('a found session is shown by its MAC address, its IP address or its id', () => {
  expect(filterOf('A0:00:00:00:00:01')).toBe('mac');
  for (const ip of ['10.5.50.7', '2001:db8::7', 'fe80::1']) expect(filterOf(ip), ip).toBe('ip');
  for (const id of [
    '80700001',
    '6d.4e:91',
    '6d:4e:91',
    'hotel.1-22',
    '0A:1F',
    '1.2',
    'ab:cd:ef:gh:ij:kl',
    '00:00:00:00:00:01.7',
  ])
    expect(filterOf(id), id).toBe('search');
});
