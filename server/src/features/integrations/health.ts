import { problemWords } from '@portico/contract/integration-problems.ts';
import type { Tx } from '#db/tenant.ts';
import { tellWebhooks } from '#db/webhook-event.ts';
import { notify } from '#features/notifications/public.ts';
import * as queries from './integrations.queries.ts';
import type { IntegrationError } from './problems.ts';

interface IntegrationRef {
  readonly id: string;
  readonly name: string;
  /** Null: a webhook of the whole tenant. */
  readonly location_id: string | null;
}

/** The users who are responsible for an integration. */
const keepers = ({ location_id: location }: IntegrationRef) =>
  location === null ? ({ tenant: 'admins' } as const) : { location };

/** Marks an integration as working. Users are notified if it failed before. */
export async function reportRecovery(tx: Tx, it: IntegrationRef): Promise<void> {
  if (!(await queries.markWorked(tx, it.id))) return;
  await tellWebhooks(tx, it.location_id, 'integration.recovered', { id: it.id, name: it.name });
  await notify(tx, {
    to: keepers(it),
    kind: 'integration_recovered',
    data: { integration: it.name },
    locationId: it.location_id,
  });
}

/** Marks an integration as failing. Users are notified once, until it works again. */
export async function reportFailure(tx: Tx, it: IntegrationRef, problem: IntegrationError): Promise<void> {
  if (!(await queries.markFailed(tx, it.id, problem))) return;
  const reason = problemWords(problem.code, problem.message, 'en');
  await tellWebhooks(tx, it.location_id, 'integration.failing', { id: it.id, name: it.name, reason });
  await notify(tx, {
    to: keepers(it),
    kind: 'integration_failing',
    data: {
      integration: it.name,
      reason_en: reason,
      reason_tr: problemWords(problem.code, problem.message, 'tr'),
    },
    locationId: it.location_id,
  });
}
