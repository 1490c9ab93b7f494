import type { Language } from '@portico/contract/errors.ts';
import type { PushBrowser } from '@portico/contract/push.ts';
import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';
import type { VapidKeys } from '#lib/web-push.ts';
import { hasOthers, reachable } from './mails.queries.ts';
import type { NotificationRow } from './notifications.queries.ts';

/** Older news is under the bell. */
const maxHours = 24;

/** The keys belong to no tenant. Runs under withSystem, as does the next query. */
export const findPushKeys = (tx: Tx) =>
  tx.maybe<VapidKeys & Record<string, unknown>>(
    sql`select public_key as "publicKey", private_key as "privateKey" from push_keys`,
  );

/** Replaces only those that are `unreadable`. If two processes make some at once, the first ones stay. */
export const storePushKeys = (tx: Tx, { publicKey, privateKey }: VapidKeys, unreadable: string | undefined) =>
  tx.run(sql`
    insert into push_keys as k (private_key, public_key) values (${privateKey}, ${publicKey})
    on conflict (id) do update set private_key = excluded.private_key, public_key = excluded.public_key
    where k.private_key = ${unreadable ?? null}`);

const columns = sql`id, name, service, encode(fingerprint, 'hex') as fingerprint, problem, created_at, sent_at`;

export const listBrowsers = (tx: Tx, userId: string, serverKey: string) =>
  tx.many<PushBrowser>(
    sql`select ${columns} from push_browsers where user_id = ${userId} and server_key = ${serverKey} order by created_at, id`,
  );

/** The others of the user, locked until the end of the transaction, so that calls at once do not exceed the limit. */
export async function countOthers(tx: Tx, userId: string, fingerprint: Buffer, serverKey: string): Promise<number> {
  await tx.run(sql`select from users where id = ${userId} for no key update`);
  const { others } = await tx.one<{ others: number }>(
    sql`select count(*) as others from push_browsers
      where user_id = ${userId} and server_key = ${serverKey} and fingerprint <> ${fingerprint}`,
  );
  return others;
}

export const findByFingerprint = (tx: Tx, fingerprint: Buffer) =>
  tx.maybe<{ id: string; user_id: string }>(
    sql`select id, user_id from push_browsers where fingerprint = ${fingerprint} for update`,
  );

export const insertBrowser = (
  tx: Tx,
  it: {
    id: string;
    userId: string;
    tokenId: string;
    fingerprint: Buffer;
    subscription: string;
    serverKey: string;
    service: string;
    name: string;
  },
) =>
  tx.one<PushBrowser>(sql`
    insert into push_browsers (id, user_id, token_id, fingerprint, subscription, server_key, service, name)
    values (${it.id}, ${it.userId}, ${it.tokenId}, ${it.fingerprint}, ${it.subscription}, ${it.serverKey}, ${it.service}, ${it.name})
    returning ${columns}`);

export const deleteBrowser = (tx: Tx, id: string) => tx.run(sql`delete from push_browsers where id = ${id}`);

export const deleteOwnBrowser = (tx: Tx, userId: string, id: string) =>
  tx.maybe<{ id: string; name: string }>(
    sql`delete from push_browsers where user_id = ${userId} and id = ${id} returning id, name`,
  );

/** Deletes browsers that subscribed with another key, such as the key of the tenant's former installation. Under withSystem. */
export const deleteStrangers = (tx: Tx, serverKey: string) =>
  tx.run(sql`delete from push_browsers where server_key <> ${serverKey}`);

export interface DueBrowser {
  tenant_id: string;
  id: string;
  subscription: string;
  attempts: number;
  slug: string;
}

/** Claims browsers with notices for `seconds`. If this process ends, another one claims them after that time. Under withSystem. */
export const claimDue = (tx: Tx, seconds: number, most: number) =>
  tx.many<DueBrowser>(sql`
    with due as (
      select b.tenant_id, b.id from (select distinct tenant_id, browser_id from push_notices) p
      join push_browsers b on b.tenant_id = p.tenant_id and b.id = p.browser_id
      where b.next_at <= now() order by b.next_at limit ${most} for update of b skip locked)
    update push_browsers b set attempts = attempts + 1, next_at = now() + make_interval(secs => ${seconds})
    from due, tenants t where b.tenant_id = due.tenant_id and b.id = due.id and t.id = b.tenant_id
    returning b.tenant_id, b.id, b.subscription, b.attempts, t.slug`);

export interface PushedNotice extends NotificationRow {
  language: Language;
  has_others: boolean;
}

/** Reads the waiting notices of a browser, newest first: all ids, and the notices that are still news to its user. */
export async function readWaiting(tx: Tx, browserId: string): Promise<{ ids: string[]; notices: PushedNotice[] }> {
  const rows = await tx.many<PushedNotice & { news: boolean }>(sql`
    select n.id, n.kind, n.data, n.location_id, n.device_id, n.read_at, n.created_at, u.language,
      ${hasOthers} as has_others,
      n.read_at is null and n.created_at > now() - make_interval(hours => ${maxHours}) and ${reachable} as news
    from push_notices p join notifications n on n.id = p.notification_id join users u on u.id = n.user_id
    where p.browser_id = ${browserId} order by n.id desc limit 1000`);
  return { ids: rows.map(({ id }) => id), notices: rows.filter(({ news }) => news) };
}

/** When the hour of this browser ends in which it got its share; null: it may get another message. */
export const fullUntil = async (tx: Tx, id: string, most: number): Promise<string | null> =>
  (
    await tx.maybe<{ until: string }>(sql`
      select hour_at + interval '1 hour' as until from push_browsers
      where id = ${id} and hour_sent >= ${most} and hour_at > now() - interval '1 hour'`)
  )?.until ?? null;

/** Not counted as an attempt. */
export const waitUntil = (tx: Tx, id: string, until: string) =>
  tx.run(sql`update push_browsers set next_at = ${until}::timestamptz, attempts = attempts - 1 where id = ${id}`);

export const forgetNotices = (tx: Tx, browserId: string, ids: readonly string[]) =>
  tx.run(sql`delete from push_notices where browser_id = ${browserId} and notification_id = any(${ids}::uuid[])`);

/** The waiting notices were read, or their user may not see them any more. */
export const markIdle = (tx: Tx, id: string) =>
  tx.run(sql`update push_browsers set attempts = 0, next_at = now() where id = ${id}`);

export const markSent = (tx: Tx, id: string) =>
  tx.run(sql`
    update push_browsers set attempts = 0, next_at = now(), problem = null, sent_at = now(),
      hour_at = case when hour_at > now() - interval '1 hour' then hour_at else now() end,
      hour_sent = case when hour_at > now() - interval '1 hour' then hour_sent + 1 else 1 end
    where id = ${id}`);

export const markRefused = (tx: Tx, id: string, problem: NonNullable<PushBrowser['problem']>, pause: number | null) =>
  tx.run(sql`
    update push_browsers set problem = ${problem}, next_at = now() + make_interval(secs => ${pause ?? 0}),
      attempts = ${pause === null ? sql`0` : sql`attempts`}
    where id = ${id}`);
