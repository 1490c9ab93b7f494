import sql from 'sql-template-tag';
import type { Tx } from './tenant.ts';

/** The database may know fewer time zones than Node. One that it does not know would end every query that uses it. */
export const knowsZone = async (tx: Tx, timeZone: string): Promise<boolean> =>
  (await tx.maybe(sql`select 1 from pg_timezone_names where name = ${timeZone}`)) !== undefined;
