import type { NoticeWay } from '@portico/contract/notice-kinds.ts';
import sql from 'sql-template-tag';
import { nameOrder } from '#db/list.ts';
import { assignments } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';
import { andVisible } from '#features/locations/public.ts';
import type { Actor } from '#http/actor.ts';

export type Ways = Partial<Record<string, NoticeWay>>;

export interface Settings {
  ways: Ways;
  digest_hour: number;
  time_zone: string | null;
}

/** Creates the user's settings if they do not exist, and locks them until the end of the transaction. */
export async function lockSettings(tx: Tx, userId: string): Promise<Settings> {
  await tx.run(sql`insert into notice_settings (user_id) values (${userId}) on conflict do nothing`);
  return tx.one<Settings>(
    sql`select ways, digest_hour, time_zone from notice_settings where user_id = ${userId} for update`,
  );
}

export const findSettings = (tx: Tx, userId: string) =>
  tx.maybe<Settings>(sql`select ways, digest_hour, time_zone from notice_settings where user_id = ${userId}`);

export const changeSettings = (tx: Tx, userId: string, change: { [K in keyof Settings]?: Settings[K] | undefined }) =>
  tx.run(sql`update notice_settings set ${assignments(change)} where user_id = ${userId}`);

/** The user's own choices at the locations that the user still sees. */
export const listLocationWays = (tx: Tx, actor: Actor) =>
  tx.many<{ location: { id: string; name: string }; ways: Ways }>(sql`
    select json_build_object('id', l.id, 'name', l.name) as location, w.ways
    from notice_location_ways w join locations l on l.id = w.location_id
    where w.user_id = ${actor.userId} ${andVisible(actor)} order by ${nameOrder(sql`l.name`)}, l.id`);

export const visibleLocations = async (tx: Tx, actor: Actor, ids: readonly string[]): Promise<ReadonlySet<string>> =>
  new Set(
    (
      await tx.many<{ id: string }>(sql`select l.id from locations l where l.id = any(${ids}) ${andVisible(actor)}`)
    ).map(({ id }) => id),
  );

export async function replaceLocationWays(
  tx: Tx,
  userId: string,
  list: readonly { locationId: string; ways: Ways }[],
): Promise<void> {
  await tx.run(sql`delete from notice_location_ways where user_id = ${userId}`);
  await tx.run(sql`
    insert into notice_location_ways (user_id, location_id, ways)
    select ${userId}::uuid, (it->>'locationId')::uuid, it->'ways' from jsonb_array_elements(${JSON.stringify(list)}::jsonb) it`);
}

export const emailOf = async (tx: Tx, userId: string): Promise<string> =>
  (await tx.one<{ email: string }>(sql`select email from users where id = ${userId}`)).email;
