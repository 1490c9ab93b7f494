import { type Entry, Refusal } from './menus.ts';

/** A router's configuration: the entries of each menu; menus of settings have one entry. */
export type Configuration = Map<string, Entry[]>;
type Variables = Map<string, string[]>;

/** Ids are never reused. */
let last = 0xff;

/** The factory configuration, as far as a script can conflict with it. */
export const factoryDefault = (): Configuration =>
  new Map<string, Entry[]>([
    ['/interface bridge', [{ '.id': '*1', name: 'bridge', comment: 'defconf' }]],
    [
      '/interface bridge port',
      ['ether2', 'ether3', 'wlan1'].map((name, i) => ({
        '.id': `*${i + 2}`,
        bridge: 'bridge',
        interface: name,
        comment: 'defconf',
      })),
    ],
    [
      '/ip firewall filter',
      [{ '.id': '*9', chain: 'forward', action: 'fasttrack-connection', comment: 'defconf: fasttrack' }],
    ],
    ['/system identity', [{ name: 'MikroTik' }]],
  ]);

/** Splits a line at `by`, except inside quotes and brackets. */
const split = (line: string, by: string): string[] => {
  const parts = [''];
  let depth = 0;
  let quoted = false;
  for (let i = 0; i < line.length; i += 1) {
    const sign = line[i] as string;
    if (sign === '\\') {
      parts[parts.length - 1] += sign + (line[++i] ?? '');
      continue;
    }
    if (sign === '"') quoted = !quoted;
    else if (!quoted && '[{('.includes(sign)) depth += 1;
    else if (!quoted && ']})'.includes(sign)) depth -= 1;
    if (sign === by && !quoted && depth === 0) parts.push('');
    else parts[parts.length - 1] += sign;
  }
  if (quoted || depth !== 0) throw new Refusal('syntax error: a quote or bracket is not closed');
  return parts.map(part => part.trim()).filter(Boolean);
};

const plain = (word: string): string =>
  word.startsWith('"') ? word.slice(1, -1).replace(/\\(.)/gs, '$1') : word.replace(/^\[:resolve "(.*)"\]$/, '$1');

/** The properties that must be unique in a menu. */
const unique: Readonly<Record<string, readonly string[]>> = {
  '/interface bridge': ['name'],
  '/interface bridge port': ['interface'],
  '/ip address': ['address'],
  '/ip dhcp-server': ['name', 'interface'],
  '/ip dhcp-server network': ['address'],
  '/ip dhcp-server option': ['name'],
  '/ip hotspot': ['name', 'interface'],
  '/ip hotspot profile': ['name'],
  '/ip pool': ['name'],
  '/system logging action': ['name'],
  '/system scheduler': ['name'],
};

/** Properties that must name an existing entry of another menu. */
const names: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/interface bridge port': { bridge: '/interface bridge' },
  '/ip address': { interface: '/interface bridge' },
  '/ip dhcp-server': { interface: '/interface bridge', 'address-pool': '/ip pool' },
  '/ip dhcp-server network': { 'dhcp-option': '/ip dhcp-server option' },
  '/ip hotspot': { interface: '/interface bridge', 'address-pool': '/ip pool', profile: '/ip hotspot profile' },
  '/system logging': { action: '/system logging action' },
};

/** Pastes a script into the router's terminal, where each line has its own scope. Throws a Refusal with the failing line. */
export function pasteInto(configuration: Configuration, script: string): void {
  const entries = (menu: string): Entry[] => {
    if (!configuration.has(menu)) configuration.set(menu, []);
    return configuration.get(menu) as Entry[];
  };

  const find = (menu: string, where: string): Entry[] => {
    const conditions = where.split(' and ').map(each => /^([\w-]+)(!=|=|~)(.*)$/.exec(each.trim()));
    return entries(menu).filter(entry =>
      conditions.every(condition => {
        if (!condition) return where === '';
        const [, name = '', sign, value = ''] = condition;
        const [is, wanted] = [entry[name] ?? (name === 'dynamic' ? 'no' : ''), plain(value)];
        return sign === '~' ? new RegExp(wanted).test(is) : (is === wanted) === (sign === '=');
      }),
    );
  };

  const add = (menu: string, entry: Entry): string => {
    for (const name of unique[menu] ?? [])
      if (entries(menu).some(other => other[name] === entry[name]))
        throw new Refusal(`failure: already have such ${name} (${entry[name]})`);
    for (const [name, where] of Object.entries(names[menu] ?? {}))
      if (entry[name] !== undefined && !entries(where).some(other => other['name'] === entry[name]))
        throw new Refusal(`input does not match any value of ${name}`);
    last += 1;
    entries(menu).push({ '.id': `*${last.toString(16)}`, ...entry });
    return `*${last.toString(16)}`;
  };

  /** The ids that a word refers to: `[find where …]`, a variable, or its first element. */
  const idsOf = (menu: string, word: string, variables: Variables): string[] => {
    const [, where] = /^\[find(?: where)? ?(.*)\]$/.exec(word) ?? [];
    if (where !== undefined) return find(menu, where).map(entry => entry['.id'] ?? '');
    const [, name = ''] = /\$(\w+)/.exec(word) ?? [];
    const value = variables.get(name);
    if (!value) throw new Refusal(`syntax error: there is no variable ${name}`);
    return word.includes('->0') ? value.slice(0, 1) : value;
  };

  const runCommand = (command: string, variables: Variables): string[] => {
    const [, menu = '', verb, rest = ''] =
      /^(\/[a-z][a-z -]*?) (add|remove|set|move|find|fetch)(?: (.*))?$/.exec(command) ?? [];
    if (!verb) throw new Refusal(`bad command name: ${command}`);
    if (verb === 'find') return find(menu, rest.replace(/^where /, '')).map(entry => entry['.id'] ?? '');
    const words = split(rest, ' ');
    const given = Object.fromEntries(
      words.flatMap(word => {
        const at = word.indexOf('=');
        return at > 0 && !word.startsWith('[') ? [[word.slice(0, at), plain(word.slice(at + 1))]] : [];
      }),
    );
    if (verb === 'add') return [add(menu, given)];
    // Replaces the file of that name.
    if (verb === 'fetch') {
      const name = given['dst-path'] ?? '';
      last += 1;
      const others = entries('/file').filter(file => file['name'] !== name);
      configuration.set('/file', [...others, { '.id': `*${last.toString(16)}`, name }]);
    } else if (verb === 'set') configuration.set(menu, [{ ...entries(menu)[0], ...given }]);
    else {
      const ids = idsOf(menu, words[0] ?? '', variables);
      const rows = entries(menu);
      const taken = rows.filter(entry => ids.includes(entry['.id'] ?? ''));
      const left = rows.filter(entry => !taken.includes(entry));
      if (verb === 'move') {
        const [before] = idsOf(menu, words.find(word => word.startsWith('destination='))?.slice(12) ?? '', variables);
        left.splice(
          Math.max(
            0,
            left.findIndex(entry => entry['.id'] === before),
          ),
          0,
          ...taken,
        );
      }
      configuration.set(menu, left);
    }
    return [];
  };

  const run = (line: string, variables: Variables): void => {
    const attempt = /^:do \{(.*)\} on-error=\{\}$/s.exec(line)?.[1];
    if (attempt !== undefined) {
      try {
        return run(`:do {${attempt}}`, variables);
      } catch (error) {
        if (error instanceof Refusal) return;
        throw error;
      }
    }
    const block = /^:do \{(.*)\}$/s.exec(line)?.[1];
    if (block !== undefined) {
      const inner: Variables = new Map(variables);
      for (const part of split(block, ';')) run(part, inner);
      return;
    }
    const local = /^:local (\w+) \[(.*)\]$/.exec(line);
    if (local) return void variables.set(local[1] as string, runCommand(local[2] as string, variables));
    const [, name = '', values, body = ''] = /^:foreach (\w+) in=\{(.*?)\} do=\{ (.*) \}$/.exec(line) ?? [];
    if (values !== undefined) {
      for (const value of split(values, ';'))
        run(
          body.replaceAll(`$${name}`, () => plain(value)),
          variables,
        );
      return;
    }
    const condition = /^:if \(\[:len (.*?)\] (>|=) 0\) do=\{ (.*) \}$/.exec(line);
    if (condition) {
      const [, what = '', sign, then = ''] = condition;
      const count = what.startsWith('$')
        ? idsOf('', what, variables).length
        : runCommand(what.slice(1, -1), variables).length;
      if (sign === '>' ? count > 0 : count === 0) run(then, variables);
      return;
    }
    if (!line.startsWith(':log ')) runCommand(line, variables);
  };

  for (const [index, line] of script.split('\n').entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    try {
      run(line, new Map());
    } catch (error) {
      if (error instanceof Refusal) throw new Refusal(`line ${index + 1}: ${error.message}`, { cause: error });
      throw error;
    }
  }
}
