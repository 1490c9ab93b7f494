import sql, { type Sql } from 'sql-template-tag';
import type { Tx } from './tenant.ts';

export type ExternalIdKind = 'locations' | 'profiles' | 'devices' | 'portals';

/**
 * The rows with an id of another system; `rows` selects the ids of at most two. Until the transaction ends, no other one looks
 * for that id, so that two requests at once make one thing.
 */
export async function lockExternalId(
  tx: Tx,
  kind: ExternalIdKind,
  externalId: string,
  rows: Sql,
): Promise<{ id: string }[]> {
  await tx.run(
    sql`select pg_advisory_xact_lock(lock_key(${`external id of ${kind}`}, current_tenant()::text || ' ' || ${externalId}::text))`,
  );
  return tx.many<{ id: string }>(rows);
}
