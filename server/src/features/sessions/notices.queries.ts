import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

/** With more locations, the notice is for the whole tenant. */
const maxLocations = 20;
/** Changes in one notice, which has at most 8,000 bytes. */
const perNotice = 50;

/** Notifies the locations of these devices that their sessions changed. */
export const notifyChanged = (tx: Tx, devices: readonly { id: string; tenant: string }[]) =>
  tx.run(sql`
    with changed as (
      select distinct d.tenant_id, d.location_id
      from jsonb_to_recordset(${JSON.stringify(devices)}::jsonb) c (id uuid, tenant uuid)
      join devices d on d.tenant_id = c.tenant and d.id = c.id
    ), told as (
      select t.tenant_id, l.location_id, (row_number() over () - 1) / ${perNotice}::int as notice
      from (
        select tenant_id, case when count(*) > ${maxLocations} then array[null::uuid] else array_agg(location_id) end as locations
        from changed group by tenant_id) t
      cross join unnest(t.locations) l (location_id)
    )
    select pg_notify('portico', jsonb_agg(jsonb_build_object('tenant', tenant_id, 'location', location_id, 'topic', 'sessions'))::text)
    from told group by notice`);
