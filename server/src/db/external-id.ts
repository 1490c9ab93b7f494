import sql, { type Sql } from 'sql-template-tag';
import { invalid } from '#http/app-error.ts';
import type { Tx } from './tenant.ts';

/**
 * The only one of the rows with an id of another system, of those at the place where a new one would be. Until the transaction
 * ends, no other one looks for that id, so that two at once make one thing. `rows` selects the ids of at most two rows.
 */
export async function lockExternalId(
  tx: Tx,
  kind: 'locations' | 'profiles' | 'devices' | 'portals',
  externalId: string,
  rows: Sql,
): Promise<string | undefined> {
  await tx.run(
    sql`select pg_advisory_xact_lock(lock_key(${`external id of ${kind}`}, current_tenant()::text || ' ' || ${externalId}::text))`,
  );
  const [row, other] = await tx.many<{ id: string }>(rows);
  if (other) throw invalid(kind === 'locations' ? { external_id: 'several' } : { location_id: 'choose_location' });
  return row?.id;
}
