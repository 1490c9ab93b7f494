import { expect, test } from 'vitest';
import { readHeader } from './header.ts';
import { formatRecord, parseRecord } from './record.ts';
import { createSenders, type LogSender } from './senders.ts';

const read = (line: string): [string | undefined, string] => {
  const { host, bodyAt } = readHeader(line);
  return [host, line.slice(bodyAt)];
};

test('RFC 3164 and its relatives', () => {
  expect(read('<34>Oct 11 22:14:15 mymachine su: failed')).toEqual(['mymachine', 'su: failed']);
  expect(read('<13>Feb  5 17:32:18 10.0.0.99 Use the BFG!')).toEqual(['10.0.0.99', 'Use the BFG!']);
  expect(read('<30>2025-01-15T14:23:45Z router dns,info dns query')).toEqual(['router', 'dns,info dns query']);
  expect(read('2023-03-18T20:35:05.734011+01:00 10.120.127.1 firewall,info x')).toEqual([
    '10.120.127.1',
    'firewall,info x',
  ]);
  expect(read('<30>2023:04:28-11:28:41 utm ulogd[12]: id="1"')).toEqual(['utm', 'ulogd[12]: id="1"']);
  expect(read('<134>Mar  2 08:14:23 prefix: message')).toEqual([undefined, 'prefix: message']);
  expect(read('firewall,info prefix: message')).toEqual([undefined, 'firewall,info prefix: message']);
  expect(read('<30>device="SFW" date=2020-05-18')).toEqual([undefined, 'device="SFW" date=2020-05-18']);
});

test('RFC 5424, with structured data and byte order mark', () => {
  expect(read('<34>1 2003-10-11T22:14:15.003Z mymachine.example.com su - ID47 - \xef\xbb\xbfit failed')).toEqual([
    'mymachine.example.com',
    'it failed',
  ]);
  expect(
    read('<165>1 2003-10-11T22:14:15.003Z host evntslog - ID47 [a@1 x="3" y="]\\"]"][b@2 z="1"] An event'),
  ).toEqual(['host', 'An event']);
  expect(read('<165>1 - - - - - - message')).toEqual([undefined, 'message']);
  expect(read('<165>1 2003-10-11T22:14:15.003Z host app - - [a@1 x="3"]')).toEqual(['host', '']);
});

test('what is neither is a message', () => {
  for (const line of [
    '',
    '<',
    '<>',
    '<999',
    '<1234>x',
    '<1>',
    '<1>1 ',
    '<1>1 a b c d e [x',
    '\x00\xff',
    '<1>Jan',
    '<13>Oct 11 22:14:15',
  ])
    expect(() => read(line)).not.toThrow();
  expect(read('<abc>hello')).toEqual([undefined, '<abc>hello']);
});

test('records keep a line byte for byte, on one line', () => {
  const at = Date.UTC(2026, 9, 21, 9, 30, 0, 7);
  const line = '<1>a\x00\xff b\nc \\n';
  const text = formatRecord({ at, source: '10.0.0.1', line: `${line}\r\n` });
  expect(text).toBe('2026-10-21T09:30:00.007Z 10.0.0.1 <1>a\x00\xff b\\nc \\n\n');
  expect(parseRecord(text.slice(0, -1))).toEqual({ at, source: '10.0.0.1', line: '<1>a\x00\xff b\\nc \\n' });
  for (const torn of [
    '',
    '2026-10-21T09:30',
    'x'.repeat(24),
    `${'x'.repeat(24)} a b`,
    '2026-10-21T09:30:00.007Z 10.0.0.1',
  ])
    expect(parseRecord(torn)).toBeUndefined();
});

test('a sender is known by its NAS id where the router writes it, else by an address of its own', () => {
  const device = (nasIdentifier: string, address: string | null): LogSender => ({
    tenantId: 't',
    deviceId: nasIdentifier,
    locationId: 'l',
    nasIdentifier,
    address,
    brand: 'mikrotik',
    timeZone: 'UTC',
    loggingEnabled: true,
  });
  const senders = createSenders();
  senders.replace([device('aaaaaaaa', '192.0.2.1'), device('bbbbbbbb', '192.0.2.2'), device('cccccccc', '192.0.2.2')]);
  const who = (line: string, from = '203.0.113.9') => senders.identify(line, from)?.deviceId;
  expect(who('<134>Mar  2 08:14:23 aaaaaaaa forward: in:x')).toBe('aaaaaaaa');
  expect(who('<134>Mar  2 08:14:23 router aaaaaaaa: forward: in:x')).toBe('aaaaaaaa');
  expect(who('firewall,info bbbbbbbb: forward: in:x')).toBe('bbbbbbbb');
  expect(who('bbbbbbbb: forward: in:x')).toBe('bbbbbbbb');
  expect(who('<30>2025-01-15T14:23:45Z router dns,info cccccccc: dns query')).toBe('cccccccc');
  expect(who('<134>Mar  2 08:14:23 router hello', '192.0.2.1')).toBe('aaaaaaaa');
  expect(who('<134>Mar  2 08:14:23 router hello', '192.0.2.2')).toBeUndefined();
  expect(who('dhcp,info dhcp1 assigned 10.0.0.1 to AA:BB:CC:DD:EE:FF aaaaaaaa:')).toBeUndefined();
  expect(who('<30>Mar  2 08:14:23 other dhcp1 assigned 10.0.0.1 to AA:BB:CC:DD:EE:FF aaaaaaaa')).toBeUndefined();
});
