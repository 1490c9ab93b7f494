import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

export type Whose = { readonly userId: string } | { readonly visitorId: string };

/** A new link takes the place of those that wait. */
export async function insertConfirmation(
  tx: Tx,
  it: { id: string; whose: Whose; email: string; hash: Buffer; hours: number },
): Promise<void> {
  const userId = 'userId' in it.whose ? it.whose.userId : null;
  const visitorId = 'visitorId' in it.whose ? it.whose.visitorId : null;
  await tx.run(sql`delete from email_confirmations where confirmed_at is null
    and (user_id = ${userId}::uuid or visitor_id = ${visitorId}::uuid)`);
  await tx.run(sql`
    insert into email_confirmations (id, user_id, visitor_id, email, hash, expires_at)
    values (${it.id}, ${userId}, ${visitorId}, ${it.email}, ${it.hash}, now() + make_interval(hours => ${it.hours}))`);
}

export interface Confirmation {
  id: string;
  user_id: string | null;
  visitor_id: string | null;
  email: string;
  confirmed: boolean;
  expired: boolean;
}
export const lockConfirmation = (tx: Tx, hash: Buffer) =>
  tx.maybe<Confirmation>(sql`
    select id, user_id, visitor_id, email, confirmed_at is not null as confirmed, expires_at <= now() as expired
    from email_confirmations where hash = ${hash} for update`);

export const markConfirmed = (tx: Tx, id: string) =>
  tx.run(sql`update email_confirmations set confirmed_at = now() where id = ${id}`);

/** An address that waits for its confirmation is no longer wanted. */
export const dropPending = (tx: Tx, userId: string) =>
  tx.run(sql`delete from email_confirmations where user_id = ${userId} and confirmed_at is null`);

/** Under withSystem. */
export const forgetOldConfirmations = (tx: Tx) =>
  tx.run(sql`delete from email_confirmations where expires_at < now() - interval '30 days'`);
