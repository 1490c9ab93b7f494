import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';
import { keepRebuildsAway } from './finished-months.queries.ts';

/** Sessions and guest devices are personal data; daily counts are not. All functions work across tenants. */

/** Every part of a query contains this condition, so that PostgreSQL reads the old partitions only. */
const before = (days: number) => sql`now() - make_interval(days => ${days})`;

/** Deletes some of the sessions that ended before the limit, and returns their number. Their days cannot be computed again. */
export async function deleteSessions(tx: Tx, { days, limit }: { days: number; limit: number }): Promise<number> {
  const row = await tx.one<{ deleted: number }>(sql`
    with gone as (
      delete from session_history where started_at < ${before(days)} and (tenant_id, id, started_at) in (
        select tenant_id, id, started_at from session_history
        where started_at < ${before(days)} and ended_at < ${before(days)} limit ${limit})
      returning tenant_id, id, location_id, ended_at
    ), parts as (
      delete from session_parts p using gone g where p.tenant_id = g.tenant_id and p.session_id = g.id
    ), addresses as (
      delete from session_addresses a using gone g where a.tenant_id = g.tenant_id and a.session_id = g.id
    ), commands as (
      delete from session_commands k using gone g where k.tenant_id = g.tenant_id and k.session_id = g.id
    ), since as (
      insert into figures_since as f (tenant_id, location_id, day)
      select g.tenant_id, g.location_id, (max(g.ended_at) at time zone 'UTC')::date + 2
      from gone g join locations l on l.tenant_id = g.tenant_id and l.id = g.location_id
      group by 1, 2
      on conflict (tenant_id, location_id) do update set day = greatest(f.day, excluded.day)
    )
    select count(*)::int as deleted from gone`);
  return row!.deleted;
}

/** Drops the partitions of months without sessions. The next run does it if indexes are rebuilt now. */
export async function dropEmptyMonths(tx: Tx): Promise<void> {
  if (await keepRebuildsAway(tx)) await tx.run(sql`select drop_empty_partitions()`);
}

/**
 * Deletes guest devices whose latest session is deleted. One in the archive goes by its start, so hours before a session that went
 * on over the limit.
 */
export const deleteGuestDevices = (tx: Tx, days: number): Promise<number> =>
  tx.run(sql`
    delete from guest_devices g where g.session_started_at < ${before(days)}
      and not exists (select from online_sessions o where o.tenant_id = g.tenant_id and o.id = g.session_id)
      and not exists (select from session_history h where h.started_at < ${before(days)}
        and h.tenant_id = g.tenant_id and h.id = g.session_id and h.started_at = g.session_started_at)`);
