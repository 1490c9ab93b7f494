import { escapeIdentifier, type PoolClient } from 'pg';

interface Wanted {
  readonly table: string;
  readonly columns: string;
  readonly where: string;
}

/** Lines such as `-- concurrently session_history (tenant_id, started_at) where …` of a migration. */
const wantedIn = (sql: string): Wanted[] =>
  [...sql.matchAll(/^-- concurrently (\w+) \(([\w, ]+)\)(.*)$/gm)].map(([, table, columns, where]) => ({
    ...{ table: table!, columns: columns!, where: where! },
  }));

/** Lines such as `-- concurrently devices_name_new on devices (tenant_id, lower(name))`, for tables without partitions. */
const namedIn = (sql: string): { index: string; on: string }[] =>
  [...sql.matchAll(/^-- concurrently (\w+) on (\w+ \(.+)$/gm)].map(([, index, on]) => ({ index: index!, on: on! }));

/**
 * Builds the indexes that a migration names, on each partition, while others read and write: minutes for millions of rows. The
 * migration's own `create index` on the whole table takes them over and builds nothing. Those of other tables it creates `if not
 * exists`. May be interrupted and repeated.
 */
export async function buildIndexes(client: PoolClient, sql: string): Promise<void> {
  for (const { table, columns, where } of wantedIn(sql)) {
    const { rows: partitions } = await client.query<{ name: string; half_built: string[] }>(
      `select c.relname as name, array(
           select x.relname::text from pg_index i join pg_class x on x.oid = i.indexrelid
           where i.indrelid = t.relid and not i.indisvalid) as half_built
         from pg_partition_tree($1) t join pg_class c on c.oid = t.relid where t.isleaf`,
      [table],
    );
    for (const { name, half_built } of partitions) {
      for (const broken of half_built) await client.query(`drop index concurrently ${escapeIdentifier(broken)}`);
      // The name that PostgreSQL gives the index of a new partition.
      const named = columns.replaceAll(/ \w+_ops/g, '').replaceAll(', ', '_');
      const index = escapeIdentifier(`${name}_${named}_idx`);
      await client.query(
        `create index concurrently if not exists ${index} on ${escapeIdentifier(name)} (${columns})${where}`,
      );
    }
  }
  for (const { index, on } of namedIn(sql)) {
    const { rows } = await client.query('select from pg_index where indexrelid = to_regclass($1) and not indisvalid', [
      index,
    ]);
    if (rows.length > 0) await client.query(`drop index concurrently ${escapeIdentifier(index)}`);
    await client.query(`create index concurrently if not exists ${escapeIdentifier(index)} on ${on}`);
  }
}
