import { expect, test } from 'vitest';
import { watchguardLogs } from './log-lines.ts';

const { parse } = watchguardLogs;

const head = '80A1B2C3D4E5F (2026-10-21T09:49:05) firewall:';

test('packet filter lines are read', () => {
  expect(
    parse(
      `${head} msg_id="3000-0148" Allow 1-Trusted 0-External 52 tcp 20 127 10.0.1.2 198.51.100.5 62443 80 offset 8 S 832026162 win 8192 geo_dst="TUR" (HTTP-00)`,
    ),
  ).toMatchObject({
    type: 'firewall',
    destination: '198.51.100.5',
    port: 80,
    protocol: 'tcp',
    country: 'TR',
    connections: 1,
  });
  expect(
    parse(
      `${head} msg_id="3000-0151" Allow 1-Trusted 0-External tcp 10.0.1.2 198.51.100.5 53018 443 app_name="YouTube" app_id="63" duration="80" sent_bytes="652" rcvd_bytes="423" (HTTPS-00)`,
    ),
  ).toMatchObject({
    type: 'firewall',
    application: 'YouTube',
    sent: 652,
    recv: 423,
    connections: 1,
  });
  expect(
    parse(
      `${head} msg_id="3000-0173" Deny 0-External Firebox 52 tcp 20 127 198.51.100.5 10.0.0.1 62443 80 offset 8 S 8 win 8192 blocked sites (Internal Policy)`,
    ),
  ).toMatchObject({
    type: 'firewall',
    connections: 0,
  });
});

test.each([
  ['from', 'Firebox 0-External'],
  ['to', '1-Trusted Firebox'],
])('traffic %s the Firebox itself is no use of a guest', (_, interfaces) => {
  const line = `${head} msg_id="3000-0151" Allow ${interfaces} tcp 10.0.1.2 198.51.100.5 53018 443 duration="80" sent_bytes="652" rcvd_bytes="423" (Any)`;
  const { connections, sent, recv } = parse(line);
  expect({ connections, sent, recv }).toEqual({ connections: 0, sent: undefined, recv: undefined });
});

test('proxy lines, which have fewer fields, are read', () => {
  expect(
    parse(
      `${head} msg_id="1AFF-0024" Allow 1-Trusted 6-Ext-access tcp 10.0.1.2 198.51.100.92 64425 80 msg="HTTP request" proxy_act="HTTP-Client.1" op="GET" dstname="www.example.com" arg="/" sent_bytes="339" rcvd_bytes="2" (HTTP-proxy-00)`,
    ),
  ).toMatchObject({
    type: 'proxy',
    domain: 'www.example.com',
    sent: 339,
    recv: 2,
    connections: 1,
  });
  expect(
    parse(
      `${head} msg_id="1AFF-001C" Deny 1-Trusted 0-External tcp 10.0.1.2 198.51.100.9 52466 80 msg="ProxyDeny: HTTP header cookie domain match" domain=".example.com" (HTTP-proxy-00)`,
    ),
  ).toMatchObject({
    type: 'proxy',
    connections: 0,
  });
});

test('DHCP lines and events are recognised', () => {
  expect(
    parse(`${head} msg_id="1600-0002" DHCPOFFER on 192.168.111.20 to 84:2b:2b:a6:02:3f (client) via eth1`),
  ).toEqual({ type: 'dhcp', connections: 0 });
  expect(parse(`${head} msg_id="2E02-0067" Manual DLP update failed`)).toEqual({ type: 'other', connections: 0 });
});
