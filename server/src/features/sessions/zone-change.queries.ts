import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

/**
 * Keeps accounting out of the routers of a location until the transaction ends. Taken before any row, and in the order of
 * account().
 */
export const lockRoutersOf = (tx: Tx, locationId: string) =>
  tx.run(sql`
    select pg_advisory_xact_lock(key)
    from (select lock_key('router', id::text) as key from devices where location_id = ${locationId} order by 1) x`);

/** Lets the open sessions of a location count to the days and hours of its new time zone. Its routers are locked. */
export const startNewHours = (tx: Tx, locationId: string) => tx.run(sql`select start_new_hours(${locationId})`);
