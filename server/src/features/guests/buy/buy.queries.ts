import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';
import type { Secrets } from '#lib/secrets.ts';

/** The keyed hash by which the code of a receipt is found. */
export const receiptHash = (secrets: Secrets, code: string): Buffer => secrets.index(`receipt:${code}`);

/** The open session of a guest device at its router, of any visitor. */
export const findSessionAt = (tx: Tx, deviceId: string, mac: string) =>
  tx.maybe<{ id: string; visitor_id: string | null }>(sql`
    select id, visitor_id from online_sessions where device_id = ${deviceId} and client_mac = parse_mac(${mac})`);
