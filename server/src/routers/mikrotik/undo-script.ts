import { closeAll } from './open-hosts.ts';

const mine = 'comment="portico"';
const named = 'name="portico"';

/** Commands that remove what an earlier script created; dependent entries go first. */
export function removals(netflowPort: number | undefined): string[] {
  const remove = (menu: string, by: string) => `${menu} remove [find where ${by}]`;
  return [
    remove('/system scheduler', named),
    remove('/ip hotspot', named),
    remove('/ip hotspot profile', named),
    remove('/ip hotspot walled-garden', mine),
    remove('/ip hotspot walled-garden ip', mine),
    closeAll,
    remove('/ip dhcp-server network', mine),
    remove('/ip dhcp-server', named),
    remove('/ip dhcp-server option', named),
    remove('/ip pool', named),
    remove('/ip address', mine),
    remove('/interface bridge port', mine),
    remove('/interface bridge', named),
    remove('/ip firewall nat', mine),
    remove('/ip firewall filter', mine),
    remove('/radius', mine),
    remove('/system logging', 'action="portico"'),
    remove('/system logging action', named),
    ...(netflowPort ? [remove('/ip traffic-flow target', `port=${netflowPort}`)] : []),
  ];
}

/** The script that removes all of Portico's configuration. It cannot restore what was there before. */
export const undoScript = (netflowPort: number | undefined): string =>
  [
    '# Portico: takes the guest Wi-Fi away again. It may be pasted twice.',
    '# The router keeps its name, and guest interfaces are in no bridge afterwards: put them where they belong by hand.',
    ...removals(netflowPort),
    // The setup script restores bindings and pages, so only this script removes them.
    `/ip hotspot ip-binding remove [find where ${mine}]`,
    '/file remove [find where name~"portico/.*html"]',
    // The router may use another RADIUS server that needs it.
    ':if ([:len [/radius find]] = 0) do={ /radius incoming set accept=no }',
    ':log info "Portico is taken away"',
    '',
  ].join('\n');
