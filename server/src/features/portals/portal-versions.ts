import type { Tx } from '#db/tenant.ts';
import type { Actor } from '#http/actor.ts';
import { newId } from '#lib/ids.ts';
import { changedParts } from './portal-content.ts';
import { findNested, forgetRetired } from './portal-nested.queries.ts';
import { amendVersion, insertVersion } from './portal-versions.queries.ts';
import type { PortalContent, StoredPortal } from './portals.queries.ts';

/** What is kept of a portal's own; what is nested in it is kept apart. */
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
  const { id: portalId, name } = after;
  const content = { ...contentOf(after), nested: await findNested(tx, portalId) };
  const changes = before ? changedParts(before, content) : [];
  if (before && before.name !== name) changes.unshift('name');
  if (before && changes.length === 0) return;
  const it = { id: newId(), portalId, name, content, changes, userId: actor.userId };
  // Rules are put in order by a call for each: what follows at once is of the same version.
  const isOrder = changes.length === 1 && changes[0] === 'rules';
  if (!isOrder || !(await amendVersion(tx, it))) await insertVersion(tx, it);
  await forgetRetired(tx, portalId);
}
