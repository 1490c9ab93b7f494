import sql, { type Sql } from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';
import type { Rights } from './rights.ts';

export interface RequestKey {
  readonly userId: string;
  readonly key: string;
}

/** Takes a key for the first attempt at a request by this process; false if it is taken already. A key is free again after a day. */
export async function takeKey(
  tx: Tx,
  { userId, key }: RequestKey,
  { request, rights, process }: { request: Buffer; rights: Rights; process: number | null },
): Promise<boolean> {
  await tx.run(sql`delete from idempotent_replies
    where user_id = ${userId} and key = ${key} and created_at < now() - interval '24 hours'`);
  const taken = await tx.run(sql`insert into idempotent_replies (user_id, key, request, rights, process)
    values (${userId}, ${key}, ${request}, ${rights}, ${process}) on conflict do nothing`);
  return taken === 1;
}

export interface StoredReply {
  readonly request: Buffer;
  /** Null while the first request has no answer. */
  readonly status: number | null;
  readonly reply: string | null;
  /** Null if an earlier version took the key. */
  readonly rights: Rights | null;
}

export const findReply = (tx: Tx, { userId, key }: RequestKey): Promise<StoredReply | undefined> =>
  tx.maybe<StoredReply & Record<string, unknown>>(
    sql`select request, status, reply, rights from idempotent_replies where user_id = ${userId} and key = ${key}`,
  );

/** One process's work on a request. */
export interface Attempt extends RequestKey {
  readonly attempt: number;
}

const isMine = ({ userId, key, attempt }: Attempt): Sql =>
  sql`user_id = ${userId} and key = ${key} and attempt = ${attempt}`;

/**
 * Takes the key for `process` from an attempt whose process died, or has said nothing for a minute. Returns the new attempt's
 * number, or `done` if the earlier one committed something. An attempt that lost its key cannot commit any more.
 */
export async function takeOver(
  tx: Tx,
  { userId, key }: RequestKey,
  process: number | null,
): Promise<number | 'done' | undefined> {
  const old = await tx.maybe<{ attempt: number; process: number | null; silent: boolean }>(sql`
    select attempt, process, begun_at < now() - interval '1 minute' as silent from idempotent_replies
    where user_id = ${userId} and key = ${key} and status is null for update skip locked`);
  if (!old) return undefined;
  if (!old.silent && (old.process === null || !(await isGone(tx, old.process)))) return undefined;
  // A statement of its own: it sees what was committed until the row was locked.
  const work = await tx.maybe(sql`select 1 from idempotent_work where user_id = ${userId} and key = ${key} limit 1`);
  if (work) return 'done';
  await tx.run(sql`update idempotent_replies set attempt = attempt + 1, begun_at = now(), process = ${process}
    where user_id = ${userId} and key = ${key}`);
  return old.attempt + 1;
}

/** A process holds a lock of its number as long as it is connected. */
const isGone = async (tx: Tx, process: number): Promise<boolean> =>
  (
    await tx.one<{ gone: boolean }>(
      sql`select pg_try_advisory_xact_lock(hashtext('portico process'), ${process}) as gone`,
    )
  ).gone;

/** Tells that the process of an attempt is alive, so that the attempt keeps its key however long it takes. */
export const keepKey = (tx: Tx, at: Attempt, process: number | null): Promise<number> =>
  tx.run(
    sql`update idempotent_replies set begun_at = now(), process = ${process} where ${isMine(at)} and status is null and begun_at > '-infinity'`,
  );

/** Notes, at the end of a transaction that changed something, that it is committed. False if the attempt lost its key. */
export async function noteWork(tx: Tx, at: Attempt): Promise<boolean> {
  const { wrote } = await tx.one<{ wrote: boolean }>(sql`select pg_current_xact_id_if_assigned() is not null as wrote`);
  if (!wrote) return true;
  const noted = await tx.run(sql`
    with mine as (select user_id, key from idempotent_replies where ${isMine(at)} for share)
    insert into idempotent_work (user_id, key) select user_id, key from mine`);
  return noted === 1;
}

export const storeReply = (tx: Tx, at: Attempt, status: number, reply: string): Promise<number> =>
  tx.run(sql`update idempotent_replies set status = ${status}, reply = ${reply} where ${isMine(at)}`);

export const freeKey = (tx: Tx, at: Attempt): Promise<number> =>
  tx.run(sql`delete from idempotent_replies where ${isMine(at)}`);

/** Frees the key of an attempt that failed. If it committed something, the key stays, and its answer counts as lost at once. */
export async function freeUnlessDone(tx: Tx, at: Attempt): Promise<void> {
  if (!(await tx.maybe(sql`select 1 from idempotent_replies where ${isMine(at)} for update`))) return;
  // A statement of its own: it sees what was committed until the row was locked.
  const work = await tx.maybe(
    sql`select 1 from idempotent_work where user_id = ${at.userId} and key = ${at.key} limit 1`,
  );
  if (work) await tx.run(sql`update idempotent_replies set begun_at = '-infinity' where ${isMine(at)}`);
  else await freeKey(tx, at);
}

export const deleteOldReplies = (tx: Tx): Promise<number> =>
  tx.run(sql`delete from idempotent_replies where created_at < now() - interval '24 hours'`);
