import sql, { raw, type Sql } from 'sql-template-tag';
import type { Tx } from './tenant.ts';

/** A LIKE pattern that matches any part of a text. */
export const contains = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** Finds a text anywhere in a column, ignoring case and diacritics: `isik` finds Işık, and `ışık` finds IŞIK. */
export const textMatches = (column: Sql, text: string): Sql =>
  sql`fold_text(${column}) like fold_text(${contains(text)})`;

/** Orders by a name, by the Turkish alphabet: Ç after C, ı before i. */
export const nameOrder = (column: Sql): Sql => sql`sort_text(${column}) collate "C"`;

// Counting reads each row that it counts. Beyond this number people search instead of paging.
const countedRows = 10_000;

// For a bound parameter the planner assumes a tenth of the table and plans again each time, which takes longer than the query.
// So a few common values are literals; each makes another statement.
const written = new Map([0, 10, 15, 20, 25, 50, 100, 200, 500, 1000, countedRows].map(it => [it, raw(String(it))]));

/** A number of rows for `limit` or `offset`. */
export const bound = (rows: number): Sql => written.get(rows) ?? sql`${rows}`;

/** The number of rows of a `from … where …`: exact up to 10,000, beyond that at least enough for the next page. */
export async function countRows(tx: Tx, fromWhere: Sql, at: { page: number; per_page: number }): Promise<number> {
  const most = Math.max(countedRows, at.page * at.per_page + 1);
  const { total } = await tx.one<{ total: number }>(
    sql`select count(*) as total from (select 1 ${fromWhere} limit ${bound(most)}) counted`,
  );
  return total;
}

/**
 * The total number of rows of a list. A page that is not full gives it without a query. Only for a full page `count` is
 * called.
 */
export async function totalOf(
  page: Promise<{ readonly length: number }>,
  at: { page: number; per_page: number },
  count: () => Promise<number>,
): Promise<number> {
  const { length } = await page;
  const before = (at.page - 1) * at.per_page;
  const isLast = length < at.per_page && (length > 0 || before === 0);
  return isLast ? before + length : count();
}

/** `limit … offset …` of a page. */
export const pageOf = (at: { page: number; per_page: number }): Sql =>
  sql`limit ${bound(at.per_page)} offset ${bound((at.page - 1) * at.per_page)}`;
