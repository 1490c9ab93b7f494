import { isIPv4 } from 'node:net';
import type { SetupFacts, SetupFile } from '../driver.ts';
import { fasKeys } from './fas.ts';

/** Where the gateway sends its guests. It may fetch permissions only if our portal has TLS. */
function fasOf(it: SetupFacts) {
  const portal = new URL(it.portalUrl);
  const isSafe = portal.protocol === 'https:';
  const { faskey, pull, carried } = fasKeys(it.secret);
  return {
    portal,
    isSafe,
    faskey,
    port: portal.port || (isSafe ? '443' : '80'),
    path: `${portal.pathname}/${isSafe ? pull : carried}`,
  };
}

/** opennds.conf of version 9, as Debian has it. The daemon stops at options that it does not know. */
function conf(it: SetupFacts): string {
  const { portal, isSafe, faskey, port, path } = fasOf(it);
  const address = isIPv4(portal.hostname) ? portal.hostname : '192.0.2.1';
  return `# Portico: guest Wi-Fi. Change these lines to your network.
# The interface that leads to the guests. dnsmasq must give out the addresses there.
GatewayInterface eth1
GatewayName Guest Wi-Fi
# The address of ${portal.hostname}
fasremoteip ${address}

# The portal
${isSafe ? `fasremotefqdn ${portal.hostname}\n` : ''}fasport ${port}
faspath ${path}
faskey ${faskey}
fas_secure_enabled ${isSafe ? 3 : 2}

# Reports the end of each session
binauth /usr/lib/opennds/binauth_log.sh
checkinterval 15
sessiontimeout 1440
preauthidletimeout 30
authidletimeout 15

FirewallRuleSet authenticated-users {
  FirewallRule allow all
}
FirewallRuleSet preauthenticated-users {
}
FirewallRuleSet users-to-router {
  FirewallRule allow udp port 53
  FirewallRule allow tcp port 53
  FirewallRule allow udp port 67
}
`;
}

/** The same for OpenWrt, whose package is version 10. */
function uci(it: SetupFacts): string {
  const { portal, isSafe, faskey, port, path } = fasOf(it);
  const options = {
    enabled: '1',
    gatewayinterface: 'br-lan',
    gatewayname: 'Guest Wi-Fi',
    enable_serial_number_suffix: '0',
    login_option_enabled: '0',
    fasremotefqdn: portal.hostname,
    fasport: port,
    faspath: path,
    faskey,
    fas_secure_enabled: isSafe ? '4' : '1',
    nat_traversal_poll_interval: '3',
    binauth: '/usr/lib/opennds/binauth_log.sh',
    checkinterval: '15',
    sessiontimeout: '1440',
    authidletimeout: '15',
  };
  const lines = Object.entries(options).map(([name, value]) => `set opennds.@opennds[0].${name}='${value}'`);
  return `# gatewayinterface is the interface that leads to the guests.
uci batch <<'EOF'
${lines.join('\n')}
commit opennds
EOF
chmod +x /usr/bin/portico-gateway /etc/init.d/portico-gateway
service portico-gateway enable
service portico-gateway restart
service opennds restart
`;
}

/** Every five seconds: tells who is signed in and what they used, and signs out those that the answer names. */
function script(it: SetupFacts): string {
  return `#!/bin/sh
# Portico: signs guests out and counts their traffic. For openNDS; works with the shell of BusyBox.
url='${it.portalUrl}/script/${fasKeys(it.secret).script}'

send() {
  if command -v curl >/dev/null 2>&1; then curl -fsS -m 8 --data-binary "@$1" "$url"
  elif command -v uclient-fetch >/dev/null 2>&1; then uclient-fetch -q -T 8 --post-file="$1" -O - "$url"
  else wget -q -T 8 --post-file="$1" -O - "$url"; fi
}

file=$(mktemp) || exit 1
trap 'rm -f "$file"' EXIT
trap 'exit 0' INT TERM
while :; do
  if ndsctl json 2>/dev/null | grep -E '"(client_list_length|mac|token|state|download_this_session|upload_this_session)"' >"$file"; then
    send "$file" 2>/dev/null | while read -r mac; do
      case $mac in
        *[!0-9a-f:]*) ;;
        ??:??:??:??:??:??) ndsctl deauth "$mac" >/dev/null 2>&1 ;;
      esac
    done
  fi
  sleep 5
done
`;
}

const procd = `#!/bin/sh /etc/rc.common
USE_PROCD=1
START=98

start_service() {
  procd_open_instance
  procd_set_param command /usr/bin/portico-gateway
  procd_set_param respawn 3600 10 0
  procd_close_instance
}
`;

const systemd = `[Unit]
Description=Portico: signs guests out and counts their traffic
After=opennds.service

[Service]
ExecStart=/usr/bin/portico-gateway
Restart=always
RestartSec=10

[Install]
WantedBy=multi-user.target
`;

export const setupFiles = (it: SetupFacts): SetupFile[] => [
  { name: '/usr/bin/portico-gateway', text: script(it) },
  { name: 'OpenWrt: /etc/init.d/portico-gateway', text: procd },
  { name: 'OpenWrt: terminal', text: uci(it) },
  { name: 'Debian: /etc/opennds/opennds.conf', text: conf(it) },
  { name: 'Debian: /etc/systemd/system/portico-gateway.service', text: systemd },
];
