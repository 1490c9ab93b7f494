import { expect, test } from 'vitest';
import { limitKey, plainAddress } from './plain-address.ts';

test.for([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:c000:201', '192.0.2.1'],
  ['0:0:0:0:0:ffff:c000:0201', '192.0.2.1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['2001:db8::ffff:1:2', '2001:db8::ffff:1:2'],
  ['::1', '::1'],
] as const)('%s is %s', ([address, plain]) => expect(plainAddress(address)).toBe(plain));

test('a limit counts the addresses of a /64 together', () => {
  expect(limitKey('192.0.2.1')).toBe('192.0.2.1');
  expect(limitKey('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64');
  expect(limitKey('2001:db8:1:2::9')).toBe('2001:db8:1:2::/64');
  expect(limitKey('2001:db8::9')).toBe('2001:db8:0:0::/64');
  expect(limitKey('::1')).toBe('0:0:0:0::/64');
});
