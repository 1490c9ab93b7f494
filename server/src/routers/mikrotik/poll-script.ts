import type { RouterWish } from '../driver.ts';
import { quoted } from './quoted.ts';

export interface PollCommand {
  readonly id: string;
  readonly wish: RouterWish;
}

/** The whole answer must fit into a RouterOS variable: that of RouterOS 6 holds 4 KB. */
export const maxScriptBytes = 4000;

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

/** What failed of a command that its router can only tell the place of, as it was told. */
export const lineAt = (wish: RouterWish, place: number): string | undefined => linesOf(wish)[place];

/** `:onerror` hands out the error's words since RouterOS 7.13, dependably since 7.14; `:convert to=url` takes spaces and line ends since 7.15. */
function tellsWhy(version: string | null): boolean {
  const [major = 0, minor = 0] = (version ?? '').split('.').map(part => Number.parseInt(part, 10));
  return major > 7 || (major === 7 && minor >= 15);
}

/** How a router runs commands, and what of their failures it can tell. */
interface Dialect {
  readonly head: string;
  readonly part: (command: PollCommand) => string;
  /** What goes before and into the address of the answer. */
  readonly tail: { readonly before: string; readonly more: string };
}

const maxWords = 160;

const withWords: Dialect = {
  head: ':local done ""\n:local failed ""\n:local words ""\n',
  part: ({ id, wish }) =>
    [
      ':onerror e in={',
      ...linesOf(wish),
      `:set done ($done . "${id},")`,
      '} do={',
      `:set failed ($failed . "${id},")`,
      `:set words ($words . "${id} " . [:pick $e 0 ${maxWords}] . "\\n")`,
      '}\n',
    ].join('\n'),
  tail: {
    before: ':if ([:len $words] > 0) do={ :set words [:convert to=url $words] }\n',
    more: ' . "&words=" . $words',
  },
};

/** Before that, `on-error` is told nothing: only which line was the last is known. */
const withPlace: Dialect = {
  head: ':local done ""\n:local failed ""\n:local at 0\n',
  part: ({ id, wish }) =>
    [
      ':do {',
      ...linesOf(wish).flatMap((line, i) => [`:set at ${i}`, line]),
      `:set done ($done . "${id},")`,
      `} on-error={ :set failed ($failed . "${id}." . $at . ",") }\n`,
    ].join('\n'),
  tail: { before: '', more: '' },
};

/**
 * What a router runs that asked for its commands: one after the other, a failing one without the rest, and at the end what
 * became of each. Answers the script and how many of the commands fitted in; '' when there are none.
 */
export function pollScript(
  commands: readonly PollCommand[],
  router: { readonly url: string; readonly token: string; readonly version: string | null },
): { script: string; count: number } {
  const { head, part, tail } = tellsWhy(router.version) ? withWords : withPlace;
  const foot = `${tail.before}/tool fetch url=(${quoted(`${router.url}?done=`)} . $done . "&failed=" . $failed${tail.more}) http-header-field=${quoted(`x-portico-token: ${router.token}`)} output=none\n`;
  const parts: string[] = [];
  let size = head.length + foot.length;
  for (const command of commands) {
    const next = part(command);
    size += next.length;
    if (parts.length && size > maxScriptBytes) break;
    parts.push(next);
  }
  return parts.length ? { script: head + parts.join('') + foot, count: parts.length } : { script: '', count: 0 };
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
