import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';
import type { NamedQuestion } from '#features/portals/public.ts';
import { type PortalRow, portalJson, type WaysIn, waysIn } from '../guest-context.queries.ts';

export interface PreviewRow extends WaysIn {
  portal: PortalRow;
  /** Null for a portal of the whole tenant: its preview needs no token, and must not name a location. */
  location_name: string | null;
  /** The portal's own location; null for a portal of the whole tenant. */
  location_id: string | null;
  /** The methods that the portal's location was given. */
  available: string[] | null;
  /** The questions of the portal's first survey. */
  questions: NamedQuestion[] | null;
}

/**
 * A portal's content as guests see it; a version of it; or its draft if there is one and `drafts` is set. A portal of the
 * whole tenant has the ways to sign in of the first location that has it.
 */
export const findPreview = (
  tx: Tx,
  portalId: string,
  { drafts, version, providers }: { drafts: boolean; version: string | null; providers: readonly string[] },
) =>
  tx.maybe<PreviewRow>(sql`
    select ${portalJson}::jsonb || case when p.nested is null then '{}' else jsonb_build_object('ads', p.nested->'advertisements') end as portal,
      case when p.location_id is not null then l.name end as location_name, p.location_id, l.available_providers as available, ${waysIn(providers)},
      case when p.nested is null then (select s.questions from portal_surveys s where s.portal_id = p.id order by s.id limit 1)
        else p.nested->'surveys'->0->'questions' end as questions
    from (select o.id, o.tenant_id, o.name, o.location_id, w.* from portals o, jsonb_to_record(coalesce((select v.content from portal_versions v where v.portal_id = o.id and v.id = ${version}::uuid),
      case when ${drafts} then o.draft end, to_jsonb(o)))
      as w(styles jsonb, providers jsonb, messages jsonb, agreements jsonb, page jsonb, nested jsonb)) p
    left join locations l on l.id = coalesce(p.location_id, (select f.id from locations f where f.portal_id = p.id order by f.id limit 1))
    where p.id = ${portalId}`);

/** The sizes of the pictures that a text names. */
export const findSizes = (tx: Tx, content: string) =>
  tx.one<Pick<PortalRow, 'sizes'>>(sql`select picture_sizes(current_tenant(), ${content}) as sizes`);
