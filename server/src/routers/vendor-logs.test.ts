import { expect, test } from 'vitest';
import { driverOf } from './drivers.ts';

const fortigate = driverOf('fortigate').logs;
const pfsense = driverOf('pfsense').logs;

// A line of Fortinet's "FortiOS Log Message Reference", with addresses of our own.
const traffic =
  'date=2026-11-20 time=10:00:00 devname="fw" devid="FG100F" logid="0000000013" type="traffic" subtype="forward" level="notice" ' +
  'vd="root" srcip=10.1.100.11 srcport=58012 srcintf="port12" dstip=23.59.154.35 dstport=80 dstintf="port11" sessionid=105048 ' +
  'proto=6 action="close" policyid=1 service="HTTP" trandisp="snat" transip=172.16.200.2 transport=58012 duration=116 ' +
  'sentbyte=1188 rcvdbyte=1224 sentpkt=17 rcvdpkt=16 app="HTTP.BROWSER"';

test('lines of FortiOS', () => {
  expect(fortigate.parse(traffic)).toMatchObject({
    ...{
      type: 'firewall',
      destination: '23.59.154.35',
      port: 80,
      protocol: 'tcp',
      sent: 1188,
      recv: 1224,
      connections: 1,
    },
  });
  expect(fortigate.readConnection(traffic)).toEqual({
    ...{ source: '10.1.100.11', sourcePort: 58012, natAddress: '172.16.200.2', natPort: 58012 },
    ...{ destination: '23.59.154.35', destinationPort: 80 },
  });
  expect(fortigate.parse(traffic.replace('action="close"', 'action="deny"')).connections).toBe(0);
  const web =
    'type="utm" subtype="webfilter" action="passthrough" hostname="www.example.com" dstip=93.184.216.34 dstport=443';
  expect(fortigate.parse(web)).toMatchObject({ type: 'proxy', domain: 'www.example.com', connections: 1 });
  const lease =
    'type="event" subtype="system" logdesc="DHCP Ack log" dhcp_msg="Ack" mac="00:0c:29:aa:bb:cc" ip=10.1.100.11';
  expect(fortigate.readLease(lease)).toEqual({ address: '10.1.100.11', mac: '00:0C:29:AA:BB:CC', ends: false });
  for (const junk of ['', 'type="traffic"', 'type="', 'srcip=1 dstip=', '\0'.repeat(50)]) {
    expect(fortigate.readConnection(junk)).toBeUndefined();
    expect(fortigate.parse(junk).connections).toBe(0);
  }
});

// After Netgate's "Raw Filter Log Format".
const pass =
  'filterlog[42]: 5,,,1000000103,em1,match,pass,in,4,0x0,,64,1,0,DF,6,tcp,60,10.0.0.5,93.184.216.34,50123,443,0,S,123,,64240,,mss';

test('lines of pfSense and OPNsense', () => {
  expect(pfsense.parse(pass)).toMatchObject({
    ...{ type: 'firewall', destination: '93.184.216.34', port: 443, protocol: 'tcp', connections: 1 },
  });
  expect(pfsense.parse(pass.replace(',pass,', ',block,')).connections).toBe(0);
  expect(pfsense.readConnection(pass)).toMatchObject({ source: '10.0.0.5', sourcePort: 50123, destinationPort: 443 });
  expect(pfsense.readConnection(pass.slice(pass.indexOf('5,,')))).toMatchObject({ source: '10.0.0.5' });
  const ack = 'dhcpd[99]: DHCPACK on 10.0.0.5 to aa:bb:cc:dd:ee:ff (phone) via em1';
  expect(pfsense.readLease(ack)).toEqual({ address: '10.0.0.5', mac: 'AA:BB:CC:DD:EE:FF', ends: false });
  for (const junk of ['', ',match,', 'filterlog: 1,2,3,4,em1,match,pass', pass.replace(',4,', ',6,')])
    expect(pfsense.readConnection(junk)).toBeUndefined();
});
