import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

export interface CountedKey {
  readonly key: Buffer;
  readonly free: number;
  readonly windowSeconds: number;
}

const columns = (keys: readonly CountedKey[]) => sql`
  ${keys.map(it => it.key)}::bytea[], ${keys.map(it => it.free)}::int[], ${keys.map(it => it.windowSeconds)}::int[]`;

/** Returns the seconds to wait; 0: the attempt has begun. */
export const beginAttempt = async (tx: Tx, keys: readonly CountedKey[]): Promise<number> =>
  (await tx.one<{ seconds: number }>(sql`select begin_attempt(${columns(keys)}) as seconds`)).seconds;

export type Outcome = 'failed' | 'succeeded' | 'neither';

export const endAttempt = (tx: Tx, keys: readonly CountedKey[], outcomes: readonly Outcome[]) =>
  tx.run(sql`select end_attempt(${columns(keys)}, ${outcomes}::text[])`);

/** Under withSystem. */
export const forgetFadedFailures = (tx: Tx) => tx.run(sql`delete from throttles where expires_at < now()`);
