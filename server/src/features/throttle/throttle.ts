import { gather } from '#db/gather.ts';
import type { Tx } from '#db/tenant.ts';
import { AppError } from '#http/app-error.ts';
import type { App } from '#lib/app.ts';
import { callerNetwork, callerSite } from '#lib/caller-network.ts';
import { knownBlocks } from './known-blocks.ts';
import * as queries from './throttle.queries.ts';

/**
 * Limits failed attempts. The counts are in the database, so all processes share them. After `free` failures of a key
 * each further failure blocks it, for twice as long each time. Failures fade one by one, all `free` within the window:
 * otherwise the failures at a busy venue's address would add up. See docs/decisions/048 and 059.
 */
export interface Limit {
  readonly name: string;
  readonly free: number;
  readonly windowSeconds: number;
}

export const createLimit = (name: string, free: number, windowMinutes = 15): Limit => ({
  name,
  free,
  windowSeconds: windowMinutes * 60,
});

/** A limit and the key that it counts. */
export type Counted = readonly [limit: Limit, key: string];

/** A site of 65,536 networks may fail as often as so many of them. */
export const networksOfSite = 16;

/** Counts by the network of a caller, and by its site, so that one who owns many networks is limited as well. */
export function ofNetwork(limit: Limit, address: string): Counted[] {
  const counted: Counted[] = [[limit, callerNetwork(address)]];
  const site = callerSite(address);
  if (site !== undefined) {
    const { name, free, windowSeconds } = limit;
    counted.push([{ name: `${name} site`, free: free * networksOfSite, windowSeconds }, site]);
  }
  return counted;
}

type Needs = Pick<App, 'db' | 'secrets'>;

/** Keys contain phone numbers and e-mail addresses, so only a keyed hash is stored. */
const keysOf = ({ secrets }: Pick<App, 'secrets'>, counted: readonly Counted[]): queries.CountedKey[] =>
  counted.map(([{ name, free, windowSeconds }, key]) => ({
    key: secrets.index(`throttle|${name}|${key}`),
    free,
    windowSeconds,
  }));

function refuse(seconds: number): void {
  if (seconds > 0) throw new AppError('too_many', { values: { seconds } });
}

export interface Attempt {
  /** Counts a failure for every key. */
  failed(): Promise<void>;
  /** Clears the failures of these limits; the other keys keep theirs. */
  succeeded(...limits: readonly Limit[]): Promise<void>;
  /** Ends the attempt without counting, unless it has ended already. */
  end(): Promise<void>;
}

/**
 * The guests of a venue share keys, whose rows stay locked until the commit. So attempts that begin or end together do it in one
 * transaction.
 */
const rushOf = (db: App['db']) => ({
  begin: gather((all: readonly (readonly queries.CountedKey[])[]) =>
    db.systemTrip(tx => queries.beginAttempts(tx, all)),
  ),
  end: gather(async (all: readonly queries.EndedAttempt[]) => {
    await db.systemTrip(tx => queries.endAttempts(tx, all));
    return all.map(() => undefined);
  }),
});
const rushes = new WeakMap<App['db'], ReturnType<typeof rushOf>>();

function rushAt(db: App['db']): ReturnType<typeof rushOf> {
  const known = rushes.get(db) ?? rushOf(db);
  rushes.set(db, known);
  return known;
}

/**
 * Begins an attempt, or throws 429. Call it before the work: attempts under way count as if they had failed, so many
 * at once gain nothing. End it in `finally`.
 */
export async function beginAttempt(app: Needs, counted: readonly Counted[]): Promise<Attempt> {
  const keys = keysOf(app, counted);
  const blocks = knownBlocks(app);
  refuse(blocks.seconds(keys.map(it => it.key)));
  const rush = rushAt(app.db);
  const seconds = await rush.begin(keys);
  if (seconds > 0)
    for (const { key, ms } of await app.db.systemTrip(tx => queries.findBlocks(tx, keys))) blocks.add(key, ms);
  refuse(seconds);
  let ended = false;
  const end = async (outcomeOf: (limit: Limit) => queries.Outcome): Promise<void> => {
    if (ended) return;
    ended = true;
    const outcomes = counted.map(([limit]) => outcomeOf(limit));
    await rush.end({ keys, outcomes });
    for (const [i, { key }] of keys.entries()) if (outcomes[i] === 'succeeded') blocks.forget(key);
  };
  return {
    failed: () => end(() => 'failed'),
    succeeded: (...limits) => end(limit => (limits.includes(limit) ? 'succeeded' : 'neither')),
    end: () => end(() => 'neither'),
  };
}

/** Counts one more of something that is limited as such, for example a mail. Throws 429 when there were too many. */
export const countOne = (app: Needs, counted: readonly Counted[]): Promise<void> =>
  app.db.withSystem(tx => countOneIn(tx, app, counted));

/** As `countOne`, in the transaction of the thing that is counted. */
export async function countOneIn(tx: Tx, app: Pick<App, 'secrets'>, counted: readonly Counted[]): Promise<void> {
  const keys = keysOf(app, counted);
  refuse(await queries.beginAttempt(tx, keys));
  await queries.endAttempt(
    tx,
    keys,
    keys.map(() => 'failed' as const),
  );
}

/** As `countOneIn`, but returns false instead of throwing. */
export async function fits(tx: Tx, app: Pick<App, 'secrets'>, counted: readonly Counted[]): Promise<boolean> {
  try {
    await countOneIn(tx, app, counted);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'too_many') return false;
    throw error;
  }
}
