import type pg from 'pg';
import { beforeEach } from 'vitest';

/** One hash over all rows of some tables. */
export type RowHash = () => Promise<string>;

interface Rows {
  readonly table: string;
  /** Which rows, as SQL over `t`; all unless given. */
  readonly where?: string;
}

/** Prepares one statement for all tables, because the walk hashes them after each of its calls. */
export function rowHash(pool: pg.Pool, name: string, of: readonly Rows[]): RowHash {
  const sums = of.map(
    ({ table, where = 'true' }, i) =>
      `select ${i} as position, (select md5(string_agg(t::text, '|' order by t::text)) from ${table} t where ${where}) as sum`,
  );
  const text = `select md5(string_agg(coalesce(sum, ''), '|' order by position)) as hash from (${sums.join(' union all ')}) sums`;
  return async () => {
    const { rows } = await pool.query<{ hash: string }>({ name, text });
    return rows[0]!.hash;
  };
}

/** The tables of the schema; a partition counts as part of its table. `column` picks those that have it. */
export async function tablesOf(pool: pg.Pool, { column }: { column?: string } = {}): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select c.relname as name from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and ($1::text is null or exists (
         select from pg_attribute a where a.attrelid = c.oid and a.attname = $1 and not a.attisdropped))
     order by 1`,
    [column ?? null],
  );
  return rows.map(row => row.name);
}

/** Asserts that attempts change no row. The hash after an attempt serves as the hash before the one of the next test. */
export function createGuard(expectSame: (after: string, before: string) => void) {
  let last: { hash: RowHash; value: string } | undefined;
  let isGuarded = false;
  // A test without the guard may change rows, so the next one looks itself.
  beforeEach(() => {
    if (!isGuarded) last = undefined;
    isGuarded = false;
  });
  return async (hash: RowHash, attempt: () => Promise<void>): Promise<void> => {
    const before = last?.hash === hash ? last.value : await hash();
    last = undefined;
    await attempt();
    const value = await hash();
    expectSame(value, before);
    last = { hash, value };
    isGuarded = true;
  };
}
