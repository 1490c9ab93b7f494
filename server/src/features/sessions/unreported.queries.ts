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

const keyOf = sql`split_part(s.acct_session_id, '-', 3)`;
const named = sql`s.acct_session_id as session, coalesce(s.class, '') as class, s.user_name, upper(s.client_mac::text) as mac,
  coalesce(host(s.client_ip), '') as ip, ${keyOf} as key, s.upload, s.download,
  greatest(0, extract(epoch from now() - s.started_at))::bigint as seconds`;

export interface UnreportedRow {
  session: string;
  /** Empty: none. */
  class: string;
  user_name: string;
  mac: string;
  ip: string;
  key: string;
  upload: number;
  download: number;
  seconds: number;
}

interface OpenRow extends UnreportedRow {
  id: string;
  /** It is not just beginning, so its gateway knows it. */
  settled: boolean;
  /** Its counters are worth an update. */
  due: boolean;
  /** It is to end. */
  over: boolean;
}

/** The open sessions of a device that reports none by RADIUS. */
export const listOpenAt = (tx: Tx, deviceId: string) =>
  tx.many<OpenRow>(sql`
    select s.id, ${named}, s.started_at < now() - interval '45 seconds' as settled, s.updated_at < now() - interval '25 seconds' as due,
      exists (select from session_commands k where k.session_id = s.id and k.kind = 'end'
        and k.state in ('requested', 'acknowledged', 'no-answer')) as over
    from online_sessions s
    where s.device_id = ${deviceId} and s.acct_session_id like 'unreported-%'`);

/** The latest session with each name, open or closed. */
export const findByKey = (tx: Tx, deviceId: string, keys: readonly string[]) =>
  tx.many<UnreportedRow & { reason: string | null }>(sql`
    select distinct on (x.key) x.* from (
      select ${named}, s.started_at, null::text as reason from online_sessions s
      where s.device_id = ${deviceId} and s.acct_session_id like 'unreported-%' and ${keyOf} = any(${keys}::text[])
      union all
      select ${named}, s.started_at, s.close_reason from session_history s
      where s.device_id = ${deviceId} and s.started_at > now() - interval '2 days' and s.acct_session_id like 'unreported-%'
        and ${keyOf} = any(${keys}::text[])) x
    order by x.key, x.started_at desc`);

/** The gateway has taken the commands to end these sessions. */
export const acknowledgeEnds = (tx: Tx, sessionIds: readonly string[]) =>
  tx.run(sql`
    update session_commands set state = 'acknowledged', answered_at = now()
    where session_id = any(${sessionIds}::uuid[]) and kind = 'end' and state in ('requested', 'no-answer')`);
