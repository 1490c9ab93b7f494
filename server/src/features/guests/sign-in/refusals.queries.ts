import type { VisitorRefusal } from '@portico/contract/sessions.ts';
import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';
import { isPseudoMac } from '../arrival/anonymous-device.ts';

export interface RefusalQuery {
  readonly visitorId: string;
  readonly deviceId: string;
  readonly mac: string;
  readonly ip: string;
  /** Counts a pseudo MAC as another device. */
  readonly strict?: boolean;
}

type Reason = VisitorRefusal | 'paused' | null;

/**
 * Why authorize() would refuse visitors, known before the router asks; in the order of the questions. Only this function refuses
 * a visitor who was moved to another location: authorize() accepts the ticket of any visitor. With a pseudo MAC only authorize()
 * can tell whether the device is one too many. Undefined for a visitor or device that is gone. Each array is wrapped in a SELECT
 * to hide its length: PostgreSQL would otherwise plan the query for each length, which takes longer than running it.
 */
export async function findRefusals(tx: Tx, batch: readonly RefusalQuery[]): Promise<(Reason | undefined)[]> {
  const rows = await tx.many<{ n: number; reason: Reason }>(sql`
    select g.n::int, case
        when v.blocked then 'paused'
        when v.session_start_at > now() then 'not_yet'
        when v.session_end_at <= now() or v.location_id <> d.location_id then 'expired'
        when b.total_seconds = 0 then 'expired'
        when b.day_seconds = 0 then 'over_time'
        when lim.reduced_bps is null and b.total_bytes = 0 then 'expired'
        when lim.reduced_bps is null and b.day_bytes = 0 then 'over_quota'
        when g.counts and (select used from devices_in_use(v.tenant_id, v.id, parse_mac(g.mac))) >= lim.shared_user then 'over_limit'
      end as reason
    from unnest((select ${batch.map(it => it.visitorId)}::uuid[]), (select ${batch.map(it => it.deviceId)}::uuid[]),
      (select ${batch.map(it => it.mac)}::text[]), (select ${batch.map(it => it.ip)}::text[]),
      (select ${batch.map(it => it.strict || !isPseudoMac(it.mac))}::boolean[])) with ordinality
      as g (visitor_id, device_id, mac, ip, counts, n)
    join visitors v on v.id = g.visitor_id
    join devices d on d.id = g.device_id
    join locations l on l.id = d.location_id
    left join lateral find_network(d.tenant_id, d.id, parse_ip(g.ip)) n on true
    left join profiles p on p.id = coalesce(v.profile_id, n.profile_id, l.default_profile_id)
    cross join lateral limits_in_force(v, p, l) lim
    cross join lateral visitor_balance(v, p, l) b`);
  const byIndex = new Map(rows.map(row => [row.n, row.reason]));
  return batch.map((_, i) => byIndex.get(i + 1));
}

export interface BeginRow {
  readonly begins: string | null;
  readonly time_zone: string;
}

/** When the access of a visitor begins that has not begun, and the time zone of its location. */
export const findBegin = (tx: Tx, visitorId: string) =>
  tx.maybe<BeginRow>(sql`
    select v.session_start_at as begins, l.time_zone from visitors v join locations l on l.id = v.location_id
    where v.id = ${visitorId} and v.session_start_at > now()`);

export async function findRefusal(tx: Tx, it: RefusalQuery): Promise<Reason> {
  const [reason] = await findRefusals(tx, [it]);
  if (reason === undefined) throw new Error('The visitor or its device is gone');
  return reason;
}
