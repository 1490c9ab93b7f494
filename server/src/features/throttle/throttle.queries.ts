import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

export interface CountedKey {
  readonly key: Buffer;
  readonly free: number;
  readonly windowSeconds: number;
}

const columns = (keys: readonly CountedKey[]) => sql`
  ${keys.map(it => it.key)}::bytea[], ${keys.map(it => it.free)}::int[], ${keys.map(it => it.windowSeconds)}::int[]`;

/** The blocked keys, with the milliseconds until their block ends. */
export const findBlocks = (tx: Tx, keys: readonly CountedKey[]) =>
  tx.many<{ key: Buffer; ms: number }>(sql`
    select key, ceil(extract(epoch from blocked_until - clock_timestamp()) * 1000)::int as ms from throttles
    where key = any(${keys.map(it => it.key)}::bytea[]) and blocked_until > clock_timestamp()`);

const many = (all: readonly (readonly CountedKey[])[]) => sql`
  ${all.map(it => it.length)}::int[], ${columns(all.flat())}`;

/** Begins several attempts, one after another. */
export const beginAttempts = async (tx: Tx, all: readonly (readonly CountedKey[])[]): Promise<readonly number[]> =>
  (await tx.one<{ seconds: number[] }>(sql`select begin_attempts(${many(all)}) as seconds`)).seconds;

/** Returns the seconds to wait; 0: the attempt has begun. */
export const beginAttempt = async (tx: Tx, keys: readonly CountedKey[]): Promise<number> =>
  (await tx.one<{ seconds: number }>(sql`select begin_attempt(${columns(keys)}) as seconds`)).seconds;

export type Outcome = 'failed' | 'succeeded' | 'neither';

export interface EndedAttempt {
  readonly keys: readonly CountedKey[];
  readonly outcomes: readonly Outcome[];
}

/** Ends several attempts, one after another. */
export const endAttempts = (tx: Tx, all: readonly EndedAttempt[]) =>
  tx.run(sql`select end_attempts(${many(all.map(it => it.keys))}, ${all.flatMap(it => it.outcomes)}::text[])`);

export const endAttempt = (tx: Tx, keys: readonly CountedKey[], outcomes: readonly Outcome[]) =>
  tx.run(sql`select end_attempt(${columns(keys)}, ${outcomes}::text[])`);

/** Takes some calls of a key. Returns the milliseconds until its window ends, negative when too few are left. */
export const takeCalls = async (
  tx: Tx,
  key: Buffer,
  it: { calls: number; limit: number; windowSeconds: number },
): Promise<number> =>
  (
    await tx.one<{ ms: number }>(
      sql`select take_calls(${key}, ${it.calls}::int, ${it.limit}::int, ${it.windowSeconds}::int) as ms`,
    )
  ).ms;

/** Under withSystem. */
export async function forgetFadedFailures(tx: Tx): Promise<void> {
  // Attempts lock their keys in this order. One that has a row anew lets it stay.
  await tx.run(sql`
    delete from throttles where key in (
      select key from throttles where expires_at < now() order by key for update skip locked)`);
  await tx.run(sql`delete from call_counts where window_end < now()`);
}
