import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';
import { type PortalRow, portalJson } from '../guest-context.queries.ts';

/** A portal's content as guests see it, or its draft if there is one and `drafts` is set. */
export const findPreview = (tx: Tx, portalId: string, drafts: boolean) =>
  tx.maybe<{ portal: PortalRow; location_name: string | null }>(sql`
    select ${portalJson}::jsonb || case when p.nested is null then '{}' else jsonb_build_object('ads', p.nested->'advertisements') end as portal,
      (select l.name from locations l where l.id = p.location_id) as location_name
    from (select o.id, o.tenant_id, o.name, o.location_id, w.* from portals o, jsonb_to_record(coalesce(case when ${drafts} then o.draft end, to_jsonb(o)))
      as w(styles jsonb, providers jsonb, messages jsonb, agreements jsonb, nested jsonb)) p
    where p.id = ${portalId}`);
