import type { Client } from 'pg';

export interface TenantTable {
  readonly name: string;
  /** The column with the tenant's id. */
  readonly key: 'id' | 'tenant_id';
  /** The columns that are not generated. */
  readonly columns: readonly string[];
  /** The tenant itself may read and add its rows; else portico_system does. */
  readonly ownReads: boolean;
  readonly ownInserts: boolean;
  /** False: the product itself never removes a row of it, such as a line of the audit log. */
  readonly systemDeletes: boolean;
}

/** Every table with rows of tenants; a partition counts as part of its table. */
export async function tenantTables(client: Client): Promise<TenantTable[]> {
  const { rows } = await client.query<TenantTable>(`
    select c.relname as name, case when c.relname = 'tenants' then 'id' else 'tenant_id' end as key,
      (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
      has_table_privilege('portico_app', c.oid, 'select') as "ownReads",
      has_table_privilege('portico_app', c.oid, 'insert') as "ownInserts",
      has_table_privilege('portico_system', c.oid, 'delete') as "systemDeletes"
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and (c.relname = 'tenants' or exists (
        select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped))
    order by c.relname = 'tenants' desc, 1`);
  return rows;
}
