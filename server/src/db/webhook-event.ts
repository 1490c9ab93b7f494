import type { WebhookEvent } from '@portico/contract/integration-names.ts';
import sql from 'sql-template-tag';
import type { Tx } from './tenant.ts';

/**
 * Queues an event that no row tells for the webhooks of a location (null: of the tenant alone) and those of the whole tenant.
 * With `once`, each webhook gets it once per key, for as long as its deliveries are kept.
 */
export const tellWebhooks = (tx: Tx, locationId: string | null, event: WebhookEvent, data: object, once?: string) =>
  tx.run(
    sql`select queue_webhook_event(current_tenant(), ${locationId}::uuid, ${event},
      ${JSON.stringify({ location_id: locationId, ...data })}::jsonb, once_key => ${once ?? null})`,
  );

/** Changes many rows. Each webhook gets the events of these after its others, so that they delay nothing. */
export async function tellLater<T>(tx: Tx, change: () => Promise<T>): Promise<T> {
  await tx.run(sql`select set_config('portico.events', 'later', true)`);
  const result = await change();
  await tx.run(sql`select set_config('portico.events', '', true)`);
  return result;
}

/** The tenants that have a webhook for this event. Runs under withSystem. */
export const tenantsToTell = (tx: Tx, event: WebhookEvent) =>
  tx.many<{ id: string }>(
    sql`select distinct tenant_id as id from integrations where kind = 'webhook' and ${event} = any(events)`,
  );
