import { expect, test } from 'vitest';
import { readHeader } from './header.ts';
import { formatRecord, parseRecord } from './record.ts';
import { createSenders, type LogSender } from './senders.ts';

const read = (line: string): [string | undefined, string] => {
  const { host, bodyAt } = readHeader(line);
  return [host, line.slice(bodyAt)];
};

test('RFC 3164 and its variants', () => {
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

test('text without a header is all message', () => {
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
  for (const line of ['<abc>hello', '<>hello', '<1234>hello', '<1a>hello', '1>hello', '<12hello'])
    expect(read(line)).toEqual([undefined, line]);
  for (const line of ['<1>hello', '<123>hello']) expect(read(line)).toEqual([undefined, 'hello']);
});

test.for([
  ['a priority', ['<1!>hello', 'x12>hello']],
  ['the version of RFC 5424', ['1 2003-10-11T22:14:15.003Z host app - - - text']],
  ['a month', ['Foo 11 22:14:15 host text']],
  ['the form of RFC 3164', ['Oct 11x22:14:15 host text', 'Oct 11 22x14:15 host text', 'Oct 11 22:14:15.123 host text']],
  ['the digits of a date', ['x023-03-18T20:35:05Z host text', '202x-03-18T20:35:05Z host text']],
  ['the form of a date', ['2023-03-18 20:35:05Z host text', '2023-03-18T20-35-05Z host text']],
  ['any time', ['x hello world']],
] as const)('without %s, a line is all message', ([, lines]) => {
  for (const line of lines) expect(read(line), line).toEqual([undefined, line]);
});

test('after a priority, what is not complete in RFC 5424 is all message', () => {
  for (const text of [
    '2 2003-10-11T22:14:15.003Z host app - - - text',
    '12 2003-10-11T22:14:15.003Z host app - - - text',
    '1 a b c',
    '1 t host app - - [x',
    '1 t host app - - [x="]"',
    '1 t host app - - [x]text',
    '1 t host app - - -text',
  ])
    expect(read(`<34>${text}`), text).toEqual([undefined, text]);
  expect(read('<34>1 t host app - - [x]')).toEqual(['host', '']);
});

test('a word alone after the time is the message', () => {
  expect(read('<13>Oct 11 22:14:15 word')).toEqual([undefined, 'word']);
});

test('a record keeps the bytes of a line, and is one line itself', () => {
  const at = Date.UTC(2026, 9, 21, 9, 30, 0, 7);
  const line = '<1>a\x00\xff b\nc \\n';
  const text = formatRecord({ at, source: '10.0.0.1', line: `${line}\r\n` });
  expect(text).toBe('2026-10-21T09:30:00.007Z 10.0.0.1 <1>a\x00\xff b\\nc \\n\n');
  expect(parseRecord(text.slice(0, -1))).toEqual({ at, source: '10.0.0.1', line: '<1>a\x00\xff b\\nc \\n' });
  for (const truncated of [
    '',
    '2026-10-21T09:30',
    'x'.repeat(24),
    `${'x'.repeat(24)} a b`,
    '2026-10-21T09:30:00.007Z 10.0.0.1',
  ])
    expect(parseRecord(truncated)).toBeUndefined();
});

test('a line names its device by NAS identifier or serial number, and counts only from a proven address', () => {
  const device = (nasIdentifier: string, addresses: string[], serial: string | null = null): LogSender => ({
    tenantId: 't',
    deviceId: nasIdentifier,
    locationId: 'l',
    nasIdentifier,
    sources: addresses.map(network => {
      const [address = '', prefix = '32'] = network.split('/');
      return { address, prefix: Number(prefix), proof: 'radius' };
    }),
    brand: 'mikrotik',
    serial,
    timeZone: 'UTC',
    loggingEnabled: true,
  });
  const senders = createSenders();
  senders.replace([
    device('aaaaaaaa', ['192.0.2.1', '203.0.113.0/24']),
    device('bbbbbbbb', ['192.0.2.2', '203.0.113.9']),
    device('cccccccc', ['192.0.2.2', '203.0.113.9']),
    device('dddddddd', ['203.0.113.9'], '80D802B41D509'),
    device('eeeeeeee', ['203.0.113.9'], 'FVE6035FD3AE3'),
    device('ffffffff', ['203.0.113.9', '192.0.2.6'], 'FVE6035FD3AE3'),
  ]);
  const provenDevice = (line: string, from = '203.0.113.9') => {
    const found = senders.identify(line, from);
    return found.kind === 'proven' ? found.sender.deviceId : undefined;
  };
  const unprovenDevice = (line: string, from: string) => {
    const found = senders.identify(line, from);
    return found.kind === 'unproven' ? found.sender.deviceId : found.kind;
  };
  expect(unprovenDevice('<134>Mar  2 08:14:23 aaaaaaaa forward: in:x', '192.0.2.99')).toBe('aaaaaaaa');
  expect(unprovenDevice('<142>May 10 15:19:06 80d802b41d509 (2024-01-10T09:49:05) x', '192.0.2.99')).toBe('dddddddd');
  expect(unprovenDevice('<134>Mar  2 08:14:23 router hello', '192.0.2.99')).toBe('unknown');
  expect(provenDevice('<134>Mar  2 08:14:23 aaaaaaaa forward: in:x')).toBe('aaaaaaaa');
  expect(provenDevice('<134>Mar  2 08:14:23 router aaaaaaaa: forward: in:x')).toBe('aaaaaaaa');
  expect(provenDevice('firewall,info bbbbbbbb: forward: in:x')).toBe('bbbbbbbb');
  expect(provenDevice('bbbbbbbb: forward: in:x')).toBe('bbbbbbbb');
  expect(provenDevice('<30>2025-01-15T14:23:45Z router dns,info cccccccc: dns query')).toBe('cccccccc');
  expect(provenDevice('<134>Mar  2 08:14:23 router hello', '192.0.2.1')).toBe('aaaaaaaa');
  expect(provenDevice('<134>Mar  2 08:14:23 router hello', '192.0.2.2')).toBeUndefined();
  expect(provenDevice('dhcp,info dhcp1 assigned 10.0.0.1 to AA:BB:CC:DD:EE:FF aaaaaaaa:')).toBeUndefined();
  expect(
    provenDevice('<30>Mar  2 08:14:23 other dhcp1 assigned 10.0.0.1 to AA:BB:CC:DD:EE:FF aaaaaaaa'),
  ).toBeUndefined();

  const forward = 'forward: in:guest out:wan, connection-state:new proto TCP (SYN), 10.5.50.9:1->1.2.3.4:443, len 60';
  for (const line of [
    // RouterOS: default, syslog and CEF, with the prefix of the logging rule or of the firewall rule.
    `firewall,info bbbbbbbb: fw ${forward}`,
    `firewall,info bbbbbbbb ${forward}`,
    `<134>Oct  2 17:36:35 MikroTik bbbbbbbb ${forward}`,
    `<30>Oct  2 17:36:35 Lobby of the bbbbbbbb: ${forward}`,
    `<30>Oct  2 17:36:35 My router firewall,info bbbbbbbb: ${forward}`,
    `<30>Jun  4 18:00:00 edge-router : firewall,info bbbbbbbb: ${forward}`,
    '<191>Mar 10 13:47:47 MikroTik bbbbbbbb:   host-uniq=0x36eaf2',
    'Oct  2 17:36:35 bbbbbbbb CEF:0|MikroTik|hAP ax^2|7.25beta5|10|firewall,info|Low|dvchost=bbbbbbbb dvc=192.0.2.7 msg=x',
    `Oct  2 17:36:35 My CEF:0|MikroTik|CHR|7.20.4 (stable)|16|dhcp,info|Low|dvchost=My router dvc=192.0.2.7 msg=bbbbbbbb: ${forward}`,
    '2025-11-22T21:24:35.265-0500 10.0.0.1 CEF:0|MikroTik|RB4011iGS+5HacQ2HnD|7.20.4 (stable)|44|dhcp,info|Low|dvchost=bbbbbbbb dvc=192.0.2.7 msg=x',
    // After the tag of a relay or a script.
    `<134>Mar  2 08:14:23 relay firewall: bbbbbbbb: ${forward}`,
    `<134>Mar  2 08:14:23 relay firewall,info: bbbbbbbb: ${forward}`,
    `<134>Mar  2 08:14:23 firewall: bbbbbbbb: ${forward}`,
    `<13>Mar  2 08:14:23 relay mikrotik[812]: firewall,info bbbbbbbb: ${forward}`,
    `<134>1 2026-10-21T09:30:00Z 192.0.2.9 bbbbbbbb - - - ${forward}`,
    // A word and a colon after the name belong to the message.
    `<134>Mar  2 08:14:23 router bbbbbbbb: wireless1: aa:bb:cc:dd:ee:ff connected`,
    // Sophos: UTM's host name has a domain, SFOS writes device_name.
    '<30>2023:04:28-11:28:41 bbbbbbbb.example.com ulogd[12]: id="2001" sys="SecureNet"',
    '<30>device_name="bbbbbbbb" timestamp="2026-10-21T18:28:48+0300" device_model="SFVH" log_type="Firewall"',
    '<30>device="SFW" date=2026-10-21 time=14:38:48 timezone="+03" device_name="bbbbbbbb" device_id=S1 log_id=0101',
    'Nov 16 00:25:00 bbbbbbbb device_name="SFW" timestamp="2021-11-15T18:25:00-0600"',
    // WatchGuard with the NAS identifier as its name.
    '<142>May 10 15:19:06 bbbbbbbb 80D802B41D509 (2024-01-10T09:49:05) firewall[10]: msg_id="3000-0148" Allow',
  ])
    expect(provenDevice(line), line).toBe('bbbbbbbb');

  for (const line of [
    '<142>May 10 15:19:06 WatchGuard-Firebox 80D802B41D509 (2024-01-10T09:49:05) firewall[10]: msg_id="3000-0148" Allow',
    '<142>May 10 15:19:06 80d802b41d509 (2024-01-10T09:49:05) firewall: msg_id="3000-0148" Allow',
    '<142>80D802B41D509 (2024-01-10T09:49:05) firewall: msg_id="3000-0148" Allow',
    '2025-11-21T00:28:01.556323+00:00 D1-FW-A 80D802B41D509 D1-FW firewall: msg_id="3000-0148" Allow',
  ])
    expect(provenDevice(line), line).toBe('dddddddd');
  const twice =
    '<142>May 10 15:19:06 Firebox FVE6035FD3AE3 (2024-01-10T09:49:05) firewall[10]: msg_id="3000-0148" Allow';
  expect(senders.identify(twice, '203.0.113.9'), 'two devices at this address have the serial number').toMatchObject({
    kind: 'ambiguous',
    senders: [{ deviceId: 'eeeeeeee' }, { deviceId: 'ffffffff' }],
  });
  expect(provenDevice(twice, '192.0.2.6'), 'the address tells them apart').toBe('ffffffff');

  for (const forged of [
    '<27>Oct  2 17:36:35 MikroTik login failure for user bbbbbbbb: forward: in:x from 10.0.0.9 via ssh',
    'hotspot,info,debug ->: bbbbbbbb: x (10.0.0.9): trying to log in by http-chap',
    '<30>Oct  2 17:36:35 MikroTik 10.5.50.9 GET http://bbbbbbbb: /x  action=allow',
    '<30>Oct  2 17:36:35 MikroTik query from 10.5.50.9: #1 bbbbbbbb: forward: in:x. A',
    '<142>May 10 15:19:06 fw 1A (2024-01-10T09:49:05) dhcpd: DHCPOFFER to 80D802B41D509 bbbbbbbb: x',
  ])
    expect(senders.identify(forged, '203.0.113.9').kind, `${forged}: a guest chose this name`).not.toBe('proven');
});

// There is no clock here: quadratic time over a quarter of a megabyte would exceed the limit of any test.
test('the sender of a long line is found in linear time', () => {
  const senders = createSenders();
  const pieces = ['a ', 'a: ', 'a,b ', 'aaaaaaaa ', 'x[1]: ', 'dvchost=a ', 'device="" ', '. ', 'msg=', ' '];
  for (const piece of pieces)
    for (const head of ['', '<1>', '<1>Oct 11 22:14:15 h ', 'CEF:0|MikroTik|', 'device="x" date=1 time=2 ']) {
      const line = head + piece.repeat(262_144 / piece.length);
      expect(senders.identify(line, '192.0.2.1').kind, line.slice(0, 60)).toBe('unknown');
    }
});
