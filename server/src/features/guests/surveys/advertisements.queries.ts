import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

/**
 * Of the portals that a device shows: its location's, its networks', and those of periods. A page may be open when its period
 * ends, so all periods count.
 */
const shownAt = (deviceId: string) => sql`a.portal_id in (
      select l.portal_id from devices d join locations l on l.id = d.location_id where d.id = ${deviceId}
      union select n.portal_id from networks n where n.device_id = ${deviceId}
      union select (p.it->>'portal_id')::uuid from devices d join locations l on l.id = d.location_id
        cross join lateral jsonb_array_elements(d.portal_periods || l.portal_periods) as p(it) where d.id = ${deviceId})`;

/** An embed code of one of them. */
export const findEmbedCode = (tx: Tx, deviceId: string, adId: string) =>
  tx.maybe<{ name: string; embed_code: string }>(sql`
    select a.name, a.embed_code from portal_ads a
    where a.id = ${adId} and a.type = 'embed' and ${shownAt(deviceId)}`);

/** The link of an advertisement, likewise. */
export const findAdLink = (tx: Tx, deviceId: string, adId: string) =>
  tx.maybe<{ link: string }>(sql`
    select a.link from portal_ads a where a.id = ${adId} and a.type = 'image' and a.link is not null and ${shownAt(deviceId)}`);
