import { joinGroup, type Reading, Unreadable } from './reading.ts';

/** A command of a RouterOS export. `line` counts from 1. */
interface Command {
  readonly menu: string;
  readonly verb: string;
  /** The word after the verb. */
  readonly of: string;
  readonly line: number;
  readonly values: Readonly<Record<string, string>>;
}

/** Whether a text is an export of User Manager 6 or 7. */
export const isUserManager = (text: string): boolean => /^\/(?:tool )?user-manager\b/m.test(text);

const escapes: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, a: 7, b: 8, f: 12, v: 11, _: 32 };

/** The text between quotes: bytes beyond ASCII are written as `\C5`, in UTF-8 or the router's code page. */
function unescape(text: string): string {
  if (!text.includes('\\')) return text;
  const bytes: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] !== '\\') {
      const end = text.indexOf('\\', at);
      const run = text.slice(at, end < 0 ? text.length : end);
      for (const byte of Buffer.from(run)) bytes.push(byte);
      at += run.length - 1;
    } else {
      const hex = text.slice(at + 1, at + 3);
      const next = text[at + 1] ?? '';
      if (/^[0-9A-F]{2}$/.test(hex)) bytes.push(Number.parseInt(hex, 16));
      else bytes.push(...(escapes[next] === undefined ? Buffer.from(next) : [escapes[next]]));
      at += /^[0-9A-F]{2}$/.test(hex) ? 2 : 1;
    }
  }
  const all = Uint8Array.from(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(all);
  } catch {
    return new TextDecoder('windows-1254').decode(all);
  }
}

const pair = /(?:^|\s)([a-z][a-z0-9-]*)=(?:"((?:[^"\\]|\\[^])*)"|(\S*))|(?:^|\s)([^\s="]+)(?=\s|$)/g;
const maxLine = 20_000;

/** Whether a line ends with a backslash that is not escaped itself. */
function endsWithBackslash(line: string): boolean {
  let at = line.length;
  while (line[at - 1] === '\\') at -= 1;
  return (line.length - at) % 2 === 1;
}

/** The commands of an export. A backslash at the end of a line continues it. */
function* readCommands(text: string): Generator<Command> {
  let menu = '';
  let joined = '';
  let began = 1;
  let line = 0;
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from);
    const raw = text.slice(from, end < 0 ? text.length : end).replace(/\r$/, '');
    from = end < 0 ? text.length : end + 1;
    line += 1;
    if (!joined) began = line;
    const part = joined ? raw.replace(/^ {4}/, '') : raw;
    if (joined.length + part.length > maxLine) throw new Unreadable('import_line', { line });
    if (endsWithBackslash(part)) {
      joined += part.slice(0, -1);
      continue;
    }
    let command = (joined + part).trim();
    joined = '';
    if (command.startsWith('/')) {
      const found = /^\/[a-z0-9 -]*?(?=\s(?:add|set|create-and-activate-profile)\b|$)/.exec(command);
      menu = found?.[0].trim() ?? '';
      command = command.slice(found?.[0].length ?? command.length).trim();
    }
    if (!command || command.startsWith('#')) continue;
    const values: Record<string, string> = {};
    let verb = '';
    let of = '';
    for (const [, key, quoted, plain, word] of command.matchAll(pair)) {
      if (word && !verb) verb = word;
      else if (word) of ||= word;
      else if (key) values[key] = quoted === undefined ? (plain ?? '') : unescape(quoted);
    }
    yield { menu: menu.replace(/^\/tool /, '/'), verb, of, line: began, values };
  }
}

/** Fields for which visitors have no place. */
const notTaken = ['caller-id', 'otp-secret', 'ip-address', 'pool-name', 'location', 'registration-date'];

/** Reads an export of User Manager 6 (`/tool user-manager`) or 7 (`/user-manager`). */
export function readUserManager(text: string, reading: Reading): void {
  for (const { menu, verb, of, line, values } of readCommands(text)) {
    const name = values['username'] ?? values['name'] ?? values['user'] ?? values['numbers'] ?? of;
    if (menu === '/user-manager user' && verb === 'create-and-activate-profile') {
      if (name) joinGroup(reading.account(name, line), values['profile'] ?? '', 1);
    } else if (menu === '/user-manager user-profile' && verb === 'add') {
      // The profile that was assigned last is the one in force.
      if (name) joinGroup(reading.account(name, line), values['profile'] ?? '', -line);
    } else if (menu === '/user-manager profile' && verb === 'add') {
      for (const key of ['validity', 'starts-when', 'override-shared-users', 'price'])
        if (values['name'] && values[key]) reading.hint(values['name'], `${key} ${values[key]}`);
    } else if (menu === '/user-manager profile-limitation' || menu === '/user-manager profile profile-limitation') {
      if (values['profile'] && values['limitation'])
        reading.hint(values['profile'], `limitation ${values['limitation']}`);
    } else if (menu === '/user-manager user' && verb === 'add' && name) {
      const account = reading.account(name, line);
      if (values['password']) account.passwords.push({ attribute: 'Cleartext-Password', value: values['password'] });
      account.first = values['first-name'] ?? '';
      account.last = values['last-name'] ?? '';
      account.email = values['email'] ?? '';
      account.phone = values['phone'] ?? '';
      account.note = values['comment'] ?? '';
      account.blocked = values['disabled'] === 'yes';
      const shared = values['shared-users'];
      if (shared && /^\d{1,6}$/.test(shared)) account.devices = Number(shared);
      for (const attribute of (values['attributes'] ?? '').split(',').filter(Boolean)) {
        const colon = attribute.indexOf(':');
        reading.attribute(account, attribute.slice(0, Math.max(colon, 0)), attribute.slice(colon + 1), line);
      }
      for (const key of notTaken) if (values[key]) reading.ignore(key, line);
    }
  }
}
