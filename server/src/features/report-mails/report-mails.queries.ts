import type { ReportMail, ReportMailForm } from '@portico/contract/report-mails.ts';
import sql, { empty, type Sql } from 'sql-template-tag';
import { countRows, pageOf } from '#db/list.ts';
import { andLocation, assignments, type Scope } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';
import type { Rows } from '#http/page.ts';

const columns = sql`
  r.id, r.location_id, json_build_object('id', l.id, 'name', l.name) as location, r.name, r.frequency, r.reports, r.recipients, r.language,
  r.with_names, r.is_active, r.last_sent_at, r.created_at`;
const from = sql`from report_mails r join locations l on l.id = r.location_id`;
/** The local day on which the current week (from Monday) or month began. */
const periodStart = (frequency: Sql, zone: Sql): Sql =>
  sql`date_trunc(case ${frequency} when 'weekly' then 'week' else 'month' end, now() at time zone ${zone})::date`;

export async function listReportMails(
  tx: Tx,
  scope: Scope,
  at: { page: number; per_page: number },
): Promise<Rows<ReportMail>> {
  const found = sql`${from} where true ${andLocation(scope, sql`r.location_id`)}`;
  const [rows, total] = await Promise.all([
    tx.many<ReportMail>(sql`select ${columns} ${found} order by r.id desc ${pageOf(at)}`),
    countRows(tx, found, at),
  ]);
  return { rows, total };
}

export const findReportMail = (tx: Tx, scope: Scope, id: string, lock?: 'lock') =>
  tx.maybe<ReportMail>(
    sql`select ${columns} ${from} where r.id = ${id} ${andLocation(scope, sql`r.location_id`)} ${lock ? sql`for update of r` : empty}`,
  );

type Values = Omit<ReportMailForm, 'location_id'> & { with_names: boolean };

export const insertReportMail = (tx: Tx, id: string, locationId: string, it: Values) =>
  tx.run(sql`
    insert into report_mails (id, location_id, name, frequency, reports, recipients, language, with_names, is_active, done_until)
    select ${id}, l.id, ${it.name}, ${it.frequency}, ${it.reports}, ${it.recipients}, ${it.language}, ${it.with_names}, ${it.is_active},
      ${periodStart(sql`${it.frequency}::text`, sql`l.time_zone`)}
    from locations l where l.id = ${locationId}`);

/** If the frequency changes or the report is resumed, it starts with the current week or month. Older periods are not sent. */
export const updateReportMail = (tx: Tx, id: string, values: Values) =>
  tx.run(sql`
    update report_mails r set ${assignments({ ...values })}, done_until = case
        when r.frequency <> ${values.frequency} or (${values.is_active} and not r.is_active)
        then greatest(r.done_until, ${periodStart(sql`${values.frequency}::text`, sql`l.time_zone`)}) else r.done_until end
    from locations l where l.id = r.location_id and r.id = ${id}`);

export const deleteReportMail = (tx: Tx, id: string) => tx.run(sql`delete from report_mails where id = ${id}`);

/** Reports whose week or month ended six hours ago, so that late accounting packets are included. Across tenants. */
export const listDue = (tx: Tx) =>
  tx.many<{ tenant_id: string; id: string }>(sql`
    select r.tenant_id, r.id from report_mails r join locations l on l.tenant_id = r.tenant_id and l.id = r.location_id
    where r.is_active and r.done_until < (now() + interval '1 day')::date
      and r.done_until < date_trunc(case r.frequency when 'weekly' then 'week' else 'month' end,
        (now() - interval '6 hours') at time zone l.time_zone)::date
    limit 200`);

export interface DueMail {
  id: string;
  location_id: string;
  location: string;
  time_zone: string;
  name: string;
  frequency: 'weekly' | 'monthly';
  reports: ('visits' | 'sessions' | 'sales')[];
  recipients: string[];
  language: 'tr' | 'en';
  with_names: boolean;
  slug: string;
  /** The first and the last local day of the period. */
  first_day: string;
  last_day: string;
}

/** Claims the last complete period, in the transaction that mails it. Undefined if another process has claimed it. */
export const claimDue = (tx: Tx, id: string) =>
  tx.maybe<DueMail>(sql`
    with p as (
      select r.id, ${periodStart(sql`r.frequency`, sql`l.time_zone`)} as until, l.name as location, l.time_zone
      ${from} where r.id = ${id} and r.is_active)
    update report_mails r set done_until = p.until, last_sent_at = now()
    from p, tenants t
    where r.id = p.id and t.id = current_tenant() and r.done_until < p.until
    returning r.id, r.location_id, p.location, p.time_zone, r.name, r.frequency, r.reports, r.recipients, r.language, r.with_names, t.slug,
      (p.until - case r.frequency when 'weekly' then interval '7 days' else interval '1 month' end)::date::text as first_day,
      (p.until - 1)::text as last_day`);
