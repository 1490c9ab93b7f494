import { durationLimit, email, type LimitUnit, limitBounds, phone, speedLimit } from '@portico/contract/fields.ts';
import { unseenSigns } from '@portico/contract/visible-text.ts';
import { unstorable } from '#http/unstorable.ts';
import { type ForeignPassword, readForeignPassword } from '#lib/foreign-password.ts';
import type { Problem } from './imports.queries.ts';
import type { Account } from './read/reading.ts';

type Limit = ReturnType<typeof speedLimit.parse>;
type Duration = ReturnType<typeof durationLimit.parse>;

/** The limits of one visitor instead of those of a session profile. */
export interface OwnLimits {
  readonly shared_user: number;
  readonly session_duration: Duration;
  readonly max_upload: Limit;
  readonly max_download: Limit;
}

/** A visitor as it waits to be created. */
export interface Draft {
  readonly name: string;
  readonly password: { readonly clear: string } | { readonly hash: string };
  readonly email: string | null;
  readonly phone: string | null;
  readonly session_start_at: string | null;
  readonly session_end_at: string | null;
  readonly blocked: boolean;
  readonly limits: OwnLimits | null;
}

export interface Drafted {
  readonly draft?: Draft;
  /** How the password is stored, such as `ssha2-256`; `none` without one. */
  readonly form: string;
  readonly problem: Problem | null;
  /** Columns whose value no visitor can have. */
  readonly ignored: readonly string[];
}

const longest = { username: 64, password: 128, name: 120 } as const;

const formOf = (it: ForeignPassword): string => {
  if ('unusable' in it) return it.unusable;
  return 'clear' in it ? 'clear' : (/^\{([\w-]+)\}/.exec(it.hash)?.[1] ?? '');
};

type Units = Partial<Record<LimitUnit, number>>;
const seconds: Units = { minute: 60, hour: 3600, day: 86_400 };
const bitsPerSecond: Units = { kbps: 1000, mbps: 1_000_000, gbps: 1_000_000_000 };

/**
 * The lowest limit that is not below the amount: limits go in the steps of the panel, and a guest should not lose anything.
 * An amount above all limits is returned as it is, and then refused.
 */
function limitOf(amount: number | undefined, units: Units): unknown {
  if (amount === undefined) return undefined;
  const steps = Object.entries(units).map(([option, size]) => {
    const { step, max } = limitBounds[option as LimitUnit];
    const value = Math.max(1, Math.ceil(amount / size / step)) * step;
    return { option, value, size: value * size, fits: value <= max };
  });
  const fitting = steps.filter(it => it.fits).sort((a, b) => a.size - b.size || a.value - b.value);
  const { option, value } = fitting[0] ?? steps.at(-1)!;
  return { is_active: true, option, value };
}

/** The limits of the guest's own, and the names of those that are out of bounds. */
function limitsOf(account: Account): { limits: OwnLimits | null; ignored: string[] } {
  const ignored: string[] = [];
  const read = <T>(
    name: string,
    schema: { safeParse: (value: unknown) => { success: boolean; data?: T } },
    value: unknown,
  ) => {
    const parsed = schema.safeParse(value);
    if (!parsed.success) ignored.push(name);
    return parsed.success ? parsed.data! : (schema.safeParse(undefined).data as T);
  };
  const { devices, upload, download } = account;
  const fits = devices === undefined || (devices >= 1 && devices <= 1000);
  if (!fits) ignored.push('Simultaneous-Use');
  const limits = {
    shared_user: fits ? (devices ?? 1) : 1,
    session_duration: read<Duration>('Session-Timeout', durationLimit, limitOf(account.seconds, seconds)),
    max_upload: read<Limit>('Upload', speedLimit, limitOf(upload, bitsPerSecond)),
    max_download: read<Limit>('Download', speedLimit, limitOf(download, bitsPerSecond)),
  };
  const own =
    (fits && devices !== undefined) ||
    [limits.session_duration, limits.max_upload, limits.max_download].some(it => it.is_active);
  return { limits: own ? limits : null, ignored };
}

/**
 * The visitor that a guest of the other program becomes. `moments`: of the local times in the file. `cryptForms`: those of crypt(3) that the
 * system can check.
 */
export function draftOf(
  account: Account,
  moments: ReadonlyMap<string | undefined, string>,
  cryptForms: ReadonlySet<string>,
): Drafted {
  const passwords = account.passwords.map(it => readForeignPassword(it.attribute, it.value, cryptForms));
  const usable = passwords.filter(it => !('unusable' in it));
  // Many passwords have the same hash of LAN Manager, so that another form comes first.
  const password = usable.find(it => formOf(it) !== 'lm') ?? usable[0] ?? passwords[0];
  const form = password ? formOf(password) : 'none';
  const { limits, ignored } = limitsOf(account);
  const refuse = (key: string, values?: Record<string, unknown>): Drafted => ({
    form,
    problem: { key, ...(values && { values }) },
    ignored: [],
  });
  if (account.over) return refuse('import_over');
  if (unseenSigns.test(account.username)) return refuse('plain_text');
  if (account.username.length > longest.username) return refuse('string_max', { limit: longest.username });
  if (!password) return refuse('import_no_password');
  if ('unusable' in password) return refuse('import_form', { form: password.unusable.slice(0, 40) });
  if ('clear' in password && password.clear.length > longest.password)
    return refuse('string_max', { limit: longest.password });
  const moment = (time: string | undefined) => (time === undefined ? null : (moments.get(time) ?? time));
  const contact = (name: string, schema: typeof email | typeof phone, text: string): string | null => {
    const parsed = schema.safeParse(text);
    if (!parsed.success && text) ignored.push(name);
    return parsed.success ? parsed.data : null;
  };
  const name = `${account.first} ${account.last}`.trim() || account.note || account.username;
  const starts = moment(account.starts);
  const ends = moment(account.ends);
  const draft: Draft = {
    name:
      name
        .replace(/\p{Cc}+/gu, ' ')
        .trim()
        .slice(0, longest.name)
        .trim()
        .toWellFormed() || account.username,
    password,
    email: contact('email', email, account.email),
    phone: contact('phone', phone, account.phone),
    session_start_at: starts && ends && Date.parse(ends) <= Date.parse(starts) ? null : starts,
    session_end_at: ends,
    blocked: account.blocked,
    limits,
  };
  if (unstorable({ ...draft, username: account.username }) !== undefined) return refuse('plain_text');
  if (account.note && draft.name !== account.note.slice(0, longest.name)) ignored.push('note');
  return { draft, form, problem: null, ignored };
}
