import sql, { raw } from 'sql-template-tag';
import type { Tx } from './tenant.ts';

/**
 * The thing of this tenant with an id of another system. Until the transaction ends, no other one looks for that id, so that
 * two at once make one thing.
 */
export async function lockExternalId(
  tx: Tx,
  table: 'locations' | 'profiles',
  externalId: string,
): Promise<string | undefined> {
  await tx.run(
    sql`select pg_advisory_xact_lock(lock_key(${`external id of ${table}`}, current_tenant()::text || ' ' || ${externalId}::text))`,
  );
  const row = await tx.maybe<{ id: string }>(sql`select id from ${raw(table)} where external_id = ${externalId}`);
  return row?.id;
}
