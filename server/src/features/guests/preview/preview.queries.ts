import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';
import { type PortalRow, portalJson } from '../guest-context.queries.ts';

export interface PreviewRow {
  portal: PortalRow;
  location_name: string | null;
  /** The methods that the portal's location was given. */
  available: string[] | null;
}

/** A portal's content as guests see it, or its draft if there is one and `drafts` is set. */
export const findPreview = (tx: Tx, portalId: string, drafts: boolean) =>
  tx.maybe<PreviewRow>(sql`
    select ${portalJson}::jsonb || case when p.nested is null then '{}' else jsonb_build_object('ads', p.nested->'advertisements') end as portal,
      l.name as location_name, l.available_providers as available
    from (select o.id, o.tenant_id, o.name, o.location_id, w.* from portals o, jsonb_to_record(coalesce(case when ${drafts} then o.draft end, to_jsonb(o)))
      as w(styles jsonb, providers jsonb, messages jsonb, agreements jsonb, nested jsonb)) p
    left join locations l on l.id = p.location_id
    where p.id = ${portalId}`);
