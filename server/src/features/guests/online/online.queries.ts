import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

export interface OnlineRow {
  id: string;
  visitor_id: string | null;
  /** As the router reports it. */
  user_name: string;
  started_at: string;
  seconds: number;
  /** Null: unlimited. */
  seconds_left: number | null;
  bytes: number;
  /** Null: unlimited. */
  bytes_left: number | null;
}

/** The open session of a guest device, by its MAC or pseudo MAC, or by the ticket that it signed in with. */
export const findOnline = (tx: Tx, deviceId: string, mac: string, ticket = '') =>
  tx.maybe<OnlineRow>(sql`
    select s.id, s.visitor_id, s.user_name, s.started_at, greatest(s.seconds, extract(epoch from now() - s.started_at)::bigint) as seconds, s.upload + s.download as bytes,
      least(extract(epoch from v.session_end_at - now())::bigint,
        case when v.special_profile then limit_seconds(v.session_duration)
             when p.id is not null then limit_seconds(p.session_duration)
             when l.time_limit_enabled then limit_seconds(jsonb_build_object('is_active', true, 'option', l.time_limit_unit, 'value', l.time_limit))
        end - extract(epoch from now() - s.started_at)::bigint) as seconds_left,
      case when l.daily_bandwidth_enabled and s.visitor_id is not null then greatest(0,
        l.daily_bandwidth * case l.daily_bandwidth_unit when 'mb' then 1000000::bigint else 1000000000 end
        - used_today(s.tenant_id, s.location_id, s.visitor_id, local_day(l.time_zone))) end as bytes_left
    from online_sessions s
    join locations l on l.id = s.location_id
    left join visitors v on v.id = s.visitor_id
    left join networks n on n.id = s.network_id
    left join profiles p on p.id = coalesce(v.profile_id, n.profile_id, l.default_profile_id)
    where s.device_id = ${deviceId} and (s.client_mac = parse_mac(${mac}) or s.user_name = nullif(${ticket}, '')
      or s.client_mac = (select u.client_mac from pseudo_macs u where u.device_id = ${deviceId} and u.pseudo_mac = parse_mac(${mac})))
    order by s.started_at desc limit 1`);
