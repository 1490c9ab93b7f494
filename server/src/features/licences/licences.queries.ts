import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

export interface Ending {
  tenant_id: string;
  slug: string;
  id: string;
  name: string;
  ends_at: string;
  is_trial: boolean;
  /** The remaining days, rounded up; 0 or below if it has ended. */
  days: number;
}

/** Locations whose licence, or trial without one, ends within 30 days or ended within 7. Under withSystem. */
export const listEnding = (tx: Tx) =>
  tx.many<Ending>(sql`
    select l.tenant_id, t.slug, l.id, l.name, e.ends_at, l.license_end_at is null as is_trial,
      ceil(extract(epoch from e.ends_at - now()) / 86400)::int as days
    from locations l join tenants t on t.id = l.tenant_id
    cross join lateral (select coalesce(l.license_end_at, l.trial_end_at) as ends_at) e
    where e.ends_at between now() - interval '7 days' and now() + interval '30 days'`);

export interface Receiver {
  id: string;
  email: string;
  first_name: string;
  language: 'tr' | 'en';
}
export const getReceivers = (tx: Tx, userIds: readonly string[]) =>
  tx.many<Receiver>(sql`select id, email, first_name, language from users where id = any(${userIds})`);

export const getRequester = (tx: Tx, userId: string) =>
  tx.one<{ name: string; email: string }>(
    sql`select trim(first_name || ' ' || last_name) as name, email from users where id = ${userId}`,
  );

/** The location with its reseller, if any. */
export const getCustomer = (tx: Tx, locationId: string) =>
  tx.one<{ name: string; reseller_id: string | null; today: string }>(sql`
    select l.name, u.id as reseller_id, (now() at time zone l.time_zone)::date::text as today
    from locations l left join users u on u.id = l.owner_id and u.role = 'reseller' where l.id = ${locationId}`);

export const listAdmins = (tx: Tx) => tx.many<{ id: string }>(sql`select id from users where role = 'tenant-admin'`);

/** Tells webhooks that a licence is asked for. */
export const tellRequest = (tx: Tx, about: { location_id: string; name: string; years: number }) =>
  tx.run(sql`select queue_webhook_event(current_tenant(), ${about.location_id}::uuid, 'licence.requested',
    ${JSON.stringify(about)}::jsonb)`);
