import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';
import { brandsWith } from '#routers/drivers.ts';
import type { Admissions } from '#routers/router-control.ts';
import type { AccountingRow } from './sign-in.queries.ts';

const followed = brandsWith(driver => driver.control?.tellsAdmitted ?? false);

const isDue = sql`(s.tried_at is null or s.tried_at < now() - interval '5 minutes')`;

export interface FollowedDevice {
  readonly tenant_id: string;
  readonly device_id: string;
}

/**
 * Devices whose controller knows how its guests' sessions stand, and which have such sessions; and those whose controller
 * fails. A controller that refuses our account, shows another certificate, or has nothing to tell is tried every five minutes.
 * Works across tenants.
 */
export const listFollowed = (tx: Tx) =>
  tx.many<FollowedDevice>(sql`
    select distinct o.tenant_id, o.device_id
    from online_sessions o
    join devices d on d.tenant_id = o.tenant_id and d.id = o.device_id and d.connection is not null
    join brands b on b.id = d.brand_id and b.slug = any(${followed}::text[])
    left join controller_states s on s.tenant_id = d.tenant_id and s.device_id = d.id
    where o.acct_session_id like 'unreported-%'
      and (s.failing_since is null or s.problem in ('unreachable', 'refused') or ${isDue})
    union
    select s.tenant_id, s.device_id
    from controller_states s
    join devices d on d.tenant_id = s.tenant_id and d.id = s.device_id and d.connection is not null
    where s.failing_since is not null and ${isDue}`);

/** A controller may not list a guest yet that it has just admitted. That does not hold once it has logged the guest out. */
const isToBeListed = sql`(o.started_at < now() - interval '30 seconds' or exists (
  select 1 from router_commands c where c.tenant_id = o.tenant_id and c.device_id = o.device_id and c.action = 'logout'
    and c.state = 'done' and c.created_at > o.started_at and c.command->>'mac' = upper(o.client_mac::text)))`;

/**
 * The accounting of these sessions by what the controller says now: those it no longer admits have ended. Runs under
 * withSystem.
 */
export const accountOf = (
  tx: Tx,
  at: { readonly tenantId: string; readonly deviceId: string },
  { guests, ended }: Admissions,
) =>
  tx.many<AccountingRow>(sql`
    select o.tenant_id as tenant, o.device_id as device, case when g.mac is null then 'stop' else 'interim' end as status,
      now() as at, o.acct_session_id as session, o.class, o.user_name, upper(o.client_mac::text) as mac, host(o.client_ip) as ip,
      greatest(0, extract(epoch from now() - o.started_at))::bigint as seconds,
      greatest(o.upload, coalesce(g.upload, 0)) as upload, greatest(o.download, coalesce(g.download, 0)) as download,
      case when g.mac is null then 'NAS-Request' end as cause
    from online_sessions o
    left join (
      -- A controller may list a guest once for each time that it was admitted.
      select parse_mac(l.mac) as mac, max(l.upload) as upload, max(l.download) as download
      from jsonb_to_recordset(${JSON.stringify(guests)}::jsonb) as l(mac text, upload bigint, download bigint)
      group by 1
    ) g on g.mac = o.client_mac
    where o.tenant_id = ${at.tenantId} and o.device_id = ${at.deviceId} and o.acct_session_id like 'unreported-%'
      and (g.mac is not null or ${isToBeListed} and (
        ${ended === undefined} or o.client_mac in (select parse_mac(e) from unnest(${ended ?? []}::text[]) as e)))`);
