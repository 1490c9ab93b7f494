import { expect, test } from 'vitest';
import { sophosLogs } from './log-lines.ts';

const { parse } = sophosLogs;

const old =
  'device="SFW" date=2026-10-21 time=14:38:48 timezone="+03" device_name="XG230" device_id=S1234567890 log_id=010101600001';
const modern =
  'device_name="SFW" timestamp="2026-10-21T18:28:48+0300" device_model="SFVH" device_serial_id="C0100" log_id="010101600001"';

test('a firewall connection is counted once, at its end, with its bytes', () => {
  const line = (event: string, bytes: string) =>
    `${modern} log_type="Firewall" log_component="Firewall Rule" log_subtype="Allowed" log_version=1 src_ip="192.168.2.122" src_country="R1" dst_ip="198.51.100.20" dst_country="TUR" protocol="TCP" src_port=41242 dst_port=5222 ${bytes} con_event="${event}"`;
  expect(parse(line('Start', ''))).toMatchObject({ type: 'firewall', connections: 0 });
  expect(parse(line('Interim', 'bytes_sent=100 bytes_received=100'))).toMatchObject({
    connections: 0,
    recv: undefined,
  });
  expect(parse(line('Stop', 'packets_sent=4  packets_received=2 bytes_sent=216 bytes_received=112'))).toMatchObject({
    type: 'firewall',
    destination: '198.51.100.20',
    port: 5222,
    protocol: 'tcp',
    country: 'TR',
    sent: 216,
    recv: 112,
    connections: 1,
  });
  expect(
    parse(
      `${old} log_type="Firewall" log_subtype="Allowed" application="WhatsApp" src_ip=10.0.0.1 dst_ip=198.51.100.7 dst_country_code=DEU protocol="UDP" dst_port=3478 sent_bytes=5 recv_bytes=7 connevent="Stop"`,
    ),
  ).toMatchObject({
    application: 'WhatsApp',
    country: 'DE',
    sent: 5,
    recv: 7,
    connections: 1,
  });
  expect(parse(`${old} log_type="Firewall" log_subtype="Denied" dst_ip=198.51.100.7 dst_port=443`)).toMatchObject({
    type: 'firewall',
    connections: 0,
  });
});

test('web filter lines are read in both formats, with spaces inside values', () => {
  expect(
    parse(
      `${modern} log_type="Content Filtering" log_component="HTTP" log_subtype="Allowed" url="https://cdn.example.net" dst_ip="198.51.100.20" dst_port=443 bytes_sent=19591 bytes_received=2856085 domain="cdn.example.net" app_name="GitHub" dst_country="USA"`,
    ),
  ).toMatchObject({
    type: 'proxy',
    domain: 'cdn.example.net',
    recv: 2856085,
    sent: 19591,
    application: 'GitHub',
    country: 'US',
    connections: 1,
  });
  expect(
    parse(
      `${old} log_type="Content Filtering" log_subtype="Allowed" url="http://www.example.com/" dst_ip=198.51.100.20 dst_port=80 sent_bytes=1 recv_bytes=2 domain=www. example.com status_code="200"`,
    ),
  ).toMatchObject({ type: 'proxy', domain: 'www.example.com' });
  expect(
    parse(
      `${modern} log_type="Content Filtering" log_subtype="Allowed" url="http://198.51.100.20/" domain="198.51.100.20"`,
    ).domain,
  ).toBeUndefined();
});

test('DHCP lines are recognised', () => {
  expect(
    parse(
      `${modern} log_type="Event" log_component="DHCP Server" log_subtype="System" message="Lease IP 192.168.2.250 renewed for MAC 00:11:d9:a0:19:11"`,
    ),
  ).toMatchObject({ type: 'dhcp' });
  expect(parse(`${modern} log_type="Event" log_component="GUI" log_subtype="Admin"`)).toMatchObject({ type: 'other' });
  expect(parse('dhcpd: DHCPACK on 192.0.2.129 to 04:7b:cb:a1:d2:93 (CLIENTHOST) via eth1')).toMatchObject({
    type: 'dhcp',
  });
});

test('lines of Sophos UTM are read', () => {
  expect(
    parse(
      'httpproxy[6267]: id="0001" severity="info" sys="SecureWeb" sub="http" name="http access" action="pass" method="GET" srcip="10.0.0.2" dstip="198.51.100.129" size="311" url="https://my.example.com/ext" application="googplay"',
    ),
  ).toMatchObject({ type: 'proxy', domain: 'my.example.com', recv: 311, application: 'googplay', connections: 1 });
  expect(
    parse(
      'ulogd[12511]: id="2001" sys="SecureNet" sub="packetfilter" name="Packet dropped" action="drop" srcip="10.0.0.2" dstip="198.51.100.129" proto="17" srcport="5319" dstport="5060"',
    ),
  ).toMatchObject({
    type: 'firewall',
    protocol: 'udp',
    connections: 0,
  });
  expect(parse('named[7442]: clients-per-query increased to 15')).toMatchObject({ type: 'dns' });
});
