import type { IntegrationProblem } from '@portico/contract/integration-problems.ts';
import type { SmsMessage } from '@portico/contract/integrations.ts';
import sql, { empty } from 'sql-template-tag';
import { countRows, pageOf } from '#db/list.ts';
import type { Tx } from '#db/tenant.ts';
import type { Rows } from '#http/page.ts';

/** Delivery reports of messages that a location's own gateway accepted. */

export interface DueCheck {
  tenant_id: string;
  id: string;
  gateway_id: string;
  connection: string;
}

/** The next messages to ask about. The pauses grow, and end after a day. Runs under withSystem. */
export const claimChecks = (tx: Tx, limit: number) =>
  tx.many<DueCheck>(sql`
    with due as (
      select tenant_id, id from sms_messages where check_at <= now() order by check_at limit ${limit} for update skip locked),
    taken as (
      update sms_messages m set check_at = case when m.sent_at > now() - interval '1 day'
        then now() + greatest(interval '15 seconds', (now() - m.sent_at) / 2) end
      from due where m.tenant_id = due.tenant_id and m.id = due.id returning m.*)
    select t.tenant_id, t.id, t.gateway_id, i.connection
    from taken t join integrations i on i.tenant_id = t.tenant_id and i.id = t.integration_id`);

export const markDelivered = (tx: Tx, id: string) =>
  tx.run(sql`update sms_messages set state = 'delivered', delivered_at = now(), check_at = null where id = ${id}`);

export const markUndelivered = (tx: Tx, id: string, it: { code: string; message: string }) =>
  tx.run(
    sql`update sms_messages set state = 'failed', problem = ${it.code}, last_error = ${it.message}, check_at = null where id = ${id}`,
  );

export type MessageRow = Omit<SmsMessage, 'error'> & { problem: IntegrationProblem | null; last_error: string | null };

export async function listMessages(
  tx: Tx,
  integrationId: string,
  filter: { page: number; per_page: number; state?: string | undefined },
): Promise<Rows<MessageRow>> {
  const state = filter.state === 'queued' ? 'waiting' : filter.state;
  const where = sql`from sms_messages m where m.integration_id = ${integrationId} ${state ? sql`and m.state = ${state}` : empty}`;
  const [rows, total] = await Promise.all([
    tx.many<MessageRow>(sql`
      select m.id, coalesce(m.recipient, '…') as to, case m.state when 'waiting' then 'queued' else m.state end as state, m.problem,
        m.last_error, m.created_at, m.sent_at, m.delivered_at
      ${where} order by m.id desc ${pageOf(filter)}`),
    countRows(tx, where, filter),
  ]);
  return { rows, total };
}
