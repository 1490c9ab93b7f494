import { type Client, escapeIdentifier } from 'pg';
import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

/** Sessions go on into the next month, and late reports come for some days. */
const restDays = 3;
const done = 'its indexes were rebuilt after its end';

/** The lock of the process that rebuilds. */
export const rebuilding = 'finished months';

/**
 * Keeps rebuilds away until the end of the transaction; `false` if one runs. Rebuilding an index waits for all transactions
 * that use the month. One that wants the month for itself would wait for the index: a deadlock.
 */
export const keepRebuildsAway = async (tx: Tx): Promise<boolean> =>
  (await tx.one<{ alone: boolean }>(sql`select pg_try_advisory_xact_lock(hashtext(${rebuilding})) as alone`)).alone;

/** The oldest finished month after `last` whose indexes were not rebuilt. */
export async function nextFinishedMonth(client: Client, last: string): Promise<string | undefined> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'session_history'::regclass and c.relname ~ '^session_history_[0-9]{4}_[0-9]{2}$'
       and to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month' < (now() - make_interval(days => $1)) at time zone 'UTC'
       and obj_description(c.oid, 'pg_class') is distinct from $2 and c.relname > $3
     order by 1 limit 1`,
    [restDays, done, last],
  );
  return rows[0]?.name;
}

export async function rebuildIndexes(client: Client, month: string): Promise<void> {
  const { rows: indexes } = await client.query<{ name: string; left: boolean }>(
    `select c.relname as name, not i.indisvalid as left from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid = $1::regclass and (i.indisvalid or c.relname ~ '_cc(new|old)[0-9]*$')
       and obj_description(c.oid, 'pg_class') is distinct from $2
     order by i.indisvalid, 1`,
    [month, done],
  );
  // One by one, so that a migration that waits for the table gets it in between.
  for (const { name, left } of indexes) {
    const index = escapeIdentifier(name);
    if (left) {
      // By an interrupted run. An index that a migration builds has another name.
      await client.query(`drop index concurrently ${index}`);
    } else {
      await client.query(`set local lock_timeout = '2s'; alter index ${index} set (fillfactor = 100)`);
      await client.query(`reindex index concurrently ${index}`);
      // A run that ends before the month is done is not to do this index again.
      await client.query(`comment on index ${index} is '${done}'`);
    }
  }
  await client.query(`comment on table ${escapeIdentifier(month)} is '${done}'`);
}

export async function isDropped(client: Client, month: string): Promise<boolean> {
  const { rows } = await client.query<{ dropped: boolean }>('select to_regclass($1) is null as dropped', [month]);
  return rows[0]!.dropped;
}
