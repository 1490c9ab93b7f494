import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

/** Why a visitor's running sessions must go on otherwise: `changed` keeps those that may stay, `gone` ends all. */
export type VisitorTurn = 'changed' | 'gone';

/**
 * Writes down an order for every open session of a visitor, to be sent once the transaction has ended: to end it where the visitor may not
 * be online there any more, else to hold it to the limits that are in force by then. Answers how many.
 */
export const orderForVisitor = async (
  tx: Tx,
  it: { visitorId: string; turn: VisitorTurn; userId: string },
): Promise<number> =>
  (
    await tx.many(sql`
      with ordered as (
        insert into session_commands (session_id, location_id, device_id, kind, reason, requested_by)
        select s.id, s.location_id, s.device_id,
          case when ${it.turn} = 'gone' or v.id is null or v.blocked or v.location_id <> s.location_id
            or v.session_start_at > now() or v.session_end_at <= now() then 'end' else 'change' end,
          'operator', ${it.userId}
        from online_sessions s left join visitors v on v.id = s.visitor_id
        where s.visitor_id = ${it.visitorId}
        returning location_id)
      select pg_notify('portico', json_build_object('tenant', current_tenant(), 'location', location_id, 'topic', 'sessions')::text)
      from ordered`)
  ).length;

/** The limits in force for a running session, as authorize() gives them to one that begins. Null is unlimited. */
export interface RunningLimits {
  /** Counted from the session's start, as routers count. */
  seconds: number | null;
  upload_bps: number | null;
  download_bps: number | null;
}

/** Undefined when the session is over, or nobody's. */
export const limitsOf = (tx: Tx, sessionId: string) =>
  tx.maybe<RunningLimits>(sql`
    select
      least(ceil(extract(epoch from v.session_end_at - s.started_at))::bigint,
        case when v.special_profile then limit_seconds(v.session_duration)
             when p.id is not null then limit_seconds(p.session_duration)
             when l.time_limit_enabled then limit_seconds(jsonb_build_object('is_active', true, 'option', l.time_limit_unit, 'value', l.time_limit)) end) as seconds,
      case when v.special_profile then limit_bps(v.max_upload)
           when p.id is not null then limit_bps(p.max_upload)
           when l.upload_limit_enabled then l.upload_limit * 1000000::bigint end as upload_bps,
      case when v.special_profile then limit_bps(v.max_download)
           when p.id is not null then limit_bps(p.max_download)
           when l.download_limit_enabled then l.download_limit * 1000000::bigint end as download_bps
    from online_sessions s
    join visitors v on v.id = s.visitor_id
    join locations l on l.id = s.location_id
    left join networks n on n.id = s.network_id
    left join profiles p on p.id = coalesce(v.profile_id, n.profile_id, l.default_profile_id)
    where s.id = ${sessionId}`);
