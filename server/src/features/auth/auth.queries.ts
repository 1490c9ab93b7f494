import type { AuthUser } from '@portico/contract/auth.ts';
import sql, { empty, type Sql } from 'sql-template-tag';
import { nameOrder } from '#db/list.ts';
import { assignments } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';
import { andVisible } from '#features/locations/public.ts';
import type { Actor, ActorRow } from '#http/actor.ts';
import { dropFactors } from './two-factor.queries.ts';

const memberships = sql`coalesce((
  select json_agg(json_build_object('location_id', m.location_id, 'permissions', m.permissions, 'device_ids', m.device_ids) order by m.created_at)
  from location_members m where m.user_id = u.id), '[]') as memberships`;

const zones = sql`(select l.time_zone from locations l where l.id = u.active_location_id) as time_zone,
  (select t.time_zone from tenants t where t.id = u.tenant_id) as tenant_time_zone`;

/** Whether a sign-in was used within the idle time of the installation and of its tenant. */
const isInUse = (idleMinutes: number, ofTenant: Sql) =>
  sql`t.last_used_at > now() - make_interval(mins => least(${idleMinutes}, ${ofTenant}))`;

/** The user of a token; `must_enroll`: the tenant requires a second factor and this user has none yet. */
const actorOfToken = (tokenHash: Buffer, idleMinutes: number): Sql => sql`
    select u.tenant_id, u.id as user_id, t.id as token_id, u.role, t.scopes,
      case when t.scopes is null then u.active_location_id else t.location_id end as active_location_id,
      (select l.time_zone from locations l where l.id = case when t.scopes is null then u.active_location_id else t.location_id end) as time_zone,
      n.time_zone as tenant_time_zone, ${memberships}, t.last_used_at < now() - interval '1 minute' as stale,
      n.require_second_factor and not u.totp_enabled
        -- The identity provider asks for its own.
        and not t.by_provider and not exists (select from passkeys p where p.user_id = u.id) as must_enroll
    from tokens t join users u on u.id = t.user_id join tenants n on n.id = u.tenant_id
      left join sso_providers s on s.enforced
    where t.hash = ${tokenHash} and t.expires_at > now()
      and (t.scopes is not null or ${isInUse(idleMinutes, sql`n.idle_minutes`)})
      -- Enforced single sign-on ends the sign-ins with passwords and passkeys.
      and (t.scopes is not null or t.by_provider or s.enforced is null or s.emergency_user_id = u.id)
      -- A customer that was handed over takes with it what its reseller made for it.
      and (t.location_id is null or u.role <> 'reseller'
        or exists (select from locations l where l.id = t.location_id and l.owner_id = u.id))`;

export type FoundActor = ActorRow & { stale: boolean; must_enroll: boolean };
export const findActor = (tx: Tx, tokenHash: Buffer, idleMinutes: number) =>
  tx.maybe<FoundActor>(actorOfToken(tokenHash, idleMinutes));

export interface Credentials {
  id: string;
  password_hash: string | null;
  email_confirmed: boolean;
}
export const findCredentials = (tx: Tx, email: string) =>
  tx.maybe<Credentials>(
    sql`select id, password_hash, email_confirmed_at is not null as email_confirmed from users where email = ${email}`,
  );

/** Locks a user, as a new password does. Reads after it see the effects of that password. */
export const lockUser = (tx: Tx, userId: string) =>
  tx.maybe<{ password_hash: string | null }>(sql`select password_hash from users where id = ${userId} for update`);

/** Locks the user of a sign-in; false when the sign-in has ended since it was checked. */
export const lockSignIn = async (tx: Tx, { userId, tokenId }: Actor): Promise<boolean> => {
  await lockUser(tx, userId);
  return (await tx.maybe(sql`select 1 from tokens where id = ${tokenId} and expires_at > now()`)) !== undefined;
};

/** Ends the sign-ins that were not used for the longest time, but for the `kept` newest. The caller holds the lock of the user. */
export const endOldestSignIns = (tx: Tx, userId: string, kept: number) =>
  tx.run(sql`
    delete from tokens where id in (
      select id from tokens where user_id = ${userId} and scopes is null order by last_used_at desc, id desc offset ${kept})`);

export async function insertToken(
  tx: Tx,
  token: {
    id: string;
    userId: string;
    hash: Buffer;
    name: string;
    ip: string;
    userAgent: string;
    days: number;
    byProvider: boolean;
  },
): Promise<void> {
  await tx.run(sql`
    insert into tokens (id, user_id, hash, name, ip, user_agent, by_provider, expires_at)
    values (${token.id}, ${token.userId}, ${token.hash}, ${token.name}, ${token.ip}, ${token.userAgent}, ${token.byProvider},
      now() + make_interval(days => ${token.days}))`);
}

export const touchToken = (tx: Tx, tokenId: string, ip: string) =>
  tx.run(sql`update tokens set last_used_at = now(), ip = ${ip} where id = ${tokenId}`);

export interface TokenRow {
  id: string;
  current: boolean;
  name: string;
  ip: string | null;
  user_agent: string;
  created_at: string;
  last_used_at: string;
  expires_at: string;
}
export const listTokens = (tx: Tx, { userId, tokenId }: Actor, idleMinutes: number) =>
  tx.many<TokenRow>(sql`
    select id, id = ${tokenId} as current, name, host(ip) as ip, user_agent, created_at, last_used_at, expires_at
    from tokens t where user_id = ${userId} and scopes is null and expires_at > now()
      and ${isInUse(idleMinutes, sql`(select n.idle_minutes from tenants n where n.id = t.tenant_id)`)}
    order by last_used_at desc`);

export const deleteToken = (tx: Tx, userId: string, tokenId: string) =>
  tx.maybe<{ id: string; name: string }>(
    sql`delete from tokens where user_id = ${userId} and id = ${tokenId} and scopes is null returning id, name`,
  );

/** Ends every sign-in and every personal token of a user. */
export const deleteEveryToken = (tx: Tx, userId: string) => tx.run(sql`delete from tokens where user_id = ${userId}`);

/** Ends every sign-in of a user but one. Personal tokens stay. */
export const deleteOtherTokens = (tx: Tx, userId: string, kept: string | null) =>
  tx.run(sql`delete from tokens where user_id = ${userId} and scopes is null ${kept ? sql`and id <> ${kept}` : empty}`);

export interface UserRow {
  id: string;
  first_name: string;
  last_name: string;
  email: string;
  phone_number: string;
  role: 'tenant-admin' | 'reseller' | 'auditor' | 'member';
  language: 'tr' | 'en';
  active_location: { id: string; name: string } | null;
  /** The time zone of the active location, else of the tenant. */
  time_zone: string;
  roles: { id: string; name: string; guard_name: string }[];
  email_confirmed: boolean;
  pending_email: string | null;
  two_factor: { enabled: boolean; app: boolean; passkeys: number; required: boolean; recovery_codes: number };
}
/** `tokenId`: of the sign-in. One through the identity provider needs no second factor here. */
export const getUser = (tx: Tx, userId: string, activeLocationId: string | null, tokenId: string | null = null) =>
  tx.one<UserRow>(sql`
    select u.id, u.first_name, u.last_name, u.email, u.phone_number, u.role, u.language,
      (select json_build_object('id', l.id, 'name', l.name) from locations l where l.id = ${activeLocationId}) as active_location,
      coalesce((select l.time_zone from locations l where l.id = ${activeLocationId}),
        (select t.time_zone from tenants t where t.id = u.tenant_id)) as time_zone,
      coalesce((select json_agg(json_build_object('id', r.id, 'name', r.name, 'guard_name', r.guard_name))
        from location_members m join roles r on r.id = any(m.role_ids)
        where m.user_id = u.id and m.location_id = ${activeLocationId}), '[]') as roles,
      u.email_confirmed_at is not null as email_confirmed,
      (select c.email from email_confirmations c where c.user_id = u.id and c.confirmed_at is null and c.expires_at > now() and c.email <> u.email
        order by c.id desc limit 1) as pending_email,
      (select json_build_object('enabled', u.totp_enabled or count(*) > 0, 'app', u.totp_enabled, 'passkeys', count(*),
        'recovery_codes', cardinality(u.recovery_codes),
        'required', (select t.require_second_factor from tenants t where t.id = u.tenant_id)
          and not exists (select from tokens t where t.id = ${tokenId} and t.by_provider))
        from passkeys p where p.user_id = u.id) as two_factor
    from users u where u.id = ${userId}`);

export interface NewUser {
  readonly id: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly phone: string;
  /** Null: the user signs in through the identity provider. */
  readonly passwordHash: string | null;
  readonly role: UserRow['role'];
  readonly language: 'tr' | 'en';
  /** Whether the address is confirmed (default: yes). Before that it is no account for invitations. */
  readonly emailConfirmed?: boolean;
}

export async function insertUser(tx: Tx, user: NewUser): Promise<void> {
  await tx.run(sql`
    insert into users (id, email, first_name, last_name, phone_number, password_hash, role, language, email_confirmed_at)
    values (${user.id}, ${user.email}, ${user.firstName}, ${user.lastName}, ${user.phone}, ${user.passwordHash}, ${user.role},
      ${user.language}, ${user.emailConfirmed === false ? null : sql`now()`})`);
}

/** Gives an account whose address was never confirmed to the person who has shown that the address is theirs. */
export async function claimUser(tx: Tx, user: Omit<NewUser, 'role' | 'email' | 'emailConfirmed'>): Promise<void> {
  await tx.run(sql`
    update users set first_name = ${user.firstName}, last_name = ${user.lastName}, phone_number = ${user.phone},
      password_hash = ${user.passwordHash}, language = ${user.language}, email_confirmed_at = now(), updated_at = now()
    where id = ${user.id}`);
  await dropFactors(tx, user.id);
  await deleteEveryToken(tx, user.id);
}

export const confirmEmail = (tx: Tx, userId: string) =>
  tx.run(sql`update users set email_confirmed_at = coalesce(email_confirmed_at, now()) where id = ${userId}`);

export const setEmail = (tx: Tx, userId: string, email: string) =>
  tx.run(sql`update users set email = ${email}, email_confirmed_at = now(), updated_at = now() where id = ${userId}`);

export const setPassword = (tx: Tx, userId: string, passwordHash: string) =>
  tx.run(sql`update users set password_hash = ${passwordHash}, updated_at = now() where id = ${userId}`);

export const emailTaken = async (tx: Tx, email: string, butUser: string | null) =>
  (await tx.maybe(sql`select 1 from users where email = ${email} and id is distinct from ${butUser}`)) !== undefined;

/** Marks the account as used; answers whether it was before. */
export const markSignedIn = async (tx: Tx, userId: string): Promise<boolean> =>
  (await tx.run(
    sql`update users set first_signed_in_at = now() where id = ${userId} and first_signed_in_at is null`,
  )) === 0;

export const setActiveLocation = (tx: Tx, userId: string, locationId: string | null) =>
  tx.run(sql`update users set active_location_id = ${locationId} where id = ${userId}`);

export const findActorById = (tx: Tx, tokenId: string) =>
  tx.maybe<ActorRow>(sql`
    select u.tenant_id, u.id as user_id, t.id as token_id, u.role, u.active_location_id, ${zones}, ${memberships}
    from tokens t join users u on u.id = t.user_id where t.id = ${tokenId}`);

/** The first hundred locations one may switch to, by name; the switcher searches the location list for more. */
export const listSwitchable = (tx: Tx, actor: Actor) =>
  tx.many<AuthUser['locations'][number]>(sql`
    select l.id, l.name, l.time_zone from locations l where true ${andVisible(actor)} order by ${nameOrder(sql`l.name`)}, l.id limit 100`);

export const updateUser = (
  tx: Tx,
  userId: string,
  user: {
    first_name?: string | undefined;
    last_name?: string | undefined;
    email?: string | undefined;
    phone_number?: string | undefined;
    language?: string | undefined;
    password_hash?: string | undefined;
  },
) => tx.run(sql`update users set ${assignments(user)} where id = ${userId}`);

export const getAddress = (tx: Tx, userId: string) =>
  tx.one<{ email: string; first_name: string; language: 'tr' | 'en'; email_confirmed: boolean }>(
    sql`select email, first_name, language, email_confirmed_at is not null as email_confirmed from users where id = ${userId}`,
  );

/** Under withSystem. */
export const forgetOldTokens = (tx: Tx) => tx.run(sql`delete from tokens where expires_at < now()`);

/** Leaves a reseller without an active location if it was this one, which is no longer theirs. */
export const leaveLocation = (tx: Tx, userId: string, locationId: string) =>
  tx.run(sql`
    update users set active_location_id = null
    where id = ${userId} and role = 'reseller' and active_location_id = ${locationId}`);

/** Leaves a user without an active location if it is none of these. */
export const leaveAllBut = (tx: Tx, userId: string, locationIds: readonly string[]) =>
  tx.run(
    sql`update users set active_location_id = null where id = ${userId} and active_location_id <> all(${locationIds})`,
  );

export const changeUser = (tx: Tx, id: string, values: Record<string, unknown>) =>
  tx.run(sql`update users set ${assignments(values)} where id = ${id}`);

/** Makes a user a plain member of its locations, or deletes it if it has none. Returns whether the user stayed. */
export async function demoteUser(tx: Tx, id: string): Promise<boolean> {
  const stayed = await tx.run(sql`
    update users u set role = 'member', updated_at = now(),
      active_location_id = (select m.location_id from location_members m where m.user_id = u.id order by m.created_at limit 1)
    where u.id = ${id} and exists (select 1 from location_members m where m.user_id = u.id)`);
  if (!stayed) await tx.run(sql`delete from users where id = ${id}`);
  return stayed > 0;
}
