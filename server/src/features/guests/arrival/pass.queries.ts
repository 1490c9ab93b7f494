import type { GuestProblem } from '@portico/contract/guest-problems.ts';
import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';
import { type PortalRow, portalJson } from '../guest-context.queries.ts';

export interface PassRow {
  location_id: string;
  location_name: string;
  username: string;
  /** Encrypted. */
  password: string;
  portal: PortalRow | null;
  problem: GuestProblem | null;
  /** The router with the guest's public address, else the location's only router. */
  router: { brand: string; hotspot_address: string } | null;
}

/** The visitor of a pass; `address` is the public address of the guest. */
export const findPass = (tx: Tx, visitorId: string, address: string) =>
  tx.maybe<PassRow>(sql`
    select l.id as location_id, l.name as location_name, v.username, v.password, case when p.id is not null then ${portalJson} end as portal,
      case
        when v.blocked then 'paused'
        when v.session_start_at > now() then 'not_yet'
        when v.session_end_at <= now() then 'expired'
      end as problem,
      case when r.brand is not null then json_build_object('brand', r.brand, 'hotspot_address', r.hotspot_address) end as router
    from visitors v
    join locations l on l.id = v.location_id
    left join portals p on p.id = l.portal_id
    left join lateral (
      select br.slug as brand, d.hotspot_address from devices d join brands br on br.id = d.brand_id
      where d.location_id = l.id and d.hotspot_address is not null
        and (d.last_address = parse_ip(${address}) or not exists (select from devices x where x.location_id = l.id and x.id <> d.id))
      order by d.last_seen_at desc nulls last limit 1) r on true
    where v.id = ${visitorId} and v.provider_type = 'username' and v.username is not null and v.password is not null`);
