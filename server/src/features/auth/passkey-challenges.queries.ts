import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

export type Purpose = 'register' | 'sign-in' | 'second-factor';

export interface Challenge {
  user_id: string | null;
  host: string;
  challenge: string;
}

export async function insertChallenge(
  tx: Tx,
  it: Challenge & { browser: Buffer; purpose: Purpose; minutes: number },
): Promise<void> {
  await tx.run(sql`
    insert into passkey_challenges (browser, purpose, user_id, host, challenge, expires_at)
    values (${it.browser}, ${it.purpose}, ${it.user_id}, ${it.host}, ${it.challenge}, now() + make_interval(mins => ${it.minutes}))`);
}

/** Uses up the challenge of a browser; undefined without a valid one. */
export async function takeChallenge(tx: Tx, browser: Buffer, purpose: Purpose): Promise<Challenge | undefined> {
  const row = await tx.maybe<Challenge & { valid: boolean }>(sql`
    delete from passkey_challenges where browser = ${browser} and purpose = ${purpose}
    returning user_id, host, challenge, expires_at > now() as valid`);
  return row?.valid ? row : undefined;
}

/** Under withSystem. */
export const forgetOldChallenges = (tx: Tx) => tx.run(sql`delete from passkey_challenges where expires_at < now()`);
