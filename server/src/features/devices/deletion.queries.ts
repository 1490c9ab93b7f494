import sql from 'sql-template-tag';
import { andDevice, type Scope } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';

/**
 * These devices are about to be deleted and take no guests any more, see device_refusal(). Locked in the order of lockDevices(), so
 * that two deletions cannot deadlock.
 */
export const refuseGuests = (
  tx: Tx,
  scope: Scope,
  at: { readonly deviceIds: readonly string[] } | { readonly locationId: string },
) =>
  tx.run(sql`
    update devices set deleting_at = now()
    where id in (
      select d.id from devices d
      where ${'deviceIds' in at ? sql`d.id = any(${at.deviceIds})` : sql`d.location_id = ${at.locationId}`}
        ${andDevice(scope, sql`d.location_id`, sql`d.id`)}
      order by d.id for no key update)`);
