import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

export interface Forgetful {
  id: string;
  first_name: string;
  email: string;
  language: 'tr' | 'en';
}
export const findForgetful = (tx: Tx, email: string) =>
  tx.maybe<Forgetful>(sql`select id, first_name, email, language from users where email = ${email}`);

/** Puts a new code in place of the old one; false when `most` were sent within the hour. */
export const putCode = async (
  tx: Tx,
  userId: string,
  code: { hash: Buffer; minutes: number; maxPerHour: number },
): Promise<boolean> =>
  (await tx.run(sql`
    insert into reset_codes as c (user_id, hash, expires_at)
    values (${userId}, ${code.hash}, now() + make_interval(mins => ${code.minutes}))
    on conflict (tenant_id, user_id) do update set
      hash = excluded.hash, attempts = 0, expires_at = excluded.expires_at,
      sent = case when c.sent_since < now() - interval '1 hour' then 1 else c.sent + 1 end,
      sent_since = case when c.sent_since < now() - interval '1 hour' then now() else c.sent_since end
    where c.sent < ${code.maxPerHour} or c.sent_since < now() - interval '1 hour'`)) > 0;

/** Counts a try and answers the code's hash; nothing when there is no code, it is over, or `most` tries were made. */
export const takeTry = (tx: Tx, email: string, maxAttempts: number) =>
  tx.maybe<{ user_id: string; hash: Buffer }>(sql`
    update reset_codes c set attempts = attempts + 1 from users u
    where u.email = ${email} and c.user_id = u.id and c.attempts < ${maxAttempts} and c.expires_at > now()
    returning c.user_id, c.hash`);

/** Uses the code up; false when it was used meanwhile. The row stays, as it counts the codes of the hour. */
export const useCode = async (tx: Tx, userId: string, hash: Buffer): Promise<boolean> =>
  (await tx.run(sql`
    update reset_codes set expires_at = now() where user_id = ${userId} and hash = ${hash} and expires_at > now()`)) >
  0;
