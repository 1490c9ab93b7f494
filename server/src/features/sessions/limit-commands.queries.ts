import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

/** `changed` keeps the sessions that are still allowed; `gone` ends all. */
export type VisitorEvent = 'changed' | 'gone';

/**
 * Queues a command for every open session of visitors: `end` if the visitor may no longer be online, else `change`. The
 * limits of a `change` are read when it is sent. Returns the number of commands.
 */
export const commandForVisitors = async (
  tx: Tx,
  it: { visitorIds: readonly string[]; event: VisitorEvent; userId: string | null },
): Promise<number> =>
  (
    await tx.many(sql`
      with queued as (
        insert into session_commands (session_id, location_id, device_id, kind, reason, requested_by)
        select s.id, s.location_id, s.device_id,
          case when ${it.event} = 'gone' or has_no_access(v, s.location_id) then 'end' else 'change' end,
          'operator', ${it.userId}::uuid
        from online_sessions s left join visitors v on v.id = s.visitor_id
        where s.visitor_id = any(${it.visitorIds})
        returning location_id)
      select pg_notify('portico', json_build_object('tenant', current_tenant(), 'location', location_id, 'topic', 'sessions')::text)
      from queued`)
  ).length;

/** Queues a change for every open session that uses this profile through its visitor, network or location. */
export const commandForProfile = (tx: Tx, it: { profileId: string; userId: string }): Promise<number> =>
  tx.run(sql`
    with waiting as (
      -- These will carry the new limits too. Locked: one that is just being sent carries the old limits.
      select k.session_id from session_commands k
      where k.location_id = (select p.location_id from profiles p where p.id = ${it.profileId})
        and k.kind = 'change' and k.state = 'requested' and k.sent_at is null
      for update)
    insert into session_commands (session_id, location_id, device_id, kind, reason, requested_by)
    select s.id, s.location_id, s.device_id, 'change', 'operator', ${it.userId}
    from profiles p
    join online_sessions s on s.location_id = p.location_id
    join visitors v on v.id = s.visitor_id and not v.special_profile
    join locations l on l.id = s.location_id
    left join networks n on n.id = s.network_id
    where p.id = ${it.profileId} and coalesce(v.profile_id, n.profile_id, l.default_profile_id) = p.id
      and not exists (select from waiting w where w.session_id = s.id)`);

/** The current limits of a running session, calculated like in authorize(). Null means unlimited. */
export interface RunningLimits {
  /** Counted from the start of the session, like routers do. */
  seconds: number | null;
  upload_bps: number | null;
  download_bps: number | null;
  /** Both directions, counted from the start of the session. */
  bytes: number | null;
  /** Seconds between updates. */
  interim: number;
}

/** Undefined when the session has ended or has no visitor. */
export const limitsOf = (tx: Tx, sessionId: string) =>
  tx.maybe<RunningLimits>(sql`
    select
      least(ceil(extract(epoch from v.session_end_at - s.started_at))::bigint, lim.session_seconds,
        ceil(extract(epoch from now() - s.started_at))::bigint + least(b.day_seconds, b.total_seconds)) as seconds,
      case when slow.is_on then least(lim.upload_bps, lim.reduced_bps) else lim.upload_bps end as upload_bps,
      case when slow.is_on then least(lim.download_bps, lim.reduced_bps) else lim.download_bps end as download_bps,
      case when lim.reduced_bps is null
        then least(lim.session_bytes, s.upload + s.download + least(b.day_bytes, b.total_bytes)) end as bytes,
      s.interim
    from online_sessions s
    join visitors v on v.id = s.visitor_id
    join locations l on l.id = s.location_id
    left join networks n on n.id = s.network_id
    left join profiles p on p.id = coalesce(v.profile_id, n.profile_id, l.default_profile_id)
    cross join lateral limits_in_force(v, p, l) lim
    cross join lateral visitor_balance(v, p, l) b
    cross join lateral (
      select lim.reduced_bps is not null
        and (b.day_bytes = 0 or b.total_bytes = 0 or s.upload + s.download >= lim.session_bytes) is true as is_on) slow
    where s.id = ${sessionId}`);
