import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';
import { announceLocations } from '#features/notifications/public.ts';

/** Notifies the locations of these devices that their sessions changed. Runs under withSystem. */
export const notifyChanged = (tx: Tx, devices: readonly { id: string; tenant: string }[]) =>
  announceLocations(
    tx,
    'sessions',
    sql`
      select d.tenant_id, d.location_id
      from jsonb_to_recordset(${JSON.stringify(devices)}::jsonb) c (id uuid, tenant uuid)
      join devices d on d.tenant_id = c.tenant and d.id = c.id`,
  );
