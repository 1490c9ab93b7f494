import type { VisitorRefusal } from '@portico/contract/sessions.ts';
import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';
import { isPseudoMac } from '../arrival/anonymous-device.ts';

/**
 * Why authorize() would refuse a visitor, known before the router asks. With a pseudo MAC only authorize() can tell whether
 * the device is one too many; `strict` counts it as another device.
 */
export const findRefusal = async (
  tx: Tx,
  it: { visitorId: string; deviceId: string; mac: string; ip: string; strict?: boolean },
): Promise<VisitorRefusal | 'paused' | null> =>
  (
    await tx.one<{ reason: VisitorRefusal | 'paused' | null }>(sql`
      select case
        when v.blocked then 'paused'
        when v.session_start_at > now() then 'not_yet'
        when v.session_end_at <= now() then 'expired'
        when b.total_seconds = 0 then 'expired'
        when b.day_seconds = 0 then 'over_time'
        when lim.reduced_bps is null and b.total_bytes = 0 then 'expired'
        when lim.reduced_bps is null and b.day_bytes = 0 then 'over_quota'
        when ${it.strict || !isPseudoMac(it.mac)} and (select used from devices_in_use(v.tenant_id, v.id, parse_mac(${it.mac}))) >=
          lim.shared_user then 'over_limit'
      end as reason
      from visitors v
      join devices d on d.id = ${it.deviceId}
      join locations l on l.id = d.location_id
      left join lateral find_network(d.tenant_id, d.id, parse_ip(${it.ip})) n on true
      left join profiles p on p.id = coalesce(v.profile_id, n.profile_id, l.default_profile_id)
      cross join lateral limits_in_force(v, p, l) lim
      cross join lateral visitor_balance(v, p, l) b
      where v.id = ${it.visitorId}`)
  ).reason;
