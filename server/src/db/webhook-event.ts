import type { WebhookEvent } from '@portico/contract/integration-names.ts';
import sql from 'sql-template-tag';
import type { Tx } from './tenant.ts';

/** Queues an event that no row tells for the webhooks of a location (null: of the tenant alone) and those of the whole tenant. */
export const tellWebhooks = (tx: Tx, locationId: string | null, event: WebhookEvent, data: object) =>
  tx.run(
    sql`select queue_webhook_event(current_tenant(), ${locationId}::uuid, ${event}, ${JSON.stringify({ location_id: locationId, ...data })}::jsonb)`,
  );
