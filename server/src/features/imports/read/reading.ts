import type { MessageKey } from '@portico/contract/field-messages.ts';
import { isPasswordAttribute } from '#lib/foreign-password.ts';
import { readMoment, readRate, readSeconds } from './values.ts';

/** The file cannot be read: why. */
export class Unreadable extends Error {
  readonly key: MessageKey;
  readonly values: Record<string, unknown>;
  constructor(key: MessageKey, values: Record<string, unknown> = {}) {
    super(key);
    this.key = key;
    this.values = values;
  }
}

/** A guest in the other program. */
export interface Account {
  readonly username: string;
  /** The line that mentions the user name first. */
  readonly line: number;
  /** Attributes of FreeRADIUS with their values. The first that can be used counts. */
  readonly passwords: { attribute: string; value: string }[];
  group: { name: string; priority: number } | undefined;
  first: string;
  last: string;
  note: string;
  email: string;
  phone: string;
  /** A local time at the location, or a moment with a zone. */
  starts: string | undefined;
  ends: string | undefined;
  blocked: boolean;
  /** Used up or ended in the other program. */
  over: boolean;
  devices: number | undefined;
  seconds: number | undefined;
  upload: number | undefined;
  download: number | undefined;
}

export type Source = 'freeradius' | 'radiusdesk' | 'user-manager' | 'csv';

/** The most guests of one file, and the most names of attributes and groups that a report lists. */
export const limits = { accounts: 50_000, names: 200, passwords: 10 } as const;

/** The content of a file, collected while it is read. */
export class Reading {
  readonly accounts = new Map<string, Account>();
  readonly unknown = new Map<string, { count: number; line: number }>();
  /** The groups of the other program, from which the user chooses session profiles. */
  readonly hints = new Map<string, string[]>();
  accounting = 0;

  account(username: string, line: number): Account {
    const name = username.trim().normalize('NFC');
    const found = this.accounts.get(name);
    if (found) return found;
    if (this.accounts.size >= limits.accounts) throw new Unreadable('import_rows', { limit: limits.accounts });
    const made: Account = {
      username: name,
      line,
      passwords: [],
      group: undefined,
      first: '',
      last: '',
      note: '',
      email: '',
      phone: '',
      starts: undefined,
      ends: undefined,
      blocked: false,
      over: false,
      devices: undefined,
      seconds: undefined,
      upload: undefined,
      download: undefined,
    };
    this.accounts.set(name, made);
    return made;
  }

  /** Notes an attribute or a column that visitors do not have. */
  ignore(name: string, line: number): void {
    const known = this.unknown.get(name);
    if (known) known.count += 1;
    else if (this.unknown.size < limits.names) this.unknown.set(name.slice(0, 100), { count: 1, line });
  }

  hint(group: string, text: string): void {
    const hints = this.hints.get(group) ?? [];
    if (hints.length < 8) hints.push(text.slice(0, 100));
    if (this.hints.size < limits.names) this.hints.set(group, hints);
  }

  /** Applies an attribute of RADIUS. */
  attribute(account: Account, attribute: string, value: string, line: number): void {
    if (!applyAttribute(account, attribute, value)) this.ignore(attribute, line);
  }
}

/** The group in which daloRADIUS puts users that may not sign in. */
const disabled = 'daloRADIUS-Disabled-Users';

export function joinGroup(account: Account, name: string, priority: number): void {
  if (name === disabled) account.blocked = true;
  else if (name && (!account.group || priority < account.group.priority))
    account.group = { name: name.slice(0, 100), priority };
}

const wholeNumber = (value: string): number | undefined => (/^\d{1,9}$/.test(value) ? Number(value) : undefined);

/** False if visitors have nothing like the attribute, or its value cannot be read. */
function applyAttribute(account: Account, attribute: string, value: string): boolean {
  if (isPasswordAttribute(attribute)) {
    if (account.passwords.length < limits.passwords) account.passwords.push({ attribute, value });
    return true;
  }
  const set = <K extends 'ends' | 'devices' | 'seconds' | 'upload' | 'download'>(key: K, read: Account[K]): boolean => {
    if (read !== undefined) account[key] = read;
    return read !== undefined;
  };
  // Routers take a speed of 0 for no limit.
  const setRate = (key: 'upload' | 'download', read: number | undefined): boolean => read === 0 || set(key, read);
  switch (attribute.toLowerCase()) {
    case 'expiration':
    case 'wispr-session-terminate-time':
      return set('ends', readMoment(value));
    case 'simultaneous-use':
    case 'port-limit':
      return set('devices', wholeNumber(value));
    case 'session-timeout':
      return set('seconds', readSeconds(value));
    case 'wispr-bandwidth-max-up':
      return setRate('upload', wholeNumber(value));
    case 'wispr-bandwidth-max-down':
      return setRate('download', wholeNumber(value));
    case 'chillispot-bandwidth-max-up':
      return setRate('upload', kilo(value));
    case 'chillispot-bandwidth-max-down':
      return setRate('download', kilo(value));
    case 'mikrotik-rate-limit': {
      const [rates = ''] = value.trim().split(/\s/);
      const [up = '', down = up] = rates.split('/');
      return set('upload', readRate(up)) && set('download', readRate(down));
    }
    case 'user-profile':
    case 'group-name':
      joinGroup(account, value, 0);
      return true;
    case 'auth-type':
      if (!/^reject$/i.test(value)) return false;
      account.blocked = true;
      return true;
    default:
      return false;
  }
}

function kilo(value: string): number | undefined {
  const read = wholeNumber(value);
  return read === undefined ? undefined : read * 1000;
}
