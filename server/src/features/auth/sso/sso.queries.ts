import type { SsoLink } from '@portico/contract/sso.ts';
import sql, { empty } from 'sql-template-tag';
import { textMatches } from '#db/list.ts';
import type { Tx } from '#db/tenant.ts';
import type { Rows } from '#http/page.ts';

export const insertAttempt = (tx: Tx, it: { browser: Buffer; attempt: string; minutes: number }) =>
  tx.run(sql`
    insert into sso_attempts (browser, attempt, expires_at)
    values (${it.browser}, ${it.attempt}, now() + make_interval(mins => ${it.minutes}))`);

/** Uses up the attempt of a browser; undefined without a valid one. */
export async function takeAttempt(tx: Tx, browser: Buffer): Promise<string | undefined> {
  const row = await tx.maybe<{ attempt: string; valid: boolean }>(sql`
    delete from sso_attempts where browser = ${browser} returning attempt, expires_at > now() as valid`);
  return row?.valid ? row.attempt : undefined;
}

/** Under withSystem. */
export const forgetOldAttempts = (tx: Tx) => tx.run(sql`delete from sso_attempts where expires_at < now()`);

/** One sign-in of an account at a time, so that two cannot make two accounts of it. */
export const lockSubject = (tx: Tx, issuer: string, subject: string) =>
  tx.run(sql`select pg_advisory_xact_lock(hashtext('sso ' || ${issuer}::text), hashtext(${subject}::text))`);

export const findLinked = async (tx: Tx, issuer: string, subject: string): Promise<string | undefined> =>
  (
    await tx.maybe<{ user_id: string }>(
      sql`select user_id from sso_links where issuer = ${issuer} and subject = ${subject}`,
    )
  )?.user_id;

export const isLinked = async (tx: Tx, issuer: string, userId: string): Promise<boolean> =>
  (await tx.maybe(sql`select 1 from sso_links where issuer = ${issuer} and user_id = ${userId}`)) !== undefined;

export const insertLink = (tx: Tx, it: { id: string; userId: string; issuer: string; subject: string }) =>
  tx.run(sql`
    insert into sso_links (id, user_id, issuer, subject) values (${it.id}, ${it.userId}, ${it.issuer}, ${it.subject})`);

export const touchLink = (tx: Tx, it: { issuer: string; subject: string; email: string | null }) =>
  tx.run(sql`
    update sso_links set last_used_at = now(), email = ${it.email} where issuer = ${it.issuer} and subject = ${it.subject}`);

export async function listLinks(
  tx: Tx,
  filter: { page: number; per_page: number; search?: string | undefined },
): Promise<Rows<SsoLink>> {
  const from = sql`from sso_links k join users u on u.id = k.user_id where true
    ${filter.search ? sql`and ${textMatches(sql`(u.first_name || ' ' || u.last_name || ' ' || u.email)`, filter.search)}` : empty}`;
  const [rows, { total }] = await Promise.all([
    tx.many<SsoLink>(sql`
      select k.id, json_build_object('id', u.id, 'full_name', trim(u.first_name || ' ' || u.last_name), 'email', u.email) as user,
        k.issuer, k.email, k.created_at, k.last_used_at
      ${from} order by k.last_used_at desc, k.id limit ${filter.per_page} offset ${(filter.page - 1) * filter.per_page}`),
    tx.one<{ total: number }>(sql`select count(*) as total ${from}`),
  ]);
  return { rows, total };
}

export const deleteLink = (tx: Tx, id: string) =>
  tx.maybe<{ user_id: string; issuer: string; email: string }>(sql`
    delete from sso_links k using users u where k.id = ${id} and u.id = k.user_id returning k.user_id, k.issuer, u.email`);

/** Ends the sign-ins of a user through the provider. */
export const endProviderSignIns = (tx: Tx, userId: string) =>
  tx.run(sql`delete from tokens where user_id = ${userId} and by_provider`);

export interface LinkedUser {
  id: string;
  email: string;
  role: 'tenant-admin' | 'reseller' | 'auditor' | 'member';
}
/** Locks the user; undefined if the account was deleted meanwhile. */
export const lockLinkedUser = (tx: Tx, id: string) =>
  tx.maybe<LinkedUser>(sql`select id, email, role from users where id = ${id} for update`);

/** One change of the tenant's administrators at a time: tenant-users takes the same lock. */
export const lockAdministrators = (tx: Tx) =>
  tx.run(sql`select pg_advisory_xact_lock(hashtext('administrators ' || current_tenant()::text))`);

export const hasOtherAdmin = async (tx: Tx, butUser: string): Promise<boolean> =>
  (await tx.maybe(sql`select 1 from users where role = 'tenant-admin' and id <> ${butUser} limit 1`)) !== undefined;

/** The person showed that the address is theirs. The account may have been a stranger's: its password goes. */
export const dropPassword = (tx: Tx, userId: string) =>
  tx.run(sql`
    update users set password_hash = null, email_confirmed_at = now(), updated_at = now() where id = ${userId}`);
