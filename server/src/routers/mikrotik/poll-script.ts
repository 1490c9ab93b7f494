import type { RouterWish } from '../driver.ts';
import { quoted } from './quoted.ts';

export interface PollCommand {
  readonly id: string;
  readonly wish: RouterWish;
}

/** The whole answer must fit into a RouterOS variable: that of RouterOS 6 holds 4 KB. */
export const mostScriptBytes = 4000;

const yes = (on: boolean): string => (on ? 'yes' : 'no');
const mine = 'comment="portico"';

/** The commands that make a router be as wished. Values are MACs and networks of the database's own types, and quoted all the same. */
function linesOf(wish: RouterWish): string[] {
  if (wish.kind === 'hotspot')
    return [
      `/ip hotspot ip-binding set [find where type=bypassed and ${mine}] disabled=${yes(!wish.open)}`,
      ...(wish.open
        ? []
        : [
            `:foreach b in=[/ip hotspot ip-binding find where type=bypassed and ${mine}] do={ /ip hotspot host remove [find where mac-address=[/ip hotspot ip-binding get $b mac-address]] }`,
            '/ip hotspot active remove [find where server="portico"]',
          ]),
    ];
  const mac = quoted(wish.mac);
  const signOut = `/ip hotspot active remove [find where mac-address=${mac}]`;
  if (wish.kind === 'logout') return [signOut];
  return [
    `/ip hotspot ip-binding remove [find where mac-address=${mac} and ${mine}]`,
    ...wish.bindings.map(
      ({ type, address }) =>
        `/ip hotspot ip-binding add mac-address=${mac}${address ? ` address=${quoted(address)}` : ''} type=${type} disabled=${yes(type === 'bypassed' && !wish.open)} ${mine}`,
    ),
    signOut,
    `/ip hotspot host remove [find where mac-address=${mac}]`,
  ];
}

const partOf = ({ id, wish }: PollCommand): string =>
  [':do {', ...linesOf(wish), `:set done ($done . "${id},")`, `} on-error={ :set failed ($failed . "${id},") }`].join(
    '\n',
  );

/**
 * What a router runs that asked for its commands: one after the other, a failing one without the rest, and at the end what
 * became of each. Answers the script and how many of the commands fitted in; '' when there are none.
 */
export function pollScript(
  commands: readonly PollCommand[],
  answer: { readonly url: string; readonly token: string },
): { script: string; count: number } {
  const head = ':local done ""\n:local failed ""\n';
  const tail = `/tool fetch url=(${quoted(`${answer.url}?done=`)} . $done . "&failed=" . $failed) http-header-field=${quoted(`x-portico-token: ${answer.token}`)} output=none\n`;
  const parts: string[] = [];
  let size = head.length + tail.length;
  for (const command of commands) {
    const part = `${partOf(command)}\n`;
    size += part.length;
    if (parts.length && size > mostScriptBytes) break;
    parts.push(part);
  }
  return parts.length ? { script: head + parts.join('') + tail, count: parts.length } : { script: '', count: 0 };
}

/** What the router's scheduler runs every minute. It asks again while there was something to do, but not for ever. */
export function pollSource(it: { readonly url: string; readonly token: string }): string {
  return [
    ':local left 20',
    ':local version [/system resource get version]',
    ':set version [:pick $version 0 [:find ($version . " ") " "]]',
    `:while ($left > 0) do={ :local got [/tool fetch url=(${quoted(`${it.url}?version=`)} . $version) http-header-field=${quoted(`x-portico-token: ${it.token}`)} output=user as-value]; :local code ($got->"data"); :if ([:len $code] = 0) do={ :set left 0 } else={ :set left ($left - 1); :local run [:parse $code]; $run } }`,
  ].join('; ');
}
