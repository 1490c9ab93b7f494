import type { PortalDraftForm } from '@portico/contract/portals.ts';
import type { Tx } from '#db/tenant.ts';
import { chooseLocation, givePortal } from '#features/locations/public.ts';
import { type Actor, inOneLocation } from '#http/actor.ts';
import { AppError, found } from '#http/app-error.ts';
import { newId } from '#lib/ids.ts';
import type { PictureUrls } from './picture-urls.ts';
import { copyItems } from './portal-items.queries.ts';
import { findNested, putNested } from './portal-nested.queries.ts';
import { carried, nestedToWire, requireWhole } from './portal-nested.ts';
import { findVersion } from './portal-versions.queries.ts';
import { contentOf, draftColumns, keepVersion } from './portal-versions.ts';
import type { PortalBody } from './portal-warnings.ts';
import * as queries from './portals.queries.ts';
import {
  asColumns,
  changedContent,
  describePortal,
  getPortal,
  type HeldPortal,
  portalToChange,
  published,
  trace,
} from './portals.service.ts';

interface Work {
  readonly actor: Actor;
  readonly pictures: PictureUrls;
  readonly id: string;
}

/** The portal as it is being worked on. */
export async function getDraft(tx: Tx, { actor, pictures, id }: Work): Promise<PortalBody> {
  const stored = found(await queries.findPortal(tx, actor, id));
  const { draft, draft_at } = stored;
  const portal = await describePortal(tx, pictures, { ...stored, ...draft });
  return draft?.nested ? { ...portal, ...nestedToWire(draft.nested, { portal, at: draft_at!, pictures }) } : portal;
}

export async function saveDraft(tx: Tx, { actor, pictures, id }: Work, form: PortalDraftForm): Promise<PortalBody> {
  const portal = await portalToChange(tx, actor, id);
  const before = portal.draft ?? contentOf(portal);
  const draft = await changedContent(tx, { actor, pictures, portal }, before, form);
  const columns = draftColumns(portal, draft, new Date());
  await queries.updatePortal(tx, id, columns);
  const after = { draft: columns.draft && draft };
  await trace(tx, actor, portal, { verb: 'update', before: { draft: before }, after });
  return getDraft(tx, { actor, pictures, id });
}

export async function discardDraft(tx: Tx, actor: Actor, id: string): Promise<void> {
  const portal = await portalToChange(tx, actor, id);
  if (!portal.draft) return;
  await queries.updatePortal(tx, id, { draft: null, draft_at: null });
  await trace(tx, actor, portal, { verb: 'update', before: { draft: portal.draft }, after: { draft: null } });
}

export async function publishDraft(tx: Tx, { actor, pictures, id }: Work): Promise<PortalBody> {
  const before = await portalToChange(tx, actor, id);
  if (!before.draft) throw new AppError('no_draft');
  if (before.draft.nested) {
    requireWhole(before.draft.nested);
    await putNested(tx, id, before.draft.nested);
  }
  await queries.updatePortal(tx, id, { ...asColumns(before.draft), draft: null, draft_at: null });
  return published(tx, { actor, pictures }, before);
}

/** What was changed of the nested lists at once: part of the draft from now on, and of the history. */
export async function nestedChanged(tx: Tx, actor: Actor, before: HeldPortal): Promise<void> {
  const after = { ...before, nested: await findNested(tx, before.id) };
  if (before.draft?.nested) {
    const draft = { ...before.draft, nested: carried(before.nested, after.nested, before.draft.nested) };
    await queries.updatePortal(tx, before.id, draftColumns(after, draft, before.draft_at));
  }
  await keepVersion(tx, actor, before, after);
}

/** What guests saw in a version, again; its name too. Profiles that went since are left out at sign-in. */
export async function restoreVersion(tx: Tx, { actor, pictures, id }: Work, versionId: string): Promise<PortalBody> {
  const before = await portalToChange(tx, actor, id);
  const { name, content } = found(await findVersion(tx, id, versionId));
  if (content.nested) await putNested(tx, id, content.nested);
  const now = { ...content, nested: content.nested ?? before.nested };
  const draft = before.draft && draftColumns(now, before.draft, before.draft_at);
  await queries.updatePortal(tx, id, { name, ...asColumns(content), ...draft });
  return published(tx, { actor, pictures }, before);
}

/** A portal of the same location with the same content; what was counted of the other is not of this one. */
export async function duplicatePortal(tx: Tx, { actor, pictures, id }: Work, name: string): Promise<PortalBody> {
  const source = found(await queries.findPortal(tx, actor, id));
  // One that belongs to no location is not a member's to make, nor a copy of it: that goes to where they work.
  const locationId = source.location_id ?? (inOneLocation(actor) ? await chooseLocation(tx, actor, null) : null);
  const copy = newId();
  await queries.insertPortal(tx, { id: copy, name, locationId, createdBy: actor.userId });
  await queries.updatePortal(tx, copy, asColumns(contentOf(source)));
  await copyItems(tx, id, copy, newId);
  if (locationId) await givePortal(tx, locationId, copy);
  const made = found(await queries.findPortal(tx, actor, copy));
  await keepVersion(tx, actor, undefined, made);
  await trace(tx, actor, made, { verb: 'create', after: { name, like: source.name } });
  return getPortal(tx, pictures, actor, copy);
}
