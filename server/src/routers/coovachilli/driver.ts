import type { HotspotDriver, SetupFacts } from '../driver.ts';
import { uamDriver } from '../uam/uam-driver.ts';
import { uamSecret } from '../uam/uam-login.ts';

/** chilli.conf of CoovaChilli 1.5 or later. The names of the options are those of `chilli --help`. */
function chilliConf(it: SetupFacts): string {
  const portal = new URL(it.portalUrl);
  // RFC 8910 requires https.
  const api = portal.protocol === 'https:' ? `captiveportalapi_uri ${portal.origin}/captive/${it.nasIdentifier}\n` : '';
  return `# Portico: guest Wi-Fi. Change the first four lines to your network.
# The interface that leads to the guests. It needs no address: chilli gives out the addresses.
dhcpif eth1
net 10.1.0.0/22
uamlisten 10.1.0.1
dns1 10.1.0.1

# The portal, and what guests may reach before they sign in
uamserver ${it.portalUrl}
uamsecret ${uamSecret(it.secret)}
uamport 3990
uamallowed ${portal.hostname}
uamdomain ${portal.hostname}
${api}
# Sign-in and accounting
radiusserver1 ${it.radius.host}
radiusserver2 ${it.radius.host}
radiusauthport ${it.radius.auth_port}
radiusacctport ${it.radius.acct_port}
radiussecret ${it.secret}
radiusnasid ${it.nasIdentifier}
radiusnasporttype 19

# The panel ends sessions and changes limits by this port
coaport ${it.coaPort}
`;
}

/** The same for OpenWrt's package, whose options have the names of chilli's own. */
const openwrtConfig = (it: SetupFacts): string =>
  `config chilli\n\toption tundev 'tun0'\n${chilliConf(it)
    .split('\n')
    .map(line => line.replace(/^([a-z]\w*) (.*)$/, "option $1 '$2'"))
    .map(line => (line ? `\t${line}` : ''))
    .join('\n')}`;

/** CoovaChilli. Tried with 1.8: `npm run field`. */
export const coovachilli: HotspotDriver = {
  ...uamDriver('coovachilli', it => [
    { name: '/etc/chilli.conf', text: chilliConf(it) },
    { name: 'OpenWrt: /etc/config/chilli', text: openwrtConfig(it) },
  ]),
  calledByDefault: /^nas\d\d$/i,
};
