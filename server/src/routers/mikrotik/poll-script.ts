import type { DeviceCommand, PollCommand } from '../router-control.ts';
import { quoted } from './quoted.ts';

/** The whole answer must fit into a RouterOS variable, which holds 4 KB in RouterOS 6. */
export const maxScriptBytes = 4000;

const yes = (on: boolean): string => (on ? 'yes' : 'no');
const mine = 'comment="portico"';

/** A command as RouterOS lines. The values are MACs and networks from the database, and quoted all the same. */
function linesOf(command: DeviceCommand): string[] {
  if (command.kind === 'hotspot')
    return [
      `/ip hotspot ip-binding set [find where type=bypassed and ${mine}] disabled=${yes(!command.open)}`,
      ...(command.open
        ? []
        : [
            `:foreach b in=[/ip hotspot ip-binding find where type=bypassed and ${mine}] do={ /ip hotspot host remove [find where mac-address=[/ip hotspot ip-binding get $b mac-address]] }`,
            '/ip hotspot active remove [find where server="portico"]',
          ]),
    ];
  const mac = quoted(command.mac);
  const signOut = `/ip hotspot active remove [find where mac-address=${mac}]`;
  if (command.kind === 'logout') return [signOut];
  return [
    `/ip hotspot ip-binding remove [find where mac-address=${mac} and ${mine}]`,
    ...command.bindings.map(
      ({ type, address }) =>
        `/ip hotspot ip-binding add mac-address=${mac}${address ? ` address=${quoted(address)}` : ''} type=${type} disabled=${yes(type === 'bypassed' && !command.open)} ${mine}`,
    ),
    signOut,
    `/ip hotspot host remove [find where mac-address=${mac}]`,
  ];
}

/** The line of a command at an index, for routers that report only the index of the line that failed. */
export const pollLine = (command: DeviceCommand, index: number): string | undefined => linesOf(command)[index];

/**
 * `:onerror` passes the error's text since RouterOS 7.13, reliably since 7.14. `:convert to=url` handles spaces and line
 * breaks since 7.15.
 */
function reportsErrors(version: string | null): boolean {
  const [major = 0, minor = 0] = (version ?? '').split('.').map(part => Number.parseInt(part, 10));
  return major > 7 || (major === 7 && minor >= 15);
}

/** How a version of RouterOS runs commands and reports failures. */
interface Dialect {
  readonly head: string;
  readonly part: (command: PollCommand) => string;
  /** Lines before the reporting request, and more parameters of it. */
  readonly tail: { readonly before: string; readonly more: string };
}

const maxErrorLength = 160;

const withErrorText: Dialect = {
  head: ':local done ""\n:local failed ""\n:local words ""\n',
  part: ({ id, command }) =>
    [
      ':onerror e in={',
      ...linesOf(command),
      `:set done ($done . "${id},")`,
      '} do={',
      `:set failed ($failed . "${id},")`,
      `:set words ($words . "${id} " . [:pick $e 0 ${maxErrorLength}] . "\\n")`,
      '}\n',
    ].join('\n'),
  tail: {
    before: ':if ([:len $words] > 0) do={ :set words [:convert to=url $words] }\n',
    more: ' . "&words=" . $words',
  },
};

/** Older versions give `on-error` no text, so the router reports the index of the last line. */
const withLineIndex: Dialect = {
  head: ':local done ""\n:local failed ""\n:local at 0\n',
  part: ({ id, command }) =>
    [
      ':do {',
      ...linesOf(command).flatMap((line, i) => [`:set at ${i}`, line]),
      `:set done ($done . "${id},")`,
      `} on-error={ :set failed ($failed . "${id}." . $at . ",") }\n`,
    ].join('\n'),
  tail: { before: '', more: '' },
};

/**
 * The script for a router that polls. It runs the commands one after another, skips the rest of a failing one, and reports
 * every outcome at the end. Returns the script ('' without commands) and how many commands fit into it.
 */
export function pollScript(
  commands: readonly PollCommand[],
  router: { readonly url: string; readonly token: string; readonly version: string | null },
): { script: string; count: number } {
  const { head, part, tail } = reportsErrors(router.version) ? withErrorText : withLineIndex;
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

/** Run by the router's scheduler every minute. It polls again while there are commands, at most 20 times. */
export function pollSource(it: { readonly url: string; readonly token: string }): string {
  return [
    ':local left 20',
    ':local version [/system resource get version]',
    ':set version [:pick $version 0 [:find ($version . " ") " "]]',
    `:while ($left > 0) do={ :local got [/tool fetch url=(${quoted(`${it.url}?version=`)} . $version) http-header-field=${quoted(`x-portico-token: ${it.token}`)} output=user as-value]; :local code ($got->"data"); :if ([:len $code] = 0) do={ :set left 0 } else={ :set left ($left - 1); :local run [:parse $code]; $run } }`,
  ].join('; ');
}
