import type { Tx } from '#db/tenant.ts';
import type { Actor } from '#http/actor.ts';
import { newId } from '#lib/ids.ts';
import { changedParts } from './portal-content.ts';
import { insertVersion } from './portal-versions.queries.ts';
import type { PortalContent, StoredPortal } from './portals.queries.ts';

export const contentOf = ({ styles, providers, messages, agreements }: PortalContent): PortalContent => ({
  styles,
  providers,
  messages,
  agreements,
});

/** A draft as it is kept beside what guests see. One that is the same, edited back, is none. */
export const draftColumns = (content: PortalContent, draft: PortalContent, since: Date | string | null) =>
  changedParts(content, draft).length === 0
    ? { draft: null, draft_at: null }
    : { draft: JSON.stringify(draft), draft_at: since };

/** Keeps what guests see now as a version, where it differs from what they saw. */
export async function keepVersion(
  tx: Tx,
  actor: Actor,
  before: StoredPortal | undefined,
  after: StoredPortal,
): Promise<void> {
  const changes = before ? changedParts(before, after) : [];
  if (before && before.name !== after.name) changes.unshift('name');
  if (before && changes.length === 0) return;
  const { id: portalId, name } = after;
  await insertVersion(tx, { id: newId(), portalId, name, content: contentOf(after), changes, userId: actor.userId });
}
