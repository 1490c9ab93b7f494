import type { Tx } from '#db/tenant.ts';
import type { Actor } from '#http/actor.ts';
import { newId } from '#lib/ids.ts';
import { changedParts } from './portal-content.ts';
import { deleteUnreferenced, findNested } from './portal-nested.queries.ts';
import { amendVersion, insertVersion } from './portal-versions.queries.ts';
import type { PortalContent, StoredPortal } from './portals.queries.ts';

/** The portal's own content, without nested items. */
export const contentOf = ({ styles, providers, messages, agreements, page }: PortalContent): PortalContent => ({
  styles,
  providers,
  messages,
  agreements,
  page: page ?? {},
});

/** The columns of a draft. A draft equal to the published content is removed. */
export const draftColumns = (content: PortalContent, draft: PortalContent, since: Date | string | null) =>
  changedParts(content, draft).length === 0
    ? { draft: null, draft_at: null }
    : { draft: JSON.stringify(draft), draft_at: since };

/** Adds the published content to the history if it changed. */
export async function recordVersion(
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
  // Reordering rules takes one call per rule; calls in quick succession become one version.
  const isOrder = changes.length === 1 && changes[0] === 'rules';
  if (!isOrder || !(await amendVersion(tx, it))) await insertVersion(tx, it);
  await deleteUnreferenced(tx, portalId);
}
