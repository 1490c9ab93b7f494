import { expect, test } from 'vitest';
import * as reading from './log-lines.ts';

/** Reads a line of a deleted device, whose brand is unknown. */
const readConnection = (text: string) => reading.readConnection(undefined, text);
const readLease = (text: string) => reading.readLease(undefined, text);

const translated = {
  source: '10.5.50.9',
  sourcePort: 50000,
  natAddress: '203.0.113.5',
  natPort: 61000,
  destination: '93.184.216.34',
  destinationPort: 443,
};

test.each([
  'firewall,info forward: in:guest out:wan, connection-state:established,snat src-mac aa:bb:cc:dd:ee:ff, proto TCP (ACK), 10.5.50.9:50000->93.184.216.34:443, NAT (10.5.50.9:50000->203.0.113.5:61000)->93.184.216.34:443, len 52',
  'device="SFW" log_type="Firewall" log_subtype="Allowed" src_ip=10.5.50.9 dst_ip=93.184.216.34 protocol="TCP" src_port=50000 dst_port=443 tran_src_ip=203.0.113.5 tran_src_port=61000 tran_dst_ip= tran_dst_port=0',
  'device_name="SFW" log_type="Firewall" log_subtype="Allowed" src_ip="10.5.50.9" dst_ip="93.184.216.34" src_port="50000" dst_port="443" src_trans_ip="203.0.113.5" src_trans_port="61000"',
  'firewall: msg_id="3000-0148" Allow 1-Trusted 0-External 52 tcp 20 63 10.5.50.9 93.184.216.34 50000 443 offset 8 S 1 win 64240 src_ip_nat="203.0.113.5" src_port_nat="61000" (Outgoing-00)',
])('reads the connection and its source NAT: %s', text => expect(readConnection(text)).toEqual(translated));

test('reads a line of netfilter, as Linux gateways write it', () => {
  const line =
    'kernel: guest IN=tun0 OUT=eth0 MAC= SRC=10.1.0.5 DST=93.184.216.34 LEN=60 TTL=63 PROTO=TCP SPT=50000 DPT=443 SYN';
  expect(readConnection(line)).toEqual({
    ...translated,
    source: '10.1.0.5',
    natAddress: undefined,
    natPort: undefined,
  });
  expect(readConnection(line.replace('SRC=10.1.0.5', 'SRC=x'))).toBeUndefined();
  expect(readLease('dnsmasq-dhcp: DHCPACK(br-lan) 10.1.0.5 aa:bb:cc:dd:ee:ff phone')).toMatchObject({ ends: false });
  expect(readLease('dnsmasq-dhcp: DHCPRELEASE(br-lan) 10.1.0.5 aa:bb:cc:dd:ee:ff')).toMatchObject({ ends: true });
});

test('reports no source NAT without one or in the reverse direction, and nothing for other lines', () => {
  expect(
    readConnection('forward: in:guest out:wan, connection-state:new, proto UDP, 10.5.50.9:5353->1.1.1.1:53, len 60'),
  ).toMatchObject({ source: '10.5.50.9', sourcePort: 5353, natAddress: undefined, natPort: undefined });
  expect(
    readConnection(
      'forward: in:wan out:guest, proto TCP (ACK), 93.184.216.34:443->10.5.50.9:50000, NAT 93.184.216.34:443->(203.0.113.5:61000->10.5.50.9:50000), len 52',
    ),
  ).toMatchObject({ source: '93.184.216.34', natAddress: undefined });
  expect(
    readConnection(
      'log_type="Firewall" src_ip=10.0.0.2 dst_ip=1.2.3.4 src_port=9 dst_port=9 tran_src_ip= tran_src_port=0',
    ),
  ).toMatchObject({ natAddress: undefined, natPort: undefined });
  for (const nothing of ['', 'system,info rebooted', 'src_ip=x dst_ip=y', 'msg_id="3000-0148" Allow', '->'.repeat(500)])
    expect(readConnection(nothing)).toBeUndefined();
});

test.each([
  ['dhcp1 assigned 10.5.50.9 to AA:BB:CC:DD:EE:FF phone', false],
  ['dhcp1 assigned 10.5.50.9 for aa:bb:cc:dd:ee:ff phone', false],
  ['dhcp1 deassigned 10.5.50.9 from AA:BB:CC:DD:EE:FF', true],
  ['dhcpd: DHCPACK on 10.5.50.9 to aa:bb:cc:dd:ee:ff (phone) via eth1', false],
  ['dhcpd: DHCPRELEASE of 10.5.50.9 from aa:bb:cc:dd:ee:ff via eth1', true],
  ['log_type="Event" log_component="DHCP Server" message="Lease 10.5.50.9 renewed for MAC aa-bb-cc-dd-ee-ff"', false],
  [
    'log_type="Event" log_component="DHCP Server" message="Lease IP 10.5.50.9 released from MAC aa:bb:cc:dd:ee:ff"',
    true,
  ],
])('reads the lease: %s', (text, ends) =>
  expect(readLease(text)).toEqual({ address: '10.5.50.9', mac: 'AA:BB:CC:DD:EE:FF', ends }),
);

test('other lines are no lease', () => {
  for (const nothing of ['', 'dhcp1 offering lease 10.5.50.9', 'DHCPACK on x to y', 'assigned '.repeat(900)])
    expect(readLease(nothing)).toBeUndefined();
});
