import { type ExternalIdKind, lockExternalId } from '#db/external-id.ts';
import type { Tx } from '#db/tenant.ts';
import { invalid } from './app-error.ts';

/**
 * The id of the only row with an id of another system, of those that `rows` selects; undefined without one. A 422 names the
 * field that chooses between several.
 */
export async function findByExternalId(
  tx: Tx,
  kind: ExternalIdKind,
  externalId: string,
  rows: Parameters<typeof lockExternalId>[3],
): Promise<string | undefined> {
  const [row, other] = await lockExternalId(tx, kind, externalId, rows);
  if (other) throw invalid(kind === 'locations' ? { external_id: 'several' } : { location_id: 'choose_location' });
  return row?.id;
}
