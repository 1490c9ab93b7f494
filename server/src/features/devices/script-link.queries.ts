import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';
import { newId } from '#lib/ids.ts';

/** A device has at most one link. A new one replaces the old. */
export const storeScript = (tx: Tx, it: { deviceId: string; hash: Buffer; script: string; minutes: number }) =>
  tx.one<{ expires_at: string }>(sql`
    insert into script_links (tenant_id, id, device_id, hash, script, expires_at)
    select d.tenant_id, ${newId()}, d.id, ${it.hash}, ${it.script}, now() + ${it.minutes}::int * interval '1 minute'
    from devices d where d.id = ${it.deviceId}
    on conflict (tenant_id, device_id) do update
      set hash = excluded.hash, script = excluded.script, expires_at = excluded.expires_at
    returning expires_at`);

/** Reads and deletes the script of a link. The tenant is not known yet: runs under withSystem. */
export const redeemScript = (tx: Tx, hash: Buffer) =>
  tx.maybe<{ script: string }>(
    sql`delete from script_links where hash = ${hash} and expires_at > now() returning script`,
  );

/** Not bound to a tenant: runs under withSystem. */
export const deleteOldScripts = (tx: Tx) => tx.run(sql`delete from script_links where expires_at <= now()`);
