import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

/** What is known of the time. All of it works across tenants. */
export interface Clock {
  /** The latest time that is known to be right. */
  readonly known_at: Date;
  readonly checked_at: Date;
  readonly doubted_since: Date | null;
}

/** Kept from others until the transaction ends; `now` is the later one of the database's clock and this process's. */
export const lockClock = (tx: Tx, own: Date) =>
  tx.one<{ known_at: string; checked_at: string; doubted_since: string | null; now: string }>(
    sql`select known_at, checked_at, doubted_since, greatest(now(), ${own}::timestamptz) as now from clock for update`,
  );

export const setClock = (tx: Tx, it: Clock) =>
  tx.run(
    sql`update clock set known_at = ${it.known_at}, checked_at = ${it.checked_at}, doubted_since = ${it.doubted_since}`,
  );

export const listTenants = (tx: Tx) => tx.many<{ id: string }>(sql`select id from tenants`);

/** Brings back to now what was heard of by a clock that was ahead; answers how much there was. */
export const mendFuture = async (tx: Tx): Promise<number> =>
  (await tx.one<{ mended: number }>(sql`select clamp_future_times() as mended`)).mended;
