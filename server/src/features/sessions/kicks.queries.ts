import type { Kick } from '@portico/contract/sessions.ts';
import sql, { type Sql } from 'sql-template-tag';
import { jsonTime } from '#db/json.ts';
import { andDevice, type Scope } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';

const columns = sql`k.id, k.kind, k.state, k.words, k.reason, k.requested_at, k.answered_at`;

/** The latest order about a session, as JSON, or null. */
export const latestKick = (session: Sql): Sql => sql`(
  select json_build_object('id', k.id, 'kind', k.kind, 'state', k.state, 'words', k.words, 'reason', k.reason,
    'requested_at', ${jsonTime(sql`k.requested_at`)}, 'answered_at', ${jsonTime(sql`k.answered_at`)})
  from session_commands k where k.session_id = ${session} order by k.requested_at desc limit 1)`;

/** What a router must be told to end a session, and how it is reached. `secret` is encrypted. */
export interface KickTarget {
  session_id: string;
  user_name: string;
  client_mac: string | null;
  client_ip: string | null;
  acct_session_id: string;
  location_id: string;
  device_id: string;
  secret: string;
  /** Null: the device was never heard of. */
  last_address: string | null;
  coa_port: number;
}

const target = sql`s.id as session_id, s.user_name, upper(s.client_mac::text) as client_mac, host(s.client_ip) as client_ip, s.acct_session_id, s.location_id, s.device_id,
  d.secret, host(d.last_address) as last_address, d.coa_port`;

export const findTarget = (tx: Tx, scope: Scope, sessionId: string) =>
  tx.maybe<KickTarget>(sql`
    select ${target} from online_sessions s join devices d on d.id = s.device_id
    where s.id = ${sessionId} ${andDevice(scope, sql`s.location_id`, sql`s.device_id`)}`);

/** The same for the visitor whose session it is. */
export const findOwnTarget = (tx: Tx, visitorId: string, sessionId: string) =>
  tx.maybe<KickTarget>(sql`
    select ${target} from online_sessions s join devices d on d.id = s.device_id
    where s.id = ${sessionId} and s.visitor_id = ${visitorId}`);

interface OwnSession {
  id: string;
  mac: string;
  started_at: string;
  time_zone: string;
}

/** The open sessions of a visitor, the latest first. */
export const listOwnSessions = (tx: Tx, visitorId: string) =>
  tx.many<OwnSession>(sql`
    select s.id, coalesce(upper(s.client_mac::text), '') as mac, s.started_at, l.time_zone
    from online_sessions s join locations l on l.id = s.location_id
    where s.visitor_id = ${visitorId} order by s.started_at desc, s.id limit 50`);

/** Writes down that a visitor wants a session of its own ended; sent with the next round. */
export const orderOwnEnd = (tx: Tx, visitorId: string, sessionId: string) =>
  tx.run(sql`
    insert into session_commands (session_id, location_id, device_id, reason)
    select id, location_id, device_id, 'guest' from online_sessions where id = ${sessionId} and visitor_id = ${visitorId}`);

/** An order to end the session that is still under way. Whoever asks holds the session's orders until the transaction ends: two who press at once make one. */
export async function findWaiting(tx: Tx, sessionId: string): Promise<Kick | undefined> {
  await tx.run(sql`select pg_advisory_xact_lock(lock_key('kick', ${sessionId}))`);
  return tx.maybe<Kick>(sql`
    select ${columns} from session_commands k
    where k.session_id = ${sessionId} and k.kind = 'end' and k.state = 'requested' and k.sent_at > now() - interval '15 seconds'
    order by k.requested_at desc limit 1`);
}

const told = (tenant: Sql, location: Sql): Sql =>
  sql`pg_notify('portico', json_build_object('tenant', ${tenant}, 'location', ${location}, 'topic', 'sessions')::text)`;

export async function insertKick(
  tx: Tx,
  it: { id: string; target: KickTarget; userId: string | null; reason: Kick['reason'] },
): Promise<Kick> {
  const kick = await tx.one<Kick>(sql`
    insert into session_commands as k (id, session_id, location_id, device_id, reason, requested_by, sent_at)
    values (${it.id}, ${it.target.session_id}, ${it.target.location_id}, ${it.target.device_id}, ${it.reason}, ${it.userId}, now())
    returning ${columns}`);
  await tx.run(sql`select ${told(sql`current_tenant()`, sql`${it.target.location_id}::uuid`)}`);
  return kick;
}

/** Notes what the router said, unless its Stop was faster. */
export async function answerKick(tx: Tx, id: string, answer: { state: Kick['state']; words: string }): Promise<Kick> {
  const kick = await tx.one<Kick & { location_id: string }>(sql`
    update session_commands k set answered_at = now(), words = ${answer.words},
      state = case when k.state = 'requested' then ${answer.state} else k.state end
    where k.id = ${id} returning ${columns}, k.location_id`);
  await tx.run(sql`select ${told(sql`current_tenant()`, sql`${kick.location_id}::uuid`)}`);
  const { location_id: _, ...answered } = kick;
  return answered;
}

/** What a router refuses to change it is told to end: the guest comes back under the new limits. Sent with the next round. */
export const endInstead = (tx: Tx, target: KickTarget) =>
  tx.run(sql`
    insert into session_commands (session_id, location_id, device_id, reason)
    values (${target.session_id}, ${target.location_id}, ${target.device_id}, 'operator')`);

/** Takes orders that nobody has sent, or whose sender did not live to note the answer. Across tenants. */
export async function claimKicks(
  tx: Tx,
  limit: number,
): Promise<(KickTarget & { tenant_id: string; kick_id: string; kind: Kick['kind'] })[]> {
  const waiting = sql`k.state = 'requested' and (k.sent_at is null or k.sent_at < now() - interval '30 seconds')`;
  await tx.run(sql`
    update session_commands k set state = 'confirmed', confirmed_at = now()
    where ${waiting} and not exists (select from online_sessions s where s.tenant_id = k.tenant_id and s.id = k.session_id)`);
  return tx.many(sql`
    with claimed as (
      update session_commands k set sent_at = now()
      where (k.tenant_id, k.id) in (
        select k.tenant_id, k.id from session_commands k where ${waiting} order by k.requested_at limit ${limit} for update skip locked)
      returning k.tenant_id, k.id, k.session_id, k.kind)
    select k.tenant_id, k.id as kick_id, k.kind, ${target}
    from claimed k
    join online_sessions s on s.tenant_id = k.tenant_id and s.id = k.session_id
    join devices d on d.tenant_id = s.tenant_id and d.id = s.device_id`);
}

/** Orders the end of sessions whose guests of a hotel have checked out: once, and again after ten minutes if it did not help. */
export const endStays = (tx: Tx, integrationId: string) =>
  tx.run(sql`
    insert into session_commands (session_id, location_id, device_id, reason)
    select s.id, s.location_id, s.device_id, 'stay-over'
    from visitors v join online_sessions s on s.visitor_id = v.id
    where v.integration_id = ${integrationId} and v.session_end_at <= now() and not exists (
      select from session_commands k where k.session_id = s.id and k.requested_at > now() - interval '10 minutes')`);
