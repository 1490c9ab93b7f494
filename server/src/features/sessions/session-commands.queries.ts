import type { SessionCommand } from '@portico/contract/sessions.ts';
import sql, { type Sql } from 'sql-template-tag';
import { jsonTime } from '#db/json.ts';
import { andDevice, type Scope } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';

const columns = sql`k.id, k.kind, k.state, k.words, k.reason, k.requested_at, k.answered_at, k.within`;

/** The latest command about a session, as JSON, or null. */
export const latestCommand = (session: Sql): Sql => sql`(
  select json_build_object('id', k.id, 'kind', k.kind, 'state', k.state, 'words', k.words, 'reason', k.reason,
    'requested_at', ${jsonTime(sql`k.requested_at`)}, 'answered_at', ${jsonTime(sql`k.answered_at`)}, 'within', k.within)
  from session_commands k where k.session_id = ${session} order by k.requested_at desc limit 1)`;

/** The identifiers of a session at its router, and the router's address. `secret` is encrypted. */
export interface CommandTarget {
  session_id: string;
  user_name: string;
  client_mac: string | null;
  client_ip: string | null;
  acct_session_id: string;
  location_id: string;
  device_id: string;
  secret: string;
  /** Null if no packet was ever received from the device. */
  last_address: string | null;
  coa_port: number;
  brand: string;
  /** A script on its gateway has told who is signed in within the last minute. */
  reports: boolean;
}

const target = sql`s.id as session_id, s.user_name, upper(s.client_mac::text) as client_mac, host(s.client_ip) as client_ip, s.acct_session_id, s.location_id, s.device_id,
  d.secret, host(d.last_address) as last_address, d.coa_port, (select b.slug from brands b where b.id = d.brand_id) as brand,
  coalesce(d.reported_at > now() - interval '1 minute', false) as reports`;

export const findTarget = (tx: Tx, scope: Scope, sessionId: string) =>
  tx.maybe<CommandTarget>(sql`
    select ${target} from online_sessions s join devices d on d.id = s.device_id
    where s.id = ${sessionId} ${andDevice(scope, sql`s.location_id`, sql`s.device_id`)}`);

/** The sessions of these devices, or of all devices of a location, that are in reach: those heard of last first. */
export const listTargets = (
  tx: Tx,
  scope: Scope,
  at: { readonly deviceIds: readonly string[] } | { readonly locationId: string },
) =>
  tx.many<CommandTarget>(sql`
    select ${target} from online_sessions s join devices d on d.id = s.device_id
    where ${'deviceIds' in at ? sql`s.device_id = any(${at.deviceIds})` : sql`s.location_id = ${at.locationId}`}
      ${andDevice(scope, sql`s.location_id`, sql`s.device_id`)}
    order by s.updated_at desc`);

/** Like `findTarget`, for a session of this visitor. */
export const findOwnTarget = (tx: Tx, visitorId: string, sessionId: string) =>
  tx.maybe<CommandTarget>(sql`
    select ${target} from online_sessions s join devices d on d.id = s.device_id
    where s.id = ${sessionId} and s.visitor_id = ${visitorId}`);

interface OwnSession {
  id: string;
  mac: string;
  started_at: string;
  time_zone: string;
}

/** The open sessions of a visitor, latest first. */
export const listOwnSessions = (tx: Tx, visitorId: string) =>
  tx.many<OwnSession>(sql`
    select s.id, coalesce(upper(s.client_mac::text), '') as mac, s.started_at, l.time_zone
    from online_sessions s join locations l on l.id = s.location_id
    where s.visitor_id = ${visitorId} order by s.started_at desc, s.id limit 50`);

/** Queues a command that ends a session of this visitor. */
export const queueOwnEnd = (tx: Tx, visitorId: string, sessionId: string) =>
  tx.run(sql`
    insert into session_commands (session_id, location_id, device_id, reason)
    select s.id, s.location_id, s.device_id, 'guest' from online_sessions s where s.id = ${sessionId} and s.visitor_id = ${visitorId}
      and not exists (select from session_commands k where k.session_id = s.id and k.kind = 'end' and k.state = 'requested')`);

/** How long the sender of a command may wait for the router: COA_TIMEOUT is at most 30 seconds. */
const senderWaits = sql`interval '35 seconds'`;

/** An unanswered command to end the session. Takes a lock, so that two concurrent clicks send one command. */
export async function findPending(tx: Tx, sessionId: string): Promise<SessionCommand | undefined> {
  await tx.run(sql`select pg_advisory_xact_lock(lock_key('session-command', ${sessionId}::uuid::text))`);
  return tx.maybe<SessionCommand>(sql`
    select ${columns} from session_commands k
    where k.session_id = ${sessionId} and k.kind = 'end' and k.state = 'requested' and k.sent_at > now() - ${senderWaits}
    order by k.requested_at desc limit 1`);
}

const notification = (tenant: Sql, location: Sql): Sql =>
  sql`pg_notify('portico', json_build_object('tenant', ${tenant}, 'location', ${location}, 'topic', 'sessions')::text)`;

export async function insertCommand(
  tx: Tx,
  it: { id: string; target: CommandTarget; userId: string | null; reason: SessionCommand['reason'] },
): Promise<SessionCommand> {
  const command = await tx.one<SessionCommand>(sql`
    insert into session_commands as k (id, session_id, location_id, device_id, reason, requested_by, sent_at)
    values (${it.id}, ${it.target.session_id}, ${it.target.location_id}, ${it.target.device_id}, ${it.reason}, ${it.userId}, now())
    returning ${columns}`);
  await tx.run(sql`select ${notification(sql`current_tenant()`, sql`${it.target.location_id}::uuid`)}`);
  return command;
}

interface OpenSession {
  id: string;
  location_id: string;
  /** False: a command to end it is under way. */
  queued: boolean;
}

/**
 * Queues commands that end those of the sessions which are open and in reach, unless one is under way. Takes the locks of
 * `findPending`, in one order.
 */
export async function queueEnds(
  tx: Tx,
  scope: Scope,
  { ids, userId }: { ids: readonly string[]; userId: string },
): Promise<OpenSession[]> {
  const inReach = sql`
    online_sessions s where s.id = any(${ids}) ${andDevice(scope, sql`s.location_id`, sql`s.device_id`)}`;
  await tx.run(sql`
    select pg_advisory_xact_lock(key)
    from (select lock_key('session-command', s.id::text) as key from ${inReach} order by 1) x`);
  const open = await tx.many<OpenSession>(sql`
    with open as (select s.id, s.location_id, s.device_id from ${inReach}),
    queued as (
      insert into session_commands (session_id, location_id, device_id, reason, requested_by)
      select o.id, o.location_id, o.device_id, 'operator', ${userId}::uuid from open o
      where not exists (select from session_commands k where k.session_id = o.id and k.kind = 'end' and k.state = 'requested')
      returning session_id)
    select o.id, o.location_id, q.session_id is not null as queued from open o left join queued q on q.session_id = o.id`);
  for (const location of new Set(open.filter(it => it.queued).map(it => it.location_id)))
    await tx.run(sql`select ${notification(sql`current_tenant()`, sql`${location}::uuid`)}`);
  return open;
}

/** Stores the router's answer. It does not replace the confirmation by an earlier Stop. */
export async function storeAnswer(
  tx: Tx,
  id: string,
  answer: { state: SessionCommand['state']; words: string; within?: number },
): Promise<SessionCommand> {
  const command = await tx.one<SessionCommand & { location_id: string }>(sql`
    update session_commands k set answered_at = case when ${answer.state} <> 'requested' then now() end, words = ${answer.words},
      within = ${answer.within ?? null},
      state = case when k.state = 'requested' then ${answer.state} else k.state end
    where k.id = ${id} returning ${columns}, k.location_id`);
  await tx.run(sql`select ${notification(sql`current_tenant()`, sql`${command.location_id}::uuid`)}`);
  const { location_id: _, ...answered } = command;
  return answered;
}

/** Queues the end of a session whose router refused a change, so that the guest signs in again with the new limits. */
export const queueEnd = (tx: Tx, target: CommandTarget) =>
  tx.run(sql`
    insert into session_commands (session_id, location_id, device_id, reason)
    values (${target.session_id}, ${target.location_id}, ${target.device_id}, 'operator')`);

/** Claims commands that were not sent, or whose sender stopped before it stored the answer, across tenants. */
export async function claimCommands(
  tx: Tx,
  limit: number,
): Promise<(CommandTarget & { tenant_id: string; command_id: string; kind: SessionCommand['kind'] })[]> {
  const waiting = sql`k.state = 'requested' and (k.sent_at is null or k.sent_at < now() - ${senderWaits})`;
  await tx.run(sql`
    update session_commands k set state = 'confirmed', confirmed_at = now()
    where ${waiting} and not exists (select from online_sessions s where s.tenant_id = k.tenant_id and s.id = k.session_id)`);
  return tx.many(sql`
    with claimed as (
      update session_commands k set sent_at = now()
      where (k.tenant_id, k.id) in (
        select k.tenant_id, k.id from session_commands k where ${waiting} order by k.requested_at limit ${limit} for update skip locked)
      returning k.tenant_id, k.id, k.session_id, k.kind)
    select k.tenant_id, k.id as command_id, k.kind, ${target}
    from claimed k
    join online_sessions s on s.tenant_id = k.tenant_id and s.id = k.session_id
    join devices d on d.tenant_id = s.tenant_id and d.id = s.device_id`);
}

/** Queues the end of the sessions of hotel guests who have checked out, and repeats it after ten minutes. */
export const endStays = (tx: Tx, integrationId: string) =>
  tx.run(sql`
    insert into session_commands (session_id, location_id, device_id, reason)
    select s.id, s.location_id, s.device_id, 'stay-over'
    from visitors v join online_sessions s on s.visitor_id = v.id
    where v.integration_id = ${integrationId} and v.session_end_at <= now() and not exists (
      select from session_commands k where k.session_id = s.id and k.kind = 'end' and k.requested_at > now() - interval '10 minutes'
        and (k.reason = 'stay-over' or k.state in ('requested', 'acknowledged')))`);

/**
 * Queues the end of the sessions of blocked guest devices, across tenants, and repeats it after ten minutes. A session may
 * begin while its device is blocked, and a router may not answer.
 */
export const endBlocked = (tx: Tx) =>
  tx.run(sql`
    insert into session_commands (tenant_id, session_id, location_id, device_id, reason)
    select s.tenant_id, s.id, s.location_id, s.device_id, 'blocked'
    from (
      select o.tenant_id, o.id, o.location_id, o.device_id
      from mac_rules m
      join online_sessions o on o.tenant_id = m.tenant_id and o.device_id = m.device_id and o.client_mac = m.mac
      where m.type = 'blocked' and (m.networks = '{}' or o.network_id is null or o.network_id = any(m.networks))
      union
      select o.tenant_id, o.id, o.location_id, o.device_id
      from locations l
      cross join unnest(l.mac_blacklist) b (mac)
      join online_sessions o on o.tenant_id = l.tenant_id and o.location_id = l.id and o.client_mac = b.mac
      where l.mac_blacklist_enabled) s
    -- Another process may do the same at this moment.
    where pg_try_advisory_xact_lock(hashtext('portico.end-blocked')) and not exists (
      select from session_commands k
      where k.tenant_id = s.tenant_id and k.session_id = s.id and k.kind = 'end' and k.requested_at > now() - interval '10 minutes'
        and (k.reason = 'blocked' or k.state in ('requested', 'acknowledged')))`);

/** Queues the new limits of hotel guests whose departure or profile changed, for those who may still be online. */
export const changeStays = (tx: Tx, visitorIds: readonly string[]) =>
  tx.run(sql`
    insert into session_commands (session_id, location_id, device_id, kind, reason)
    select s.id, s.location_id, s.device_id, 'change', 'stay-over'
    from visitors v join online_sessions s on s.visitor_id = v.id
    where v.id = any(${visitorIds}) and (v.session_end_at is null or v.session_end_at > now())`);
