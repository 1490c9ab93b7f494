import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

export type Whose = { readonly userId: string } | { readonly visitorId: string };

/** A new link takes the place of those that wait; a guest may also open an earlier mail to the same address. */
export async function insertConfirmation(
  tx: Tx,
  it: { id: string; whose: Whose; email: string; hash: Buffer; hours: number },
): Promise<void> {
  const userId = 'userId' in it.whose ? it.whose.userId : null;
  const visitorId = 'visitorId' in it.whose ? it.whose.visitorId : null;
  await tx.run(sql`delete from email_confirmations where confirmed_at is null
    and (user_id = ${userId}::uuid or (visitor_id = ${visitorId}::uuid and email <> ${it.email}))`);
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
  /** The visitor has another address by now. */
  moved: boolean;
}
export const lockConfirmation = (tx: Tx, hash: Buffer) =>
  tx.maybe<Confirmation>(sql`
    select id, user_id, visitor_id, email, confirmed_at is not null as confirmed, expires_at <= now() as expired,
      visitor_id is not null and not exists (
        select from visitors v where v.id = c.visitor_id and lower(v.email) = lower(c.email)) as moved
    from email_confirmations c where hash = ${hash} for update`);

export const markConfirmed = (tx: Tx, id: string) =>
  tx.run(sql`update email_confirmations set confirmed_at = now() where id = ${id}`);

/** Deletes a user's waiting change of address. A new user's first confirmation stays. */
export const dropAddressChange = (tx: Tx, userId: string) =>
  tx.run(sql`
    delete from email_confirmations c using users u
    where u.id = ${userId} and c.user_id = u.id and c.confirmed_at is null and c.email <> u.email`);

/** Makes the codes and links invalid that a user, or someone with an old session of theirs, has asked for. */
export async function dropPending(tx: Tx, userId: string): Promise<void> {
  await dropAddressChange(tx, userId);
  await tx.run(sql`
    update reset_codes set expires_at = now() - interval '1 hour' where user_id = ${userId} and expires_at > now()`);
}

/** Under withSystem. */
export const forgetOldConfirmations = (tx: Tx) =>
  tx.run(sql`delete from email_confirmations where expires_at < now() - interval '30 days'`);
