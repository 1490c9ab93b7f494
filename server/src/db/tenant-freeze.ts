import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { openClient } from './client.ts';
import { sqlState } from './errors.ts';
import { requireId } from './tenant.ts';
import { tenantTables } from './tenant-tables.ts';

/** The setting that lets one transaction of portico_system see the rows of a frozen tenant; `all`: of every one. */
export const moverSetting = 'portico.mover';

const nameOf = (tenantId: string): string => pg.escapeIdentifier(`moving_${requireId(tenantId)}`);
/** Tables that are read before the tenant is known. Their readers tell callers that the tenant moves. */
const shown = new Set(['tenants', 'tenant_domains']);
const tries = 60;

/** Waits for a lock briefly and often, because while it waits, everything else waits behind it. */
async function withLock(client: pg.Client, statements: string): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      await client.query(`begin; set local lock_timeout = '500ms'; ${statements}; commit`);
      return;
    } catch (error) {
      await client.query('rollback');
      if (attempt === tries || !['55P03', '40P01'].includes(sqlState(error) ?? '')) throw error;
      await sleep(100 + 20 * attempt);
    }
}

async function eachTable(url: string, statements: (table: string, key: string, name: string) => string): Promise<void> {
  const client = await openClient(url, 'move');
  try {
    for (const { name, key } of await tenantTables(client))
      await withLock(client, statements(pg.escapeIdentifier(name), key, name));
  } finally {
    await client.end();
  }
}

/**
 * Refuses every change of a tenant's rows, and hides them from jobs and the services that serve all tenants. The tenant's own
 * readers still see them. To create a trigger waits for open writers of the table, so that afterwards no transaction can still
 * change the tenant. Nothing is spent on this while no tenant moves. Idempotent.
 */
export const freezeTenant = (url: string, tenantId: string): Promise<void> =>
  eachTable(url, (table, key, name) => {
    const [own, id] = [nameOf(tenantId), `'${requireId(tenantId)}'`];
    const deletes = pg.escapeIdentifier(`moving_del_${requireId(tenantId)}`);
    return [
      `drop trigger if exists ${own} on ${table}`,
      `drop trigger if exists ${deletes} on ${table}`,
      `drop policy if exists ${own} on ${table}`,
      `create trigger ${own} before insert or update on ${table} for each row when (new.${key} = ${id}) execute function refuse_moving()`,
      `create trigger ${deletes} before delete on ${table} for each row when (old.${key} = ${id}) execute function refuse_moving()`,
      ...(shown.has(name)
        ? []
        : [
            `create policy ${own} on ${table} as restrictive to portico_system using (${key} is distinct from ${id} or current_setting('${moverSetting}', true) in (${id}, 'all'))`,
          ]),
    ].join('; ');
  });

/** Ends what freezeTenant did. Idempotent. */
export const thawTenant = (url: string, tenantId: string): Promise<void> =>
  eachTable(url, table => {
    const own = nameOf(tenantId);
    const deletes = pg.escapeIdentifier(`moving_del_${requireId(tenantId)}`);
    return [
      `drop trigger if exists ${own} on ${table}`,
      `drop trigger if exists ${deletes} on ${table}`,
      `drop policy if exists ${own} on ${table}`,
    ].join('; ');
  });
