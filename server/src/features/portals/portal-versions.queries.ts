import type { PortalVersion } from '@portico/contract/portals.ts';
import sql from 'sql-template-tag';
import { pageOf } from '#db/list.ts';
import type { Tx } from '#db/tenant.ts';
import type { Rows } from '#http/page.ts';
import type { PortalContent } from './portals.queries.ts';

/** Number of versions to keep per portal. */
const maxVersions = 100;

interface NewVersion {
  readonly id: string;
  readonly portalId: string;
  readonly name: string;
  readonly content: PortalContent;
  readonly changes: readonly string[];
  readonly userId: string;
}

/** The caller holds a lock on the portal, so numbers are consecutive. */
export async function insertVersion(tx: Tx, it: NewVersion): Promise<void> {
  await tx.run(sql`
    insert into portal_versions (id, portal_id, number, name, content, changes, published_by)
    select ${it.id}, ${it.portalId}, coalesce(max(number), 0) + 1, ${it.name}, ${JSON.stringify(it.content)}, ${it.changes}, ${it.userId}
    from portal_versions where portal_id = ${it.portalId}`);
  await tx.run(sql`
    delete from portal_versions where portal_id = ${it.portalId}
      and number <= (select max(number) from portal_versions where portal_id = ${it.portalId}) - ${maxVersions}`);
}

/** Merges the change into the newest version if the same user changed the same parts within a minute; else returns 0. */
export const amendVersion = (tx: Tx, it: NewVersion) =>
  tx.run(sql`
    update portal_versions v set content = ${JSON.stringify(it.content)}, created_at = now()
    where v.portal_id = ${it.portalId} and v.number = (select max(number) from portal_versions where portal_id = ${it.portalId})
      and v.published_by = ${it.userId} and v.changes = ${it.changes}::text[] and v.created_at > now() - interval '1 minute'`);

export async function listVersions(
  tx: Tx,
  portalId: string,
  query: { page: number; per_page: number },
): Promise<Rows<PortalVersion>> {
  const [rows, { total }] = await Promise.all([
    tx.many<PortalVersion>(sql`
      select v.id, v.number, v.name, v.changes, v.created_at,
        case when u.id is not null then json_build_object('id', u.id, 'full_name', u.first_name || ' ' || u.last_name) end as published_by,
        v.number = (select max(number) from portal_versions where portal_id = ${portalId}) as current
      from portal_versions v left join users u on u.id = v.published_by
      where v.portal_id = ${portalId} order by v.number desc ${pageOf(query)}`),
    tx.one<{ total: number }>(sql`select count(*) as total from portal_versions where portal_id = ${portalId}`),
  ]);
  return { rows, total };
}

export const findVersion = (tx: Tx, portalId: string, id: string) =>
  tx.maybe<{ name: string; content: PortalContent; created_at: string }>(
    sql`select name, content, created_at from portal_versions where portal_id = ${portalId} and id = ${id}`,
  );
