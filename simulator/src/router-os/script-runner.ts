import { type Entry, type Menus, Refusal } from './menus.ts';

const unquote = (text: string): string => (text.startsWith('"') ? text.slice(1, -1).replace(/\\(.)/gs, '$1') : text);

const pair = /([a-z-]+)=("(?:[^"\\]|\\.)*"|\[[^\]]*\]|[^\s\]]+)/g;
const values = (text: string): Entry =>
  Object.fromEntries([...text.matchAll(pair)].map(([, name, value]) => [name as string, unquote(value as string)]));
/** RouterOS uses yes and no in scripts, true and false elsewhere. */
const plain = (it: Entry): Entry =>
  Object.fromEntries(
    Object.entries(it).map(([name, value]) => [name, value === 'yes' ? 'true' : value === 'no' ? 'false' : value]),
  );

const found = (menus: Menus, menu: string, text: string): Entry[] => {
  const [, where] = /\[find where ([^\]]*)\]/.exec(text) ?? [];
  if (where === undefined) throw new Refusal('expected [find where …]');
  return menus.print(menu, values(where));
};

const command = /^\/(ip hotspot(?: [a-z-]+)?) (add|set|remove) (.*)$/;
const forEachHost =
  /^:foreach b in=\[\/ip hotspot ip-binding find where (.*?)\] do=\{ \/ip hotspot host remove \[find where mac-address=\[\/ip hotspot ip-binding get \$b mac-address\]\] \}$/;

/** Runs one line; throws a Refusal if RouterOS would stop. */
const runLine = (menus: Menus, line: string): void => {
  const loop = forEachHost.exec(line);
  if (loop) {
    for (const binding of menus.print('ip/hotspot/ip-binding', values(loop[1] as string)))
      for (const host of menus.print('ip/hotspot/host', { 'mac-address': binding['mac-address'] as string }))
        menus.remove('ip/hotspot/host', host['.id'] as string);
    return;
  }
  const [, path, verb, rest] = command.exec(line) ?? [];
  if (path === undefined || rest === undefined) throw new Refusal(`bad command name: ${line}`);
  const menu = path.replaceAll(' ', '/');
  if (verb === 'add') menus.add(menu, plain(values(rest)));
  else
    for (const entry of found(menus, menu, rest)) {
      if (verb === 'remove') menus.remove(menu, entry['.id'] as string);
      else menus.set(menu, entry['.id'] as string, plain(values(rest.replace(/\[[^\]]*\]/, ''))));
    }
};

/** Before RouterOS 7.13 `:onerror` is a syntax error, and the whole script does not run. */
const knowsOnError = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(part => Number.parseInt(part, 10));
  return major > 7 || (major === 7 && minor >= 13);
};

/**
 * Runs the script that a poll returned: its `:do { … } on-error={ … }` or `:onerror e in={ … } do={ … }` blocks, then the
 * fetch that reports the outcome.
 */
export const runPollScript = (
  menus: Menus,
  { script, version }: { readonly script: string; readonly version: string },
): { readonly url: string; readonly token: string } | undefined => {
  if (script.includes(':onerror') && !knowsOnError(version)) return undefined;
  const outcome = { done: '', failed: '', words: '', at: '' };
  let error: string | undefined;
  let handling = false;
  /** `:set failed ($failed . "…" . $at . ",")` and the like. */
  const set = (line: string) => {
    const [, name, value] = /:set (done|failed|words|at) (.*?)(?: \}|$)/.exec(line) ?? [];
    if (name === 'at') outcome.at = value as string;
    else if (name === 'done' || name === 'failed' || name === 'words')
      outcome[name] += [...(value as string).matchAll(/"((?:[^"\\]|\\.)*)"|\$at|\[:pick \$e 0 (\d+)\]/g)]
        .map(([whole, text, most]) =>
          text !== undefined
            ? text.replaceAll('\\n', '\n')
            : whole === '$at'
              ? outcome.at
              : (error ?? '').slice(0, Number(most)),
        )
        .join('');
  };
  for (const line of script.split('\n')) {
    if (line === ':do {' || line === ':onerror e in={') error = undefined;
    else if (line.startsWith('} on-error={')) {
      if (error !== undefined) set(line);
      error = undefined;
    } else if (line === '} do={') handling = true;
    else if (line === '}') handling = false;
    else if (line.startsWith(':set')) {
      if (handling === (error !== undefined)) set(line);
    } else if (line.startsWith('/tool fetch')) {
      const [, url] = /url=\(("(?:[^"\\]|\\.)*")/.exec(line) ?? [];
      const [, header] = /http-header-field=("(?:[^"\\]|\\.)*")/.exec(line) ?? [];
      if (!url || !header) throw new Refusal('expected url and http-header-field');
      const token = unquote(header).replace('x-portico-token: ', '');
      const words = line.includes('&words=') ? `&words=${encodeURIComponent(outcome.words)}` : '';
      return { url: `${unquote(url)}${outcome.done}&failed=${outcome.failed}${words}`, token };
    } else if (line && !line.startsWith(':local') && !line.startsWith(':if ') && error === undefined) {
      try {
        runLine(menus, line);
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        error = refusal.message;
      }
    }
  }
  return undefined;
};

/** The URL and the token with which a script makes a router fetch its commands; undefined for one that changes nothing there. */
export const readPollSource = (script: string): { readonly url: string; readonly token: string } | undefined => {
  const [, event] = /^\/system scheduler (?:add|set) .*on-event=("(?:[^"\\]|\\.)*")/m.exec(script) ?? [];
  if (event === undefined) return undefined;
  const source = unquote(event);
  const [, url] = /url=\(("(?:[^"\\]|\\.)*")/.exec(source) ?? [];
  const [, token] = /x-portico-token: ([\w-]+)/.exec(source) ?? [];
  return url && token ? { url: unquote(url), token } : undefined;
};
