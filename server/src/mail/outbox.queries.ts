import type { ShippedLanguage } from '@portico/contract/portal-languages.ts';
import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

export async function insertMail(
  tx: Tx,
  mail: {
    id: string;
    address: string;
    language: string;
    template: string;
    data: string;
    locationId: string | null;
    minutes: number | null;
  },
): Promise<void> {
  await tx.run(sql`
    insert into outbox_mails (id, address, language, template, data, location_id, expires_at)
    values (${mail.id}, ${mail.address}, ${mail.language}, ${mail.template}, ${mail.data}, ${mail.locationId},
      now() + make_interval(mins => ${mail.minutes}))`);
}

/** The mails of this tenant in the last day, counted up to `most`. Notices to its own users have a limit of their own. */
export const countMails = async (tx: Tx, most: number): Promise<number> =>
  (
    await tx.one<{ mails: number }>(sql`
      select count(*) as mails from (
        select 1 from outbox_mails where created_at > now() - interval '1 day' and template <> 'notices' limit ${most}) m`)
  ).mails;

/** The tenants with so many mails in the last day. Runs under withSystem. */
export const listBusyTenants = (tx: Tx, least: number) =>
  tx.many<{ tenant_id: string; mails: number }>(sql`
    select tenant_id, count(*) as mails from outbox_mails
    where created_at > now() - interval '1 day' and template <> 'notices' group by tenant_id having count(*) >= ${least}`);

export interface DueMail {
  tenant_id: string;
  id: string;
  /** The location whose mail server sends it, if it has one. */
  location_id: string | null;
  address: string;
  language: ShippedLanguage;
  template: string;
  data: string;
  attempts: number;
  slug: string;
  brand_name: string;
  primary_color: string;
  landing_logo: string | null;
}

/** Gives up the mails whose code has expired. Returns how many. Runs under withSystem. */
export const dropExpired = async (tx: Tx): Promise<number> =>
  (
    await tx.many(sql`
      update outbox_mails set state = 'failed', data = null, last_error = 'The code expired before it was sent'
      where state = 'waiting' and next_at <= now() and expires_at <= now() returning 1`)
  ).length;

/**
 * Claims due mails for the next `seconds`, without those of the servers in `busy`: ids of locations, and '' for all without
 * a location. If this process ends, another one claims them after that time. Runs under withSystem.
 */
export const claimDueMails = (tx: Tx, limit: number, seconds: number, busy: readonly string[]) =>
  tx.many<DueMail>(sql`
    with due as (
      select tenant_id, id from outbox_mails where state = 'waiting' and next_at <= now() and coalesce(location_id::text, '') <> all(${busy})
        and (expires_at is null or expires_at > now())
      order by next_at limit ${limit} for update skip locked)
    update outbox_mails m set attempts = attempts + 1, next_at = now() + make_interval(secs => ${seconds})
    from due join tenants t on t.id = due.tenant_id
    where m.tenant_id = due.tenant_id and m.id = due.id
    returning m.tenant_id, m.id, m.location_id, m.address, m.language, m.template, m.data, m.attempts,
      t.slug, t.brand_name, t.primary_color, t.landing_logo`);

export const markSent = (tx: Tx, mail: DueMail) =>
  tx.run(sql`update outbox_mails set state = 'sent', sent_at = now(), data = null, last_error = null
    where tenant_id = ${mail.tenant_id} and id = ${mail.id}`);

export const markFailed = (tx: Tx, mail: DueMail, error: string) =>
  tx.run(sql`update outbox_mails set state = 'failed', data = null, last_error = ${error}
    where tenant_id = ${mail.tenant_id} and id = ${mail.id}`);

export const postpone = (tx: Tx, mail: DueMail, error: string, seconds: number) =>
  tx.run(sql`update outbox_mails set next_at = now() + make_interval(secs => ${seconds}), last_error = ${error}
    where tenant_id = ${mail.tenant_id} and id = ${mail.id}`);

/** Gives claimed mails back untried. They are due again after the pause. */
export const giveBack = (tx: Tx, mails: readonly DueMail[], seconds: number) =>
  tx.run(sql`update outbox_mails m set attempts = attempts - 1, next_at = now() + make_interval(secs => ${seconds})
    from unnest(${mails.map(it => it.tenant_id)}::uuid[], ${mails.map(it => it.id)}::uuid[]) as given (tenant_id, id)
    where m.tenant_id = given.tenant_id and m.id = given.id`);

export const forgetOldMails = (tx: Tx) =>
  tx.run(sql`delete from outbox_mails where state <> 'waiting' and created_at < now() - interval '30 days'`);
