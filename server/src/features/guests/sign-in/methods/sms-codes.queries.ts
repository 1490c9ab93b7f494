import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

/** A code is valid for one number on one device. */
export interface CodeKey {
  readonly locationId: string;
  readonly phoneHash: Buffer;
  readonly mac: string;
}

/** Serialises transactions that share any of these keys, such as a phone number or a device. */
export const lockGuest = (tx: Tx, ...keys: string[]) =>
  tx.run(sql`
    select pg_advisory_xact_lock(key) from (select distinct lock_key('guest', x) as key from unnest(${keys}::text[]) x order by 1) k`);

/** Stores a code in place of an earlier one. */
export const putCode = (tx: Tx, of: CodeKey, it: { hash: Buffer; seconds: number }) =>
  tx.run(sql`
    insert into sms_codes (location_id, phone_hash, client_mac, hash, expires_at)
    values (${of.locationId}, ${of.phoneHash}, parse_mac(${of.mac}), ${it.hash}, now() + make_interval(secs => ${it.seconds}))
    on conflict (tenant_id, location_id, phone_hash, client_mac) do update set
      hash = excluded.hash, expires_at = excluded.expires_at, tries = 0`);

const of = (it: CodeKey) =>
  sql`location_id = ${it.locationId} and phone_hash = ${it.phoneHash} and client_mac = parse_mac(${it.mac})`;

/** Whether there is a code that has not expired. */
export const codeWaits = async (tx: Tx, it: CodeKey): Promise<boolean> =>
  (await tx.maybe(sql`select 1 from sms_codes where ${of(it)} and expires_at > now()`)) !== undefined;

/** Uses one of the tries, and returns the hash of the code; undefined if there is no code or no try left. */
export const tryCode = (tx: Tx, it: CodeKey, maxTries: number) =>
  tx.maybe<{ hash: Buffer }>(sql`
    update sms_codes set tries = tries + 1 where ${of(it)} and expires_at > now() and tries < ${maxTries} returning hash`);

interface UsedCode {
  readonly expires_at: string;
  readonly tries: number;
}

/** A code is valid for one sign-in. Undefined: it was used, or replaced by another one. */
export const dropCode = (tx: Tx, it: CodeKey, hash: Buffer) =>
  tx.maybe<UsedCode>(sql`delete from sms_codes where ${of(it)} and hash = ${hash} returning expires_at::text, tries`);

/** Makes a used code valid again, unless another one was sent since. */
export const giveCodeBack = (tx: Tx, it: CodeKey, hash: Buffer, { expires_at, tries }: UsedCode) =>
  tx.run(sql`
    insert into sms_codes (location_id, phone_hash, client_mac, hash, expires_at, tries)
    values (${it.locationId}, ${it.phoneHash}, parse_mac(${it.mac}), ${hash}, ${expires_at}::timestamptz, ${tries})
    on conflict (tenant_id, location_id, phone_hash, client_mac) do nothing`);

/** Runs under withSystem. */
export const forgetOldCodes = (tx: Tx) =>
  tx.run(sql`delete from sms_codes where expires_at < now() - interval '1 hour'`);
