import type { PersonalToken } from '@portico/contract/tokens.ts';
import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

const columns = sql`t.id, t.name, t.scopes as permissions,
  (select json_build_object('id', l.id, 'name', l.name) from locations l where l.id = t.location_id) as location,
  t.created_at, nullif(t.last_used_at, t.created_at) as last_used_at, t.expires_at`;

export const listPersonal = (tx: Tx, userId: string) =>
  tx.many<PersonalToken>(sql`
    select ${columns} from tokens t where t.user_id = ${userId} and t.scopes is not null and t.expires_at > now() order by t.id desc`);

export const countPersonal = async (tx: Tx, userId: string): Promise<number> =>
  (
    await tx.one<{ count: number }>(sql`
      select count(*)::int as count from tokens where user_id = ${userId} and scopes is not null and expires_at > now()`)
  ).count;

export const findPersonal = (tx: Tx, userId: string, id: string) =>
  tx.maybe<PersonalToken>(
    sql`select ${columns} from tokens t where t.user_id = ${userId} and t.id = ${id} and t.scopes is not null`,
  );

export const insertPersonal = (
  tx: Tx,
  it: {
    id: string;
    userId: string;
    hash: Buffer;
    name: string;
    scopes: readonly string[];
    locationId: string | null;
    days: number;
  },
) =>
  tx.run(sql`
    insert into tokens (id, user_id, hash, name, scopes, location_id, expires_at)
    values (${it.id}, ${it.userId}, ${it.hash}, ${it.name}, ${it.scopes}, ${it.locationId}, now() + make_interval(days => ${it.days}))`);

export const deletePersonal = (tx: Tx, userId: string, id: string) =>
  tx.run(sql`delete from tokens where user_id = ${userId} and id = ${id} and scopes is not null`);
