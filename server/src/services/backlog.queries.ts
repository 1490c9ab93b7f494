import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

/** The waiting items of a queue, and the age of the oldest due item. */
export interface Backlog {
  readonly queue: string;
  readonly items: number;
  readonly age: number;
}

/** Each part reads a small partial index. */
export const countBacklogs = (tx: Tx): Promise<Backlog[]> =>
  tx.many<Backlog & Record<string, unknown>>(sql`
    select queue, count(due)::int as items, coalesce(extract(epoch from now() - min(due)), 0)::float8 as age from (
      select 'mails' as queue, next_at as due from outbox_mails where state = 'waiting' and next_at <= now()
      union all select 'sms', next_at from sms_messages where state = 'waiting' and next_at <= now()
      union all select 'webhooks', next_at from webhook_deliveries where state = 'waiting' and next_at <= now()
      union all select 'push', greatest(b.next_at, n.created_at) from push_notices p
        join push_browsers b on b.tenant_id = p.tenant_id and b.id = p.browser_id
        join notifications n on n.tenant_id = p.tenant_id and n.id = p.notification_id where b.next_at <= now()
      union all select 'session_commands', requested_at from session_commands where state = 'requested'
      union all select 'router_commands', next_at from router_commands where state in ('queued', 'sent') and next_at <= now()
      union all select 'log_counts', created_at from log_outbox
      union all select 'room_charges', created_at from room_charges c where state in ('waiting', 'sent') and next_at <= now()
        and not exists (select from room_charges o where o.tenant_id = c.tenant_id and o.id = c.takes_back and o.state <> 'posted')
      union all select 'imports', progress_at from visitor_imports where state = 'running'
      union all select 'imports', progress_at from visitor_imports where state = 'reading'
      union all select unnest(array['mails', 'sms', 'webhooks', 'push', 'session_commands', 'router_commands', 'log_counts',
        'room_charges', 'imports']), null
    ) waiting group by queue`);

/** Money of which only a person can say where it is, by what happened to it. Each part reads a small partial index. */
export const countDoubts = (tx: Tx): Promise<{ problem: string; items: number }[]> =>
  tx.many<{ problem: string; items: number }>(sql`
    select problem, count(at)::int as items from (
      select 'refused' as problem, created_at as at from purchases where state = 'refused'
      union all select 'refused', created_at from licence_payments where state = 'refused'
      union all select 'refunding', updated_at from purchases where state = 'refunding' and updated_at < now() - interval '1 hour'
      union all select 'refunding', updated_at from licence_payments
        where state = 'refunding' and updated_at < now() - interval '1 hour'
      union all select 'room', created_at from room_charges where state = 'unknown'
      union all select unnest(array['refused', 'refunding', 'room']), null
    ) doubtful group by problem`);

/** Sessions with a packet within three interim intervals, as on the dashboard. */
export const countOnline = async (tx: Tx): Promise<number> =>
  (
    await tx.one<{ n: number }>(sql`
      select count(*)::int as n from online_sessions where updated_at > now() - make_interval(secs => interim * 3)`)
  ).n;
