import sql, { type Sql } from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';
import { brandsWith, takesCommands } from '#routers/drivers.ts';

/** Brands that are told neither by RADIUS nor when they ask. Some of them are told by their controller. */
const untold = brandsWith(driver => !driver.pull && !takesCommands(driver));
const byController = brandsWith(driver => driver.control?.takes.includes('logout') ?? false);

/** Whether a command can end session `s` at device `d`. False: the gateway takes none, so only the guest or a limit ends it. */
export const isEndable: Sql = sql`coalesce((
  select b.slug <> all(${untold}::text[]) or b.slug = any(${byController}::text[]) and d.connection is not null and s.client_mac is not null
  from brands b where b.id = d.brand_id), true)`;

/** How many open sessions of these visitors no command can end. */
export const countUnendable = async (tx: Tx, visitorIds: readonly string[]): Promise<number> =>
  (
    await tx.one<{ n: number }>(sql`
      select count(*)::int as n from online_sessions s left join devices d on d.id = s.device_id
      where s.visitor_id = any(${visitorIds}) and not ${isEndable}`)
  ).n;
