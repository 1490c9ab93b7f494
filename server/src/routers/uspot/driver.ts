import type { SetupFacts } from '../driver.ts';
import { uamDriver } from '../uam/uam-driver.ts';
import { uamSecret } from '../uam/uam-login.ts';

/** The section of /etc/config/uspot. The options are those of the file that uspot brings, of March 2024. */
const uspotConfig = (
  it: SetupFacts,
): string => `# Portico: guest Wi-Fi. The section is named after your guest interface, here "captive".
config uspot 'captive'
	option auth_mode 'uam'
	option interface 'captive'
	option setname 'uspot'
	option uam_server '${it.portalUrl}'
	option uam_secret '${uamSecret(it.secret)}'
	option uam_port '3990'
	# Any text of your own
	option challenge '${uamSecret(`challenge ${it.secret}`)}'
	option final_redirect_url 'uam'
	option nasid '${it.nasIdentifier}'
	option mac_format 'AA-BB-CC-DD-EE-FF'
	option auth_server '${it.radius.host}'
	option auth_port '${it.radius.auth_port}'
	option auth_secret '${it.secret}'
	option acct_server '${it.radius.host}'
	option acct_port '${it.radius.acct_port}'
	option acct_secret '${it.secret}'
	option das_port '${it.coaPort}'
	option das_secret '${it.secret}'
`;

/** The portal's host is resolved by dnsmasq into the set of allowed addresses, as uspot's README shows. */
const firewallConfig = (it: SetupFacts): string => `# Lets guests reach the portal before they sign in
config ipset
	option name 'wlist'
	list match 'dest_ip'

config rule
	option name 'Allow-Whitelist'
	option src 'captive'
	option dest 'wan'
	option proto 'any'
	option ipset 'wlist'
	option target 'ACCEPT'

# and in /etc/config/dhcp:
# config ipset
#	list name 'wlist'
#	list domain '${new URL(it.portalUrl).hostname}'
`;

/** uspot on OpenWrt. It was not tried on a device. */
export const uspot = uamDriver('uspot', it => [
  { name: '/etc/config/uspot', text: uspotConfig(it) },
  { name: '/etc/config/firewall', text: firewallConfig(it) },
]);
