import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

export interface RequestKey {
  readonly userId: string;
  readonly key: string;
}

/** Takes a key for a request; false if it is taken already. A key is free again after a day. */
export async function takeKey(tx: Tx, { userId, key }: RequestKey, request: Buffer): Promise<boolean> {
  await tx.run(sql`delete from idempotent_replies
    where user_id = ${userId} and key = ${key} and created_at < now() - interval '24 hours'`);
  const taken = await tx.run(sql`insert into idempotent_replies (user_id, key, request)
    values (${userId}, ${key}, ${request}) on conflict do nothing`);
  return taken === 1;
}

export interface StoredReply {
  readonly request: Buffer;
  /** Null while the first request has no answer. */
  readonly status: number | null;
  readonly reply: string | null;
}

export const findReply = (tx: Tx, { userId, key }: RequestKey): Promise<StoredReply | undefined> =>
  tx.maybe<StoredReply & Record<string, unknown>>(
    sql`select request, status, reply from idempotent_replies where user_id = ${userId} and key = ${key}`,
  );

export const storeReply = (tx: Tx, { userId, key }: RequestKey, status: number, reply: string): Promise<number> =>
  tx.run(
    sql`update idempotent_replies set status = ${status}, reply = ${reply} where user_id = ${userId} and key = ${key}`,
  );

export const freeKey = (tx: Tx, { userId, key }: RequestKey): Promise<number> =>
  tx.run(sql`delete from idempotent_replies where user_id = ${userId} and key = ${key}`);

export const deleteOldReplies = (tx: Tx): Promise<number> =>
  tx.run(sql`delete from idempotent_replies where created_at < now() - interval '24 hours'`);
