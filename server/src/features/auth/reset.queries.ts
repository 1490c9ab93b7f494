import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

export interface ResetUser {
  id: string;
  first_name: string;
  email: string;
  language: 'tr' | 'en';
}
export const findUserByEmail = (tx: Tx, email: string) =>
  tx.maybe<ResetUser>(sql`select id, first_name, email, language from users where email = ${email}`);

/** Replaces the code of a source with a new one; false when `maxPerHour` were sent within the hour. */
export const putCode = async (
  tx: Tx,
  userId: string,
  code: { source: Buffer; hash: Buffer; minutes: number; maxPerHour: number },
): Promise<boolean> =>
  (await tx.run(sql`
    insert into reset_codes as c (user_id, source, hash, expires_at)
    values (${userId}, ${code.source}, ${code.hash}, now() + make_interval(mins => ${code.minutes}))
    on conflict (tenant_id, user_id, source) do update set
      hash = excluded.hash, attempts = 0, expires_at = excluded.expires_at,
      sent = case when c.sent_since < now() - interval '1 hour' then 1 else c.sent + 1 end,
      sent_since = case when c.sent_since < now() - interval '1 hour' then now() else c.sent_since end
    where c.sent < ${code.maxPerHour} or c.sent_since < now() - interval '1 hour'`)) > 0;

export interface LiveCode {
  user_id: string;
  hash: Buffer;
}

/** Counts a try at the code of a source and returns its hash; nothing without a valid code, or after `maxAttempts`. */
export const takeTry = (tx: Tx, email: string, source: Buffer, maxAttempts: number) =>
  tx.maybe<LiveCode>(sql`
    update reset_codes c set attempts = attempts + 1 from users u
    where u.email = ${email} and c.user_id = u.id and c.source = ${source} and c.attempts < ${maxAttempts} and c.expires_at > now()
    returning c.user_id, c.hash`);

/** The valid codes that other sources asked for. */
export const listOtherCodes = (tx: Tx, email: string, source: Buffer) =>
  tx.many<LiveCode>(sql`
    select c.user_id, c.hash from reset_codes c join users u on u.id = c.user_id
    where u.email = ${email} and c.source <> ${source} and c.expires_at > now()`);

/**
 * Uses the code up; false if it was used in the meantime. The row stays, because it counts the codes of the hour. The end is
 * well in the past, because `now()` of a transaction that began earlier is before that of this one.
 */
export const useCode = async (tx: Tx, userId: string, hash: Buffer): Promise<boolean> =>
  (await tx.run(sql`
    update reset_codes set expires_at = now() - interval '1 hour'
    where user_id = ${userId} and hash = ${hash} and expires_at > now()`)) > 0;

/** Under withSystem. */
export const forgetOldCodes = (tx: Tx) =>
  tx.run(sql`delete from reset_codes where expires_at < now() - interval '1 day'`);
