import type { GuestProblem } from '@portico/contract/guest-problems.ts';
import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';
import { type PortalRow, portalJson } from '../guest-context.queries.ts';

export interface PassRow {
  location_id: string;
  location_name: string;
  portal: PortalRow | null;
  problem: GuestProblem | null;
  /** The begin of an access that has not begun. */
  begins: string | null;
  time_zone: string;
  /** The router with the guest's public address, else the location's only router. */
  router: { brand: string; hotspot_address: string } | null;
}

const placeColumns = sql`
  l.id as location_id, l.name as location_name, l.time_zone, case when v.session_start_at > now() then v.session_start_at end as begins, case when p.id is not null then ${portalJson} end as portal,
  case when r.hotspot_address is not null then json_build_object('brand', r.brand, 'hotspot_address', r.hotspot_address) end as router`;
const placeJoins = (address: string) => sql`
  left join lateral (
    select br.slug as brand, d.hotspot_address, d.portal_periods from devices d join brands br on br.id = d.brand_id
    where d.location_id = l.id
      and (d.last_address = parse_ip(${address}) or not exists (select from devices x where x.location_id = l.id and x.id <> d.id))
    order by d.hotspot_address is null, d.last_seen_at desc nulls last limit 1) r on true
  left join portals p on p.id = coalesce(portal_of_period(l.tenant_id, r.portal_periods, l.time_zone),
    portal_of_period(l.tenant_id, l.portal_periods, l.time_zone), l.portal_id)`;
const visitorProblem = sql`
  case
    when v.blocked then 'paused'
    when v.session_start_at > now() then 'not_yet'
    when v.session_end_at <= now() then 'expired'
  end`;

/** The visitor of a pass; `address` is the public address of the guest. The password is encrypted. */
export const findPass = (tx: Tx, visitorId: string, address: string) =>
  tx.maybe<PassRow & { username: string; password: string }>(sql`
    select ${placeColumns}, v.username, v.password, ${visitorProblem} as problem
    from visitors v
    join locations l on l.id = v.location_id
    ${placeJoins(address)}
    where v.id = ${visitorId} and v.provider_type = 'username' and v.username is not null and v.password is not null`);

/** The voucher of a pass. The code is encrypted. */
export const findVoucherPass = (tx: Tx, voucherId: string, address: string) =>
  tx.maybe<PassRow & { code: string }>(sql`
    select ${placeColumns}, k.code,
      case
        when k.revoked_at is not null or (k.used_at is not null and v.id is null) then 'voucher_over'
        when k.used_at is null and voucher_end(b.valid_until, l.time_zone) <= now() then 'voucher_over'
        else ${visitorProblem}
      end as problem
    from vouchers k
    join voucher_batches b on b.id = k.batch_id
    join locations l on l.id = k.location_id
    left join visitors v on v.id = k.visitor_id and v.location_id = k.location_id
    ${placeJoins(address)}
    where k.id = ${voucherId}`);
