import { createHash } from 'node:crypto';
import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';
import type { PortalRow } from '../guest-context.queries.ts';

/** Identifies the current wording of a portal's agreements in all languages; null without agreements. */
export function agreementVersion({ agreements }: Pick<PortalRow, 'agreements'>): string | null {
  let version = versions.get(agreements);
  if (version === undefined) versions.set(agreements, (version = versionOf(agreements)));
  return version;
}
// Portals' content is cached (guest-services.ts), so its agreements keep their identity.
const versions = new WeakMap<PortalRow['agreements'], string | null>();

function versionOf(agreements: PortalRow['agreements']): string | null {
  const worded = (['general', 'kvkk'] as const).map(kind =>
    Object.entries(agreements[kind] ?? {})
      .filter(([, text]) => text)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  if (worded.every(texts => texts.length === 0)) return null;
  return createHash('sha256').update(JSON.stringify(worded)).digest('hex').slice(0, 32);
}

/** Records a guest's consent; a repeated one keeps its first time. */
export async function keepConsent(
  tx: Tx,
  portal: PortalRow,
  it: { visitorId: string; locationId: string; mac: string; version: string; language: string },
): Promise<void> {
  const { general, kvkk } = portal.agreements;
  await tx.run(sql`
    insert into agreement_versions (version, texts) values (${it.version}, ${{ general, kvkk }}::jsonb) on conflict do nothing`);
  await tx.run(sql`
    insert into consents (visitor_id, client_mac, version, location_id, language)
    values (${it.visitorId}, parse_mac(${it.mac}), ${it.version}, ${it.locationId}, ${it.language}) on conflict do nothing`);
}

export const hasAgreed = async (tx: Tx, visitorId: string, version: string): Promise<boolean> =>
  (await tx.maybe(sql`select 1 from consents where visitor_id = ${visitorId} and version = ${version} limit 1`)) !==
  undefined;
