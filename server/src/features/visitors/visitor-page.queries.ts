import type { VisitorConsent } from '@portico/contract/visitor-page.ts';
import sql from 'sql-template-tag';
import { countRows, pageOf } from '#db/list.ts';
import type { Tx } from '#db/tenant.ts';
import type { Rows } from '#http/page.ts';

/** The consents of a visitor, newest first. */
export async function listConsentsOf(
  tx: Tx,
  visitorId: string,
  at: { page: number; per_page: number },
): Promise<Rows<VisitorConsent>> {
  const found = sql`from consents c where c.visitor_id = ${visitorId}`;
  const [rows, total] = await Promise.all([
    tx.many<VisitorConsent>(sql`
      select c.version, c.language, nullif(c.client_mac, '00:00:00:00:00:00') as client_mac, c.created_at,
        array(select k.kind from unnest(array['general', 'kvkk']) k(kind) where jsonb_typeof(a.texts->k.kind) = 'object' and a.texts->k.kind <> '{}') as kinds
      from (select c.* ${found} order by c.created_at desc, c.version, c.client_mac ${pageOf(at)}) c
      join agreement_versions a on a.version = c.version
      order by c.created_at desc, c.version, c.client_mac`),
    countRows(tx, found, at),
  ]);
  return { rows, total };
}
