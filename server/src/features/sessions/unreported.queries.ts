import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';
import { brandsWith } from '#routers/drivers.ts';
import type { AccountingRow } from './sign-in.queries.ts';

const silentBrands = brandsWith(driver => !driver.speaksRadius);

/** The accounting that routers of such sessions would send now: still open, or ended on time. Works across tenants. */
export const listUnreported = (tx: Tx) =>
  tx.many<AccountingRow>(sql`
    select o.tenant_id as tenant, o.device_id as device, case when e.ends <= now() then 'stop' else 'interim' end as status,
      least(now(), e.ends) as at, o.acct_session_id as session, o.class, o.user_name, upper(o.client_mac::text) as mac,
      host(o.client_ip) as ip, greatest(0, extract(epoch from least(now(), e.ends) - o.started_at))::bigint as seconds,
      o.upload, o.download, case when e.ends <= now() then 'Session-Timeout' end as cause
    from online_sessions o
    join devices d on d.tenant_id = o.tenant_id and d.id = o.device_id
    join brands b on b.id = d.brand_id and b.slug = any(${silentBrands}::text[])
    cross join lateral (select to_timestamp(split_part(o.acct_session_id, '-', 2)::bigint) as ends) e
    where o.acct_session_id like 'unreported-%'`);
