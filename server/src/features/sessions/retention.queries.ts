import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

/** Sessions and guest devices are personal data; daily counts are not. All functions work across tenants. */

/** Every part of a query contains this condition, so that PostgreSQL reads the old partitions only. */
const before = (days: number) => sql`now() - make_interval(days => ${days})`;

/** Deletes some of the sessions that ended before the limit. Returns their number. */
export const deleteSessions = (tx: Tx, { days, limit }: { days: number; limit: number }): Promise<number> =>
  tx.run(sql`
    delete from session_history where started_at < ${before(days)} and (tenant_id, id, started_at) in (
      select tenant_id, id, started_at from session_history
      where started_at < ${before(days)} and ended_at < ${before(days)} limit ${limit})`);

/** Drops the partitions of months without sessions. */
export const dropEmptyMonths = (tx: Tx) => tx.run(sql`select drop_empty_partitions()`);

/** Deletes guest devices whose latest session is deleted. */
export const deleteGuestDevices = (tx: Tx, days: number): Promise<number> =>
  tx.run(sql`
    delete from guest_devices g where g.session_started_at < ${before(days)}
      and not exists (select from online_sessions o where o.tenant_id = g.tenant_id and o.id = g.session_id)
      and not exists (select from session_history h where h.started_at < ${before(days)}
        and h.tenant_id = g.tenant_id and h.id = g.session_id and h.started_at = g.session_started_at)`);
