import { expect, test } from 'vitest';
import { callerNetwork, callerSite } from './caller-network.ts';
import { plainAddress } from './plain-address.ts';

test.for([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:c000:201', '192.0.2.1'],
  ['0:0:0:0:0:ffff:c000:0201', '192.0.2.1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['2001:db8::ffff:1:2', '2001:db8::ffff:1:2'],
  ['::1', '::1'],
] as const)('%s is %s', ([address, plain]) => expect(plainAddress(address)).toBe(plain));

test('a network is written in one way, however its address was', () => {
  const networks = ['2001:db8:1:2:3:4:5:6', '2001:0DB8::1', '::1', '1::', '1:2::7:8', '1::5:6:7:8', '192.0.2.1'];
  expect(networks.map(callerNetwork)).toEqual([
    '2001:db8:1:2',
    '2001:db8:0:0',
    '0:0:0:0',
    '1:0:0:0',
    '1:2:0:0',
    '1:0:0:0',
    '192.0.2.1',
  ]);
  expect(callerSite('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1');
});

test('a limit counts the addresses of a /64 together', () => {
  expect(callerNetwork('::ffff:192.0.2.1')).toBe('192.0.2.1');
  expect(callerNetwork('2001:db8:1:2:3:4:5:6')).toBe(callerNetwork('2001:db8:1:2::9'));
  expect(callerSite('2001:db8:1:2::9')).toBe(callerSite('2001:db8:1:ffff::1'));
  expect(callerSite('2001:db8:1::9')).not.toBe(callerSite('2001:db8:2::9'));
  expect(callerSite('::ffff:192.0.2.1')).toBeUndefined();
  expect(callerNetwork('2001:db8:1:3::9')).not.toBe(callerNetwork('2001:db8:1:2::9'));
});
