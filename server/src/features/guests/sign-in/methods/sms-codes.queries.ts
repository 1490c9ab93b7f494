import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

/** Whose code: of a number, for one device. */
export interface CodeOf {
  readonly locationId: string;
  readonly phoneHash: Buffer;
  readonly mac: string;
}

/** Guests who have any of these in common, a number, a device, come one after another until the transaction ends. */
export const lockGuest = (tx: Tx, ...whats: string[]) =>
  tx.run(sql`
    select pg_advisory_xact_lock(key) from (select distinct lock_key('guest', x) as key from unnest(${whats}::text[]) x order by 1) k`);

/** A new code takes the place of the one before. */
export const putCode = (tx: Tx, of: CodeOf, it: { hash: Buffer; seconds: number }) =>
  tx.run(sql`
    insert into sms_codes (location_id, phone_hash, client_mac, hash, expires_at)
    values (${of.locationId}, ${of.phoneHash}, parse_mac(${of.mac}), ${it.hash}, now() + make_interval(secs => ${it.seconds}))
    on conflict (tenant_id, location_id, phone_hash, client_mac) do update set
      hash = excluded.hash, expires_at = excluded.expires_at, tries = 0`);

const of = (it: CodeOf) =>
  sql`location_id = ${it.locationId} and phone_hash = ${it.phoneHash} and client_mac = parse_mac(${it.mac})`;

/** Whether a code waits that can still be typed. */
export const codeWaits = async (tx: Tx, it: CodeOf): Promise<boolean> =>
  (await tx.maybe(sql`select 1 from sms_codes where ${of(it)} and expires_at > now()`)) !== undefined;

/** Takes one of `most` tries, and answers what the code must hash to; undefined: none waits, or all tries were taken. */
export const tryCode = (tx: Tx, it: CodeOf, most: number) =>
  tx.maybe<{ hash: Buffer }>(sql`
    update sms_codes set tries = tries + 1 where ${of(it)} and expires_at > now() and tries < ${most} returning hash`);

/** A code is good for one sign-in. */
export const dropCode = (tx: Tx, it: CodeOf) => tx.run(sql`delete from sms_codes where ${of(it)}`);

/** Across tenants. */
export const forgetOldCodes = (tx: Tx) =>
  tx.run(sql`delete from sms_codes where expires_at < now() - interval '1 hour'`);
