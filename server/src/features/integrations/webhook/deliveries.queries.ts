import type { IntegrationProblem } from '@portico/contract/integration-problems.ts';
import type { WebhookDelivery } from '@portico/contract/integrations.ts';
import sql, { empty } from 'sql-template-tag';
import { countRows, pageOf } from '#db/list.ts';
import type { Tx } from '#db/tenant.ts';
import type { Rows } from '#http/page.ts';

export interface DueDelivery {
  tenant_id: string;
  id: string;
  integration_id: string;
  location_id: string | null;
  name: string;
  connection: string;
  body: string;
  attempts: number;
}

/**
 * Claims deliveries for `seconds`, a few per webhook, so that one slow receiver does not delay others. Those of many rows come last.
 * If this process ends, another one claims them after that time. Runs under withSystem.
 */
export const claimDue = (tx: Tx, seconds: number) =>
  tx.many<DueDelivery>(sql`
    with due as (
      select d.tenant_id, d.id
      from (select distinct tenant_id, integration_id from webhook_deliveries where state = 'waiting' and next_at <= now() limit 40) w
      cross join lateral (
        select tenant_id, id from webhook_deliveries
        where tenant_id = w.tenant_id and integration_id = w.integration_id and state = 'waiting' and next_at <= now()
        order by later, id limit 5 for update skip locked) d),
    taken as (
      update webhook_deliveries d set attempts = attempts + 1, next_at = now() + make_interval(secs => ${seconds})
      from due where d.tenant_id = due.tenant_id and d.id = due.id returning d.*)
    select t.tenant_id, t.id, t.integration_id, t.location_id, i.name, i.connection, t.body, t.attempts
    from taken t join integrations i on i.tenant_id = t.tenant_id and i.id = t.integration_id
    order by t.id`);

export const markDelivered = (tx: Tx, id: string, status: number) =>
  tx.run(sql`update webhook_deliveries set state = 'delivered', delivered_at = now(), status = ${status}, problem = null, last_error = null
    where id = ${id}`);

/** `pause` null: no further attempt. */
export const markRefused = (
  tx: Tx,
  id: string,
  it: { status: number | null; code: string; message: string; pause: number | null },
) =>
  tx.run(sql`
    update webhook_deliveries set status = ${it.status}, problem = ${it.code}, last_error = ${it.message},
      state = ${it.pause === null ? 'failed' : 'waiting'}, next_at = now() + make_interval(secs => ${it.pause ?? 0})
    where id = ${id}`);

export type DeliveryRow = Omit<WebhookDelivery, 'error'> & {
  problem: IntegrationProblem | null;
  last_error: string | null;
};

const columns = sql`d.id, d.event, d.state, d.attempts, d.status, d.problem, d.last_error, d.body, d.created_at,
  case when d.state = 'waiting' then d.next_at end as next_at, d.delivered_at`;

export async function listDeliveries(
  tx: Tx,
  integrationId: string,
  filter: { page: number; per_page: number; state?: string | undefined; event?: string | undefined },
): Promise<Rows<DeliveryRow>> {
  const where = sql`from webhook_deliveries d where d.integration_id = ${integrationId}
    ${filter.state ? sql`and d.state = ${filter.state}` : empty} ${filter.event ? sql`and d.event = ${filter.event}` : empty}`;
  const [rows, total] = await Promise.all([
    tx.many<DeliveryRow>(sql`select ${columns} ${where} order by d.id desc ${pageOf(filter)}`),
    countRows(tx, where, filter),
  ]);
  return { rows, total };
}

export const sendAgain = (tx: Tx, integrationId: string, id: string) =>
  tx.maybe<DeliveryRow>(sql`
    update webhook_deliveries d set state = 'waiting', attempts = 0, next_at = now(), delivered_at = null
    where d.id = ${id} and d.integration_id = ${integrationId} returning ${columns}`);

/** Returns how many. Deliveries that are waiting or delivered stay as they are. */
export const sendFailedAgain = (tx: Tx, integrationId: string, since: string): Promise<number> =>
  tx.run(sql`
    update webhook_deliveries d set state = 'waiting', attempts = 0, next_at = now()
    where d.integration_id = ${integrationId} and d.state = 'failed' and d.created_at >= ${since}::timestamptz`);

/** Runs under withSystem. */
export const tellExpiredVisitors = (tx: Tx) => tx.run(sql`select tell_expired_visitors()`);

/** Tells the webhooks of a location about its licence, once per mark. */
export const tellLicence = (
  tx: Tx,
  it: { locationId: string; event: 'licence.expiring' | 'licence.expired'; mark: string },
  about: { name: string; ends_at: string; days: number; is_trial: boolean },
) =>
  tx.run(sql`select tell_licence(${it.locationId}::uuid, ${it.event}, ${it.mark},
    ${JSON.stringify({ location_id: it.locationId, ...about })}::jsonb)`);

/** Runs under withSystem. */
export const deleteOldDeliveries = (tx: Tx) =>
  tx.run(sql`delete from webhook_deliveries where created_at < now() - interval '14 days'`);
