import { problemWords } from '@portico/contract/integration-problems.ts';
import type { Tx } from '#db/tenant.ts';
import { notify } from '#features/notifications/public.ts';
import * as queries from './integrations.queries.ts';
import type { IntegrationError } from './problems.ts';

interface Which {
  readonly id: string;
  readonly name: string;
  readonly location_id: string;
}

/** An integration works again: those who were notified of its failure are notified of that. */
export async function noteWorked(tx: Tx, it: Which): Promise<void> {
  if (!(await queries.markWorked(tx, it.id))) return;
  await notify(tx, {
    to: { location: it.location_id, permission: 'update-integrations' },
    kind: 'integration_recovered',
    data: { integration: it.name },
    locationId: it.location_id,
  });
}

/** An integration fails: notified once, until it works again. */
export async function noteFailed(tx: Tx, it: Which, problem: IntegrationError): Promise<void> {
  if (!(await queries.markFailed(tx, it.id, problem))) return;
  await notify(tx, {
    to: { location: it.location_id, permission: 'update-integrations' },
    kind: 'integration_failing',
    data: {
      integration: it.name,
      reason_en: problemWords(problem.code, problem.message, 'en'),
      reason_tr: problemWords(problem.code, problem.message, 'tr'),
    },
    locationId: it.location_id,
  });
}
