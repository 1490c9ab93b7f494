import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

/** The stored state of the clock. All queries here work across tenants. */
export interface Clock {
  /** The latest time that is known to be right. */
  readonly known_at: Date;
  readonly checked_at: Date;
  readonly doubted_since: Date | null;
}

/** Locked until the transaction ends. `now` is the later of the database's clock and this process's clock. */
export const lockClock = (tx: Tx, own: Date) =>
  tx.one<{ known_at: string; checked_at: string; doubted_since: string | null; now: string }>(
    sql`select known_at, checked_at, doubted_since, greatest(now(), ${own}::timestamptz) as now from clock for update`,
  );

export const setClock = (tx: Tx, it: Clock) =>
  tx.run(
    sql`update clock set known_at = ${it.known_at}, checked_at = ${it.checked_at}, doubted_since = ${it.doubted_since}`,
  );

/** Tenants, except those that are being moved: they take no notices. */
export const listTenants = (tx: Tx) =>
  tx.many<{ id: string }>(sql`
    select id from tenants where not exists (select from tenant_moves m where m.tenant = id and (m.direction = 'out' or m.state = 'arriving'))`);

/** Moves timestamps of a clock that was ahead back to now. Returns their number. */
export const correctFuture = async (tx: Tx): Promise<number> =>
  (await tx.one<{ corrected: number }>(sql`select clamp_future_times() as corrected`)).corrected;

/** Brings waiting work forward when the clock was set back. Returns by how many seconds; 0 if it was not. */
export const followClock = async (tx: Tx): Promise<number> =>
  (await tx.one<{ back: number }>(sql`select extract(epoch from follow_clock())::float8 as back`)).back;
