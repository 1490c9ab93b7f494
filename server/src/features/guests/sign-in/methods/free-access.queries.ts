import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';
import type { FreeAccount } from '#features/visitors/public.ts';

/** Visitors with free access. A device has one such visitor, which gets a new period on another day. */

export interface FreeRow {
  id: string;
  email: string | null;
  /** The address is confirmed. */
  confirmed: boolean;
  /** The address was confirmed after the current period began. */
  confirmed_since: boolean;
  /** The current period has ended. */
  over: boolean;
  /** The current period began today, in the location's time zone. */
  today: boolean;
}

export const findFree = (tx: Tx, it: FreeAccount) =>
  tx.maybe<FreeRow>(sql`
    select v.id, v.email, v.email_confirmed_at is not null as confirmed,
      coalesce(v.email_confirmed_at > v.session_start_at, false) as confirmed_since,
      coalesce(v.session_end_at <= now(), false) as over,
      coalesce((v.session_start_at at time zone l.time_zone)::date = local_day(l.time_zone), false) as today
    from visitors v join locations l on l.id = v.location_id
    where v.location_id = ${it.locationId} and v.provider_type = ${it.provider} and v.portal_mac = parse_mac(${it.mac})`);

/** The profile and its duration: the method's profile if the location has it, else the network's, else the location's. */
export const findTerms = (tx: Tx, it: { deviceId: string; ip: string; profileId: string | null }) =>
  tx.one<{ profile_id: string | null; seconds: number | null }>(sql`
    select own.id as profile_id,
      case when p.id is not null then limit_seconds(p.session_duration)
           when l.time_limit_enabled then limit_seconds(jsonb_build_object('is_active', true, 'option', l.time_limit_unit, 'value', l.time_limit))
      end as seconds
    from devices d join locations l on l.id = d.location_id
    left join lateral find_network(d.tenant_id, d.id, parse_ip(${it.ip})) n on true
    left join profiles own on own.id = ${it.profileId}::uuid and own.location_id = l.id
    left join profiles p on p.id = coalesce(own.id, n.profile_id, l.default_profile_id)
    where d.id = ${it.deviceId}`);
