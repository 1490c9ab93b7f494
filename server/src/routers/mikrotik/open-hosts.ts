import type { OpenHosts } from '../router-control.ts';
import { quoted } from './quoted.ts';

/** The rules that let guests reach providers before they are online. The portal has another comment, because it stays open. */

const menu = '/ip hotspot walled-garden ip';
const comment = 'comment="portico-open"';

export const closeAll = `${menu} remove [find where ${comment}]`;

export const openTo = (hosts: readonly string[]): string[] =>
  hosts.map(host => `${menu} add dst-host=${quoted(host)} action=accept ${comment}`);

/** Opens the hosts that are not open, and closes others that were opened here. Short, because it must fit into a variable. */
export const openHosts = ({ hosts, isComplete }: OpenHosts): string[] => [
  ...(isComplete
    ? [`${menu} remove [find where ${[comment, ...hosts.map(host => `dst-host!=${quoted(host)}`)].join(' and ')}]`]
    : []),
  ...(hosts.length > 0
    ? [
        `:foreach h in={${hosts.map(quoted).join(';')}} do={ :if ([:len [${menu} find where dst-host=$h]] = 0) do={ ${menu} add dst-host=$h action=accept ${comment} } }`,
      ]
    : []),
];
