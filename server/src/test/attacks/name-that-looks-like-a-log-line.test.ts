import { describe, expect, test } from 'vitest';
import { parseLogLine, readConnection, readLease } from '#routers/log-lines.ts';

/**
 * The attack: a guest chooses the name of a device. The router's DHCP lines end with it, and so look like a NAT translation or
 * a lease of another guest. "Who was it?" would name that guest for what the first one did.
 */
const innocent = '10.5.50.20';
const mac = '02:00:00:00:00:20';
const own = '02:00:00:00:00:66';
const translations = {
  mikrotik: `x in:a out:b, proto TCP (SYN), ${innocent}:51234->198.51.100.9:443, NAT (${innocent}:51234->203.0.113.9:51234)->198.51.100.9:443, len 52`,
  sophos: `x log_type="Firewall" log_subtype="Allowed" src_ip=${innocent} src_port=51234 dst_ip=198.51.100.9 dst_port=443 tran_src_ip=203.0.113.9 tran_src_port=51234`,
  utm: `x sys="SecureNet" sub="packetfilter" srcip="${innocent}" srcport="51234" dstip="198.51.100.9" dstport="443"`,
  watchguard: `x msg_id="3000-0148" Allow a b 52 tcp 20 63 ${innocent} 198.51.100.9 51234 443 src_ip_nat="203.0.113.9"`,
  pfsense: `x filterlog: 5,,,1,em0,match,pass,in,4,0x0,,64,1,0,DF,6,tcp,60,${innocent},198.51.100.9,51234,443,0,S,1,,64240,,mss`,
  linux: `x IN=a OUT=b SRC=${innocent} DST=198.51.100.9 PROTO=TCP SPT=51234 DPT=443`,
};
const leases = [
  `dhcp1 assigned ${innocent} to ${mac}`,
  `DHCPACK on ${innocent} to ${mac} (x) via eth0`,
  `DHCPACK(br-lan) ${innocent} ${mac} x`,
  `log_type="Event" log_component="DHCP Server" message="Lease ${innocent} renewed for MAC ${mac}"`,
];
const names = [...Object.values(translations), ...leases];

/** DHCP lines of each brand that end with the name that the guest chose. */
const lines: [brand: string, lineOf: (name: string) => string][] = [
  ['mikrotik', name => `dhcp,info k3v9x2mq: dhcp1 assigned 10.5.50.66 for ${own} ${name}`],
  ['mikrotik', name => `k3v9x2mq: dhcp1 assigned 10.5.50.66 for ${own} ${name}`],
  ['mikrotik', name => `lobby : dhcp,info k3v9x2mq: dhcp1 assigned 10.5.50.66 for ${own} ${name}`],
  ['mikrotik', name => `dhcp,debug,packet k3v9x2mq:     Host-Name = "${name}"`],
  ['mikrotik', name => `dns,packet k3v9x2mq: query from 10.5.50.66: #12 ${name}. A`],
  ['mikrotik', name => `k3v9x2mq: query from 10.5.50.66: #12 ${name}. A`],
  ...['sophos', 'watchguard', 'pfsense', 'opnsense'].flatMap((brand): [string, (name: string) => string][] => [
    [brand, name => `dhcpd[7]: DHCPDISCOVER from ${own} (${name}) via eth1`],
    [brand, name => `dhcpd[7]: DHCPREQUEST for 10.5.50.66 from ${own} (${name}) via eth1`],
    [brand, name => `dhcpd[7]: DHCPACK on 10.5.50.66 to ${own} (${name}) via eth1`],
  ]),
  ['coovachilli', name => `dnsmasq-dhcp[7]: DHCPREQUEST(br-lan) 10.5.50.66 ${own} ${name}`],
  ['coovachilli', name => `dnsmasq-dhcp[7]: DHCPACK(br-lan) 10.5.50.66 ${own} ${name}`],
  [
    'sophos',
    name =>
      `device="SFW" log_type="Event" log_component="DHCP Server" message="Lease 10.5.50.66 renewed for MAC ${own} ${name}"`,
  ],
];

describe.each(lines)('%s: %o', (brand, lineOf) => {
  test.each(names)('is no line about another guest: %s', name => {
    const line = lineOf(name);
    expect(['dhcp', 'dns']).toContain(parseLogLine(brand, line).type);
    expect(readConnection(brand, line)).toBeUndefined();
    expect(readConnection(undefined, line), 'of a device that was deleted or changed').toBeUndefined();
    for (const lease of [readLease(brand, line), readLease(undefined, line)]) {
      expect([undefined, own]).toContain(lease?.mac);
      expect([undefined, '10.5.50.66']).toContain(lease?.address);
    }
  });
});
