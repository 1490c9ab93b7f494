import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

export interface SecondFactor {
  email: string;
  password_hash: string | null;
  totp_secret: string | null;
  totp_enabled: boolean;
  passkeys: number;
}
export const getSecondFactor = (tx: Tx, userId: string) =>
  tx.one<SecondFactor>(sql`
    select email, password_hash, totp_secret, totp_enabled,
      (select count(*) from passkeys p where p.user_id = u.id) as passkeys
    from users u where id = ${userId}`);

/** A secret that is not in force yet; answers false when a second factor is on already. */
export const proposeSecret = async (tx: Tx, userId: string, secret: string): Promise<boolean> =>
  (await tx.run(
    sql`update users set totp_secret = ${secret}, totp_step = 0 where id = ${userId} and not totp_enabled`,
  )) > 0;

export const enable = async (tx: Tx, userId: string, recoveryCodes: Buffer[]): Promise<boolean> =>
  (await tx.run(sql`
    update users set totp_enabled = true, recovery_codes = ${recoveryCodes}::bytea[], updated_at = now()
    where id = ${userId} and not totp_enabled and totp_secret is not null`)) > 0;

export const disable = (tx: Tx, userId: string) =>
  tx.run(sql`
    update users set totp_enabled = false, totp_secret = null, totp_step = 0, updated_at = now() where id = ${userId}`);

/** Recovery codes end with the last second factor. */
export const dropCodesWithoutFactor = (tx: Tx, userId: string) =>
  tx.run(sql`
    update users u set recovery_codes = '{}'
    where id = ${userId} and not totp_enabled and not exists (select from passkeys p where p.user_id = u.id)`);

/** Deletes every second factor of a user: the app, the passkeys and the recovery codes. */
export async function dropFactors(tx: Tx, userId: string): Promise<void> {
  await tx.run(sql`delete from passkeys where user_id = ${userId}`);
  await disable(tx, userId);
  await dropCodesWithoutFactor(tx, userId);
}

/**
 * Uses up a step: false when it, or a later one, was used before. A step that no code of now can have is of a clock that was ahead,
 * and must not keep its user out until then.
 */
export const takeStep = async (tx: Tx, userId: string, step: number): Promise<boolean> =>
  (await tx.run(
    sql`update users set totp_step = ${step} where id = ${userId} and (totp_step < ${step} or totp_step > ${step + 2})`,
  )) > 0;

/** Uses up the recovery code with one of these hashes and returns how many are left. Undefined when the user has no such code. */
export const takeRecoveryCode = async (tx: Tx, userId: string, hashes: Buffer[]): Promise<number | undefined> =>
  (
    await tx.maybe<{ left: number }>(sql`
      update users set recovery_codes = array(select code from unnest(recovery_codes) code where code <> all(${hashes}::bytea[]))
      where id = ${userId} and recovery_codes && ${hashes}::bytea[] returning cardinality(recovery_codes) as left`)
  )?.left;

/** Replaces the recovery codes: false when no second factor is on. */
export const setRecoveryCodes = async (tx: Tx, userId: string, hashes: Buffer[]): Promise<boolean> =>
  (await tx.run(sql`
    update users u set recovery_codes = ${hashes}::bytea[], updated_at = now()
    where id = ${userId} and (totp_enabled or exists (select from passkeys p where p.user_id = u.id))`)) > 0;
