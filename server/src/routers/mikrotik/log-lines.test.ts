import { expect, test } from 'vitest';
import { mikrotikLogs } from './log-lines.ts';

const { parse } = mikrotikLogs;

const at = '10.5.50.9';

test('firewall lines count the connections that guests open', () => {
  const line = `forward: in:bridge-guest out:ether1, connection-state:new src-mac aa:bb:cc:dd:ee:ff, proto TCP (SYN), ${at}:51234->142.250.72.14:443, len 60`;
  const facts = { type: 'firewall', destination: '142.250.72.14', port: 443, protocol: 'tcp', connections: 1 };
  for (const written of [
    line,
    `firewall,info ${line}`,
    `abcdefgh: ${line}`,
    `firewall,info abcdefgh: ${line}`,
    `abcdefgh ${line}`,
  ])
    expect(parse(written), written).toEqual(facts);
  expect(
    parse(`firewall,info forward: in:a out:b, proto UDP, [2001:db8::1]:5->[2001:db8::2]:443, len 60`),
  ).toMatchObject({
    destination: '2001:db8::2',
    port: 443,
    protocol: 'udp',
    connections: 1,
  });
  expect(parse(`forward: in:a out:b, proto ICMP (type 8, code 0), ${at}->8.8.8.8, len 84`)).toMatchObject({
    type: 'firewall',
    destination: '8.8.8.8',
    protocol: 'icmp',
  });
  expect(
    parse(
      `srcnat: in:(unknown 0) out:ether1, connection-state:new,snat proto TCP (SYN), ${at}:1->1.2.3.4:80, NAT (${at}:1->5.6.7.8:1)->1.2.3.4:80, len 60`,
    ),
  ).toMatchObject({
    type: 'firewall',
  });
});

test('traffic to the router and dropped packets count no connection', () => {
  const rest =
    'in:ether1 out:(unknown 0), connection-state:new src-mac 00:17:10:88:bc:02, proto UDP, 198.51.100.68:5060->203.0.113.5:5060, len 430';
  expect(parse(`firewall,info drop-in input: ${rest}`)).toMatchObject({ type: 'firewall', connections: 0 });
  expect(parse(`firewall,info DROP FORWARD forward: ${rest}`)).toMatchObject({ type: 'firewall', connections: 0 });
  expect(
    parse(
      'firewall,info drop-in input: in:ether1-WAN out:(unknown 0), connection-state:new src-mac 00:17:10:88:bc:02, proto UDP, 198.51.1',
    ),
  ).toMatchObject({
    type: 'firewall',
    connections: 0,
  });
});

test('a log prefix with a comma is no list of topics', () => {
  const line = `in:guest out:wan, connection-state:new proto TCP (SYN), ${at}:51234->142.250.72.14:443, len 60`;
  for (const [written, connections] of [
    [`drop,wan forward: ${line}`, 0],
    [`guests,wan forward: ${line}`, 1],
    [`firewall,info guests,wan forward: ${line}`, 1],
  ] as const) {
    expect(parse(written), written).toMatchObject({ type: 'firewall', destination: '142.250.72.14', connections });
    expect(mikrotikLogs.readConnection(written), written).toMatchObject({ source: at, sourcePort: 51234 });
  }
  expect(parse(`hotspot,info,debug x forward: ${line}`)).toEqual({ type: 'other', connections: 0 });
});

test('web proxy, dhcp and dns', () => {
  expect(
    parse(`web-proxy,account abcdefgh: ${at} GET http://S.Example.com:8080/a?b=c#d  action=allow cache=MISS`),
  ).toMatchObject({
    type: 'proxy',
    domain: 's.example.com',
    connections: 1,
  });
  expect(parse(`${at} CONNECT example.com:443  action=allow cache=MISS`)).toMatchObject({
    type: 'proxy',
    domain: 'example.com',
    port: 443,
  });
  expect(parse(`${at} GET http://example.com/  action=deny cache=MISS`)).toMatchObject({
    type: 'proxy',
    connections: 0,
  });
  for (const line of [
    'dhcp,info dhcp1 assigned 10.5.50.9 to AA:BB:CC:DD:EE:01',
    'abcdefgh: dhcp1 deassigned 10.5.50.9 from AA:BB:CC:DD:EE:01',
    'dhcp-SKY assigned 192.168.2.249 for 08:8A:F1:6F:4C:93 MW325R',
    'dhcp,debug,packet dhcp1 sending offer with id 1 to 10.0.0.1',
  ])
    expect(parse(line), line).toEqual({ type: 'dhcp', connections: 0 });
  expect(parse('dns,info dns query from 192.0.2.10: #22433118 WWW.Example.COM. A')).toEqual({
    type: 'dns',
    connections: 0,
  });
  expect(parse('dns done query: #224 www.Example.com 192.0.2.50')).toEqual({
    type: 'dns',
    connections: 0,
    answer: { name: 'www.example.com', address: '192.0.2.50' },
  });
  for (const without of [
    'abcdefgh: done query: #224 www.example.com. 192.0.2.50',
    'dns,info abcdefgh: done query: #224 www.example.com 192.0.2.50',
  ])
    expect(parse(without)).toMatchObject({ type: 'dns', answer: { name: 'www.example.com', address: '192.0.2.50' } });
  expect(parse('abcdefgh: query from 192.0.2.10: #22433118 www.example.com. A')).toEqual({
    type: 'dns',
    connections: 0,
  });
  expect(parse('dns done query: #224 dns server failure')).toMatchObject({ type: 'dns' });
  expect(parse('system,error,critical login failure for user admin from 10.127.0.35 via winbox')).toEqual({
    type: 'other',
    connections: 0,
  });
});

test('CEF lines are read by their msg field', () => {
  const head = 'CEF:0|MikroTik|RB2011UAS|7.19.4 (stable)|16';
  expect(
    parse(
      `${head}|dhcp,info|Low|dvchost=1MB dvc=10.10.10.225 msg=dhcp1 assigned 192.168.1.14 for AA:44:33:00:77:CC POCO`,
    ),
  ).toEqual({ type: 'dhcp', connections: 0 });
  expect(
    parse(
      `${head}|firewall,info|Low|dvchost=My router dvc=192.0.2.7 msg=forward: in:a out:b, connection-state:new proto UDP, ${at}:5->142.250.72.14:443, len 60 src=${at} dst=142.250.72.14`,
    ),
  ).toEqual({ type: 'firewall', destination: '142.250.72.14', port: 443, protocol: 'udp', connections: 1 });
  expect(
    parse(
      `${head}|web-proxy,account|Low|dvchost=x dvc=192.0.2.7 msg=abcdefgh: ${at} GET http://example.com/?a\\=b  action\\=allow cache\\=MISS`,
    ),
  ).toMatchObject({ type: 'proxy', domain: 'example.com', connections: 1 });
  expect(parse(`${head}|dns|Low|dvchost=x dvc=192.0.2.7 msg=done query: #1 www.example.com 192.0.2.50`)).toMatchObject({
    type: 'dns',
    answer: { name: 'www.example.com', address: '192.0.2.50' },
  });
});
