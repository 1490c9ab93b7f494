import type { Tx } from '#db/tenant.ts';
import { setReadEmpty } from '../integrations.queries.ts';
import { countStaying } from '../stays.queries.ts';

/**
 * An empty report may be about to be filled again. It ends the stays at once only if there are at most this many; otherwise on
 * the second report.
 */
const maxSuddenDepartures = 3;

/** Whether a report without guests is to be left out of account this time. */
export async function isSuspiciouslyEmpty(
  tx: Tx,
  it: { id: string; last_read_empty?: boolean },
  guests: number,
): Promise<boolean> {
  const isSuspicious = guests === 0 && !it.last_read_empty && (await countStaying(tx, it.id)) > maxSuddenDepartures;
  await setReadEmpty(tx, it.id, isSuspicious);
  return isSuspicious;
}
