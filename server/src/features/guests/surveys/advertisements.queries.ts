import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

/** An embed code of the portals that a device shows: its location's and its networks'. */
export const findEmbedCode = (tx: Tx, deviceId: string, adId: string) =>
  tx.maybe<{ name: string; embed_code: string }>(sql`
    select a.name, a.embed_code from portal_ads a
    where a.id = ${adId} and a.type = 'embed' and a.portal_id in (
      select l.portal_id from devices d join locations l on l.id = d.location_id where d.id = ${deviceId}
      union select n.portal_id from networks n where n.device_id = ${deviceId})`);
