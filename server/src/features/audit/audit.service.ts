import type { AuditKind, AuditVerb } from '@portico/contract/audit-words.ts';
import type { Tx } from '#db/tenant.ts';
import type { Actor } from '#http/actor.ts';
import { AppError } from '#http/app-error.ts';
import { type Rights, rightsOf } from '#http/rights.ts';
import { newId } from '#lib/ids.ts';
import { cutText } from '#lib/one-line.ts';
import { hasAccount, insertEntry } from './audit.queries.ts';

type Values = Record<string, unknown>;

export interface Entry {
  readonly verb: AuditVerb;
  /** The type of the object, its id if it has one, and its name. */
  readonly subject: { readonly type: AuditKind; readonly id?: string | null; readonly name: string };
  readonly locationId?: string | null | undefined;
  /** Members limited to other devices do not see the entry. */
  readonly deviceId?: string | null | undefined;
  readonly before?: object | null | undefined;
  readonly after?: object | null | undefined;
}

const secret =
  /password(?!_min$)|secret|token|hash|^code$|^connection$|security_code|citizen|id_?number|^birth|embed_code/i;
const noise = new Set(['updated_at', 'created_at', 'last_seen_at', 'last_used_at', 'license_remain', 'trial_remain']);
const longest = 500;

/** The stored form of a value: secrets are masked, long texts truncated. Yes and no reveal no secret: `password_reset`. */
function kept(value: unknown, key = ''): unknown {
  if (value === null || value === undefined) return null;
  if (secret.test(key) && value !== '' && typeof value !== 'boolean') return '•••';
  if (typeof value === 'string') return value.length > longest ? `${cutText(value, longest)}…` : value;
  if (Array.isArray(value)) return value.slice(0, 100).map(item => kept(item, key));
  if (typeof value === 'object') return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, kept(v, k)]));
  return value;
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

const isPlain = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** Its parts say little alone: a limit that was turned on has a value, a unit and a switch. */
const isLimit = (value: Values): boolean => 'is_active' in value && 'option' in value && 'value' in value;

/** The differences, also in nested objects: `[before, after]`, both empty if there are none. */
function differences(old: Values, now: Values): [Values, Values] {
  const [before, after]: [Values, Values] = [{}, {}];
  for (const key of Object.keys({ ...old, ...now })) {
    const [was, is] = [old[key], now[key]];
    if (noise.has(key) || same(was, is)) continue;
    const nested = isPlain(was) && isPlain(is) && !secret.test(key) && !isLimit(is);
    const inner = nested ? differences(was, is) : [was, is];
    if (was !== undefined) before[key] = kept(inner[0], key);
    if (is !== undefined) after[key] = kept(inner[1], key);
  }
  return [before, after];
}

const whole = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) =>
      noise.has(key) || value === undefined ? [] : [[key, kept(value, key)]],
    ),
  );

/** The differences of two states, or all of a single state. */
export function changes(
  before: object | null | undefined,
  after: object | null | undefined,
): { before: Values | null; after: Values | null } {
  const [old, now] = [before as Values | null | undefined, after as Values | null | undefined];
  if (!old || !now) return { before: old ? whole(old) : null, after: now ? whole(now) : null };
  const [was, is] = differences(old, now);
  return { before: was, after: is };
}

/** A user, or the holder of a link that was mailed to an address. */
export type Doer = Actor | Pick<Actor, 'userId' | 'ip'> | { readonly email: string; readonly ip: string | null };

/**
 * The rights that an action of a signed-in user still needs when it is done. None for an action on the user's own account, or that deletes
 * the user's own team, because these take rights away themselves.
 */
function neededRights(by: Doer, { verb, subject }: Entry): Rights | null {
  if (!('role' in by) || subject.id === by.userId) return null;
  return verb === 'delete' && subject.id === by.activeLocationId ? null : rightsOf(by);
}

/**
 * Records an action in its own transaction. A change without any difference is not recorded. Throws, so that nothing is changed, if the user
 * has lost the account or rights since the action began: a large deletion takes a minute.
 */
export async function audit(tx: Tx, by: Doer, entry: Entry): Promise<void> {
  const { before, after } = changes(entry.before, entry.after);
  if (entry.before && entry.after && Object.keys(after!).length === 0 && Object.keys(before!).length === 0) return;
  const isRecorded = await insertEntry(tx, {
    id: newId(),
    userId: 'userId' in by ? by.userId : null,
    email: 'email' in by ? by.email : null,
    ip: by.ip,
    verb: entry.verb,
    subject: entry.subject,
    locationId: entry.locationId ?? null,
    deviceId: entry.deviceId ?? null,
    before,
    after,
    rights: neededRights(by, entry),
  });
  if (!isRecorded && 'role' in by)
    throw new AppError((await hasAccount(tx, by.userId)) ? 'not_allowed' : 'not_signed_in');
}
