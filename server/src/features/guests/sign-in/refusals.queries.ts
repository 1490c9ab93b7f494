import type { SignInRefusal } from '@portico/contract/sessions.ts';
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
): Promise<SignInRefusal | 'paused' | null> =>
  (
    await tx.one<{ reason: SignInRefusal | 'paused' | null }>(sql`
      select case
        when v.blocked then 'paused'
        when v.session_start_at > now() then 'not_yet'
        when v.session_end_at <= now() then 'expired'
        when l.daily_bandwidth_enabled and used_today(v.tenant_id, l.id, v.id, local_day(l.time_zone)) >=
          l.daily_bandwidth * case l.daily_bandwidth_unit when 'mb' then 1000000::bigint else 1000000000 end then 'over_quota'
        when ${it.strict || !isPseudoMac(it.mac)} and (select used from devices_in_use(v.tenant_id, v.id, parse_mac(${it.mac}))) >=
          case when v.special_profile then v.shared_user else p.shared_user end then 'over_limit'
      end as reason
      from visitors v
      join devices d on d.id = ${it.deviceId}
      join locations l on l.id = d.location_id
      left join lateral find_network(d.tenant_id, d.id, parse_ip(${it.ip})) n on true
      left join profiles p on p.id = coalesce(v.profile_id, n.profile_id, l.default_profile_id)
      where v.id = ${it.visitorId}`)
  ).reason;
