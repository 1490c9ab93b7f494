import sql, { type Sql } from 'sql-template-tag';
import type { Tx } from './tenant.ts';

/** A LIKE pattern that matches any part of a text. */
export const contains = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

// Counting costs as many rows as it counts: nobody pages beyond this many, and the rest is found by searching.
const countedRows = 10_000;

/** How many rows a `from … where …` finds: exact up to 10,000, beyond that at least so many that paging goes on. */
export async function countRows(tx: Tx, fromWhere: Sql, at: { page: number; per_page: number }): Promise<number> {
  const most = Math.max(countedRows, at.page * at.per_page + 1);
  const { total } = await tx.one<{ total: number }>(
    sql`select count(*) as total from (select 1 ${fromWhere} limit ${most}) counted`,
  );
  return total;
}

/** `limit … offset …` of a page. */
export const pageOf = (at: { page: number; per_page: number }): Sql =>
  sql`limit ${at.per_page} offset ${(at.page - 1) * at.per_page}`;
