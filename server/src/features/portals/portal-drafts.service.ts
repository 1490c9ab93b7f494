import type { PortalDraftForm } from '@portico/contract/portals.ts';
import type { Tx } from '#db/tenant.ts';
import { chooseLocation, givePortal } from '#features/locations/public.ts';
import { type Actor, inOneLocation } from '#http/actor.ts';
import { AppError, found } from '#http/app-error.ts';
import { newId } from '#lib/ids.ts';
import type { PictureUrls } from './picture-urls.ts';
import { mapSurveys, withSurveys } from './portal-blocks.ts';
import { isEqual } from './portal-content.ts';
import { copyItems } from './portal-items.queries.ts';
import { findNested, replaceNested } from './portal-nested.queries.ts';
import { mergeIntoDraft, nestedToWire, requireCompleteSurveys } from './portal-nested.ts';
import { findVersion } from './portal-versions.queries.ts';
import { contentOf, draftColumns, recordVersion } from './portal-versions.ts';
import type { PortalBody } from './portal-warnings.ts';
import * as queries from './portals.queries.ts';
import {
  asColumns,
  auditPortal,
  changedContent,
  describePortal,
  getPortal,
  type LockedPortal,
  recordUpdate,
  requireEditablePortal,
  requireSeen,
  type Seen,
} from './portals.service.ts';

interface PortalCall {
  readonly actor: Actor;
  readonly pictures: PictureUrls;
  readonly id: string;
}

/** The portal with the content of its draft. */
export async function getDraft(tx: Tx, { actor, pictures, id }: PortalCall): Promise<PortalBody> {
  const stored = found(await queries.findPortal(tx, actor, id));
  const { draft, draft_at } = stored;
  const portal = await describePortal(tx, pictures, { ...stored, ...draft });
  return draft?.nested ? { ...portal, ...nestedToWire(draft.nested, { portal, at: draft_at!, pictures }) } : portal;
}

export async function saveDraft(
  tx: Tx,
  { actor, pictures, id }: PortalCall,
  { seen_at, ...form }: PortalDraftForm & Seen,
): Promise<PortalBody> {
  const portal = await requireEditablePortal(tx, actor, id);
  requireSeen(portal, seen_at);
  const before = portal.draft ?? contentOf(portal);
  const draft = await changedContent(tx, { actor, pictures, portal }, before, form);
  const columns = draftColumns(portal, draft, new Date());
  await queries.updatePortal(tx, id, { ...columns, updated_by: actor.userId });
  const after = { draft: columns.draft && draft };
  await auditPortal(tx, actor, portal, { verb: 'update', before: { draft: before }, after });
  return getDraft(tx, { actor, pictures, id });
}

export async function discardDraft(tx: Tx, actor: Actor, id: string): Promise<void> {
  const portal = await requireEditablePortal(tx, actor, id);
  if (!portal.draft) return;
  await queries.updatePortal(tx, id, { draft: null, draft_at: null, updated_by: actor.userId });
  await auditPortal(tx, actor, portal, { verb: 'update', before: { draft: portal.draft }, after: { draft: null } });
}

export async function publishDraft(tx: Tx, { actor, pictures, id }: PortalCall): Promise<PortalBody> {
  const before = await requireEditablePortal(tx, actor, id);
  if (!before.draft) throw new AppError('no_draft');
  if (before.draft.nested) {
    requireCompleteSurveys(before.draft.nested);
    await replaceNested(tx, id, before.draft.nested);
  }
  await queries.updatePortal(tx, id, {
    ...asColumns(before.draft),
    draft: null,
    draft_at: null,
    updated_by: actor.userId,
  });
  return recordUpdate(tx, { actor, pictures }, before);
}

/** Applies a direct change of a nested list to the draft and the history. */
export async function recordNestedChange(tx: Tx, actor: Actor, before: LockedPortal): Promise<void> {
  const nested = await findNested(tx, before.id);
  const after = { ...before, nested, page: withSurveys(before.page, nested.surveys) };
  if (!isEqual(after.page, before.page ?? {}))
    await queries.updatePortal(tx, before.id, { page: JSON.stringify(after.page) });
  if (before.draft) {
    const merged = before.draft.nested && mergeIntoDraft(before.nested, nested, before.draft.nested);
    const page = withSurveys(before.draft.page, (merged ?? nested).surveys);
    const draft = { ...before.draft, page, ...(merged && { nested: merged }) };
    await queries.updatePortal(tx, before.id, draftColumns(after, draft, before.draft_at));
  }
  await recordVersion(tx, actor, before, after);
}

/** The portal with the content and the name of a version. */
export async function getVersion(tx: Tx, { actor, pictures, id }: PortalCall, versionId: string): Promise<PortalBody> {
  const stored = found(await queries.findPortal(tx, actor, id));
  const { name, content, created_at } = found(await findVersion(tx, id, versionId));
  const portal = await describePortal(tx, pictures, { ...stored, page: {}, ...content, name });
  return content.nested ? { ...portal, ...nestedToWire(content.nested, { portal, at: created_at, pictures }) } : portal;
}

/** Restores the content and name of a version. Sign-in ignores profiles that were deleted since. */
export async function restoreVersion(
  tx: Tx,
  { actor, pictures, id }: PortalCall,
  versionId: string,
): Promise<PortalBody> {
  const before = await requireEditablePortal(tx, actor, id);
  const { name, content } = found(await findVersion(tx, id, versionId));
  if (content.nested) await replaceNested(tx, id, content.nested);
  const nested = content.nested ?? before.nested;
  const now = { ...content, nested, page: withSurveys(content.page, nested.surveys) };
  const draft = before.draft && {
    ...before.draft,
    page: withSurveys(before.draft.page, (before.draft.nested ?? nested).surveys),
  };
  const columns = draft && draftColumns(now, draft, before.draft_at);
  await queries.updatePortal(tx, id, { name, ...asColumns(now), ...columns, updated_by: actor.userId });
  return recordUpdate(tx, { actor, pictures }, before);
}

/** Copies a portal within its location, without its statistics. */
export async function duplicatePortal(tx: Tx, { actor, pictures, id }: PortalCall, name: string): Promise<PortalBody> {
  const source = found(await queries.findPortal(tx, actor, id));
  // Members cannot create a portal without a location, so their copy goes to the location in which they work.
  const locationId = source.location_id ?? (inOneLocation(actor) ? await chooseLocation(tx, actor, null) : null);
  const copy = newId();
  await queries.insertPortal(tx, { id: copy, name, locationId, createdBy: actor.userId });
  const surveys = await copyItems(tx, id, copy, newId);
  const content = contentOf(source);
  await queries.updatePortal(
    tx,
    copy,
    asColumns({ ...content, page: mapSurveys(content.page, it => surveys.get(it)) }),
  );
  if (locationId) await givePortal(tx, locationId, copy);
  const made = found(await queries.findPortal(tx, actor, copy));
  await recordVersion(tx, actor, undefined, made);
  await auditPortal(tx, actor, made, { verb: 'create', after: { name, like: source.name } });
  return getPortal(tx, pictures, actor, copy);
}
