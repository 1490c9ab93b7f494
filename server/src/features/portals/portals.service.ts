import type { MessageKey } from '@portico/contract/field-messages.ts';
import { defaultStyles, effectiveStyles } from '@portico/contract/portal-default-styles.ts';
import {
  defaultMessages,
  messageKeys,
  type PerLanguage,
  type PortalMessages,
} from '@portico/contract/portal-messages.ts';
import { fullPage } from '@portico/contract/portal-page.ts';
import {
  completeProviders,
  type Provider,
  providersFor,
  storedProviders,
  withOneMethod,
} from '@portico/contract/portal-providers.ts';
import { type PortalStyles, pictureStyles, styleKeys } from '@portico/contract/portal-styles.ts';
import {
  type ListedPortal,
  type PortalByExternalId,
  type PortalDraftForm,
  type PortalForm,
  portalByExternalId,
} from '@portico/contract/portals.ts';
import type { Tx } from '#db/tenant.ts';
import { audit, type Entry } from '#features/audit/public.ts';
import { chooseLocation, givePortal } from '#features/locations/public.ts';
import { type Actor, may } from '#http/actor.ts';
import { AppError, found, invalid } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import { completeForm } from '#http/complete-form.ts';
import { findByExternalId } from '#http/external-id.ts';
import { requireSameLocation } from '#http/same-location.ts';
import { newId } from '#lib/ids.ts';
import type { PictureUrls } from './picture-urls.ts';
import { changedPage, pageToWire, withSurveys } from './portal-blocks.ts';
import { changedAgreements, changedMessages, changedStyles, isRich, mapTexts } from './portal-content.ts';
import { listItems, maxItems } from './portal-items.queries.ts';
import { adToWire } from './portal-items.service.ts';
import { findNested, type Nested } from './portal-nested.queries.ts';
import { changedNested } from './portal-nested.ts';
import { draftColumns, recordVersion } from './portal-versions.ts';
import type { PortalBody } from './portal-warnings.ts';
import * as queries from './portals.queries.ts';

const wholeList = { page: 1, per_page: maxItems };

/** A portal with its nested items, as the API returns it. */
export async function describePortal(tx: Tx, pictures: PictureUrls, stored: queries.StoredPortal): Promise<PortalBody> {
  const [ads, rules, surveys] = await Promise.all([
    listItems(tx, 'portal_ads', stored.id, wholeList),
    listItems(tx, 'portal_rules', stored.id, wholeList),
    listItems(tx, 'portal_surveys', stored.id, wholeList),
  ]);
  const { editable: _, draft, nested: __, ...portal } = stored;
  const styles = fullStyles(stored.styles, pictures);
  const toUrls = (texts: PerLanguage = {}) => mapTexts(texts, pictures.htmlToUrls);
  return {
    ...portal,
    has_draft: draft !== null,
    color_scheme: styles.color_scheme,
    styles,
    style_options: styleKeys.map(key => ({ key, value: styles[key] })),
    providers: storedProviders(stored.providers),
    messages: Object.fromEntries(
      messageKeys.map((key): [string, PerLanguage] => {
        const own = stored.messages[key] ?? {};
        return [key, { ...defaultMessages[key], ...(isRich(key) ? toUrls(own) : own) }];
      }),
    ) as PortalMessages,
    agreements: {
      kvkk: toUrls(stored.agreements.kvkk),
      general: toUrls(stored.agreements.general),
      marketing_email: stored.agreements.marketing_email ?? {},
      marketing_sms: stored.agreements.marketing_sms ?? {},
      marketing_call: stored.agreements.marketing_call ?? {},
    },
    page: pageToWire(fullPage(stored.page), pictures),
    redirect_rules: rules.rows,
    advertisements: ads.rows.map(ad => adToWire(ad, pictures)),
    surveys: surveys.rows,
  };
}

/** The styles of a portal with defaults, and pictures as URLs. */
export function fullStyles(own: Partial<PortalStyles>, pictures: PictureUrls): PortalStyles {
  const styles = { ...defaultStyles, ...own };
  for (const key of pictureStyles) styles[key] &&= pictures.toUrl(styles[key]);
  return styles;
}

/** The styles that a list draws in small. */
export function designOf(own: Partial<PortalStyles>, pictures: PictureUrls): ListedPortal['design'] {
  const styles = effectiveStyles(fullStyles(own, pictures));
  return {
    layout: styles.layout,
    primary_color: styles.primary_color,
    form_background_color: styles.form_background_color,
    welcome_message_text_color: styles.welcome_message_text_color,
    background_type: styles.background_type,
    background_color: styles.background_color,
    background_image: styles.background_image,
    background_art: styles.background_art,
    portal_logo: styles.logo_type === 'active' ? styles.portal_logo : null,
    button_shape: styles.button_shape,
  };
}

export async function getPortal(tx: Tx, pictures: PictureUrls, actor: Actor, id: string): Promise<PortalBody> {
  return describePortal(tx, pictures, found(await queries.findPortal(tx, actor, id)));
}

/** The fields of a portal that the audit log compares. */
function audited({ name, styles, providers, messages, agreements, page, nested }: LockedPortal) {
  const byId = <T extends { id: string }>(items: readonly T[]) => Object.fromEntries(items.map(it => [it.id, it]));
  return {
    name,
    styles: { ...defaultStyles, ...styles },
    providers: Object.fromEntries(providers.map(it => [it.slug, it])),
    messages,
    agreements,
    page: fullPage(page),
    surveys: byId(nested.surveys),
    redirect_rules: byId(nested.redirect_rules),
    advertisements: byId(nested.advertisements),
  };
}

export const auditPortal = (
  tx: Tx,
  actor: Actor,
  it: queries.StoredPortal,
  what: Pick<Entry, 'verb' | 'before' | 'after'>,
) => audit(tx, actor, { ...what, subject: { type: 'portal', id: it.id, name: it.name }, locationId: it.location_id });

/** The location of a new portal; null: the tenant itself. */
async function placeOf(tx: Tx, actor: Actor, named: string | null | undefined): Promise<string | null> {
  const inLocation = named || actor.activeLocationId || actor.role === 'member';
  return inLocation ? chooseLocation(tx, actor, named) : null;
}

/**
 * Adds a portal to the active location, or to the tenant if there is none. A location without a portal shows it at once.
 * The methods that the location may use are on. The form may contain the first content.
 */
export async function createPortal(
  tx: Tx,
  pictures: PictureUrls,
  actor: Actor,
  { name, location_id, ...first }: PortalForm & { name: string; location_id?: string | null | undefined },
  externalId: string | null = null,
): Promise<PortalBody> {
  const locationId = await placeOf(tx, actor, location_id);
  const id = newId();
  const providers = providersFor(locationId ? await queries.givenMethods(tx, locationId) : []);
  await queries.insertPortal(tx, { id, externalId, name, locationId, createdBy: actor.userId, providers });
  if (Object.keys(first).length > 0) {
    const empty = { ...found(await queries.findPortal(tx, actor, id)), nested: await findNested(tx, id) };
    const content = await changedContent(tx, { actor, pictures, portal: empty }, empty, first);
    await queries.updatePortal(tx, id, asColumns(content));
  }
  if (locationId) await givePortal(tx, locationId, id);
  const made = found(await queries.findPortal(tx, actor, id));
  await recordVersion(tx, actor, undefined, made);
  await auditPortal(tx, actor, made, { verb: 'create', after: { name } });
  return getPortal(tx, pictures, actor, id);
}

/** A locked portal with its nested items. */
export type LockedPortal = queries.StoredPortal & { nested: Nested };

/** Locks a portal for a change: 404 when the actor cannot see it, 403 when it may not change it. */
export async function requireEditablePortal(tx: Tx, actor: Actor, id: string): Promise<LockedPortal> {
  const portal = found(await queries.lockPortal(tx, actor, id));
  if (!portal.editable) throw new AppError('not_allowed');
  // Read after taking the lock, so that concurrent changes are included.
  return { ...portal, nested: await findNested(tx, id) };
}

export interface Seen {
  /** The `updated_at` of the portal that the caller has seen. */
  readonly seen_at?: string | undefined;
}

/** Refuses a change of a portal that was changed since the caller saw it. */
export function requireSeen({ updated_at }: queries.StoredPortal, seenAt: string | undefined): void {
  if (seenAt !== undefined && seenAt !== updated_at) throw new AppError('portal_changed');
}

/** Changes the published portal. The draft gets the same changes, so that publishing it later does not undo them. */
export async function updatePortal(
  tx: Tx,
  pictures: PictureUrls,
  actor: Actor,
  id: string,
  { seen_at, location_id, ...form }: PortalForm & Seen & { location_id?: string | null | undefined },
): Promise<PortalBody> {
  const before = await requireEditablePortal(tx, actor, id);
  requireSameLocation(location_id, before);
  requireSeen(before, seen_at);
  const content = await changedContent(tx, { actor, pictures, portal: before }, before, form);
  await queries.updatePortal(tx, id, { name: form.name, ...asColumns(content), updated_by: actor.userId });
  if (before.draft) {
    const draft = await changedContent(tx, { actor, pictures, portal: before }, before.draft, form);
    await queries.updatePortal(tx, id, draftColumns(content, draft, before.draft_at));
  }
  return recordUpdate(tx, { actor, pictures }, before);
}

/** Creates the portal with an id of another system, or changes the one where it would be created. */
export async function putPortal(
  tx: Tx,
  pictures: PictureUrls,
  { actor, body, language }: Context & { actor: Actor; body: PortalByExternalId },
  externalId: string,
): Promise<{ made: boolean; portal: PortalBody }> {
  const rows = queries.ofExternalId(actor, externalId, await placeOf(tx, actor, body.location_id));
  const known = await findByExternalId(tx, 'portals', externalId, rows);
  if (known === undefined) {
    const form = completeForm(portalByExternalId.required({ name: true }), body, language);
    return { made: true, portal: await createPortal(tx, pictures, actor, form, externalId) };
  }
  if (!may(actor, 'update-portals')) throw new AppError('not_allowed');
  const { location_id: _, ...change } = body;
  return { made: false, portal: await updatePortal(tx, pictures, actor, known, change) };
}

/** Records a change of the published portal in its history and in the audit log. */
export async function recordUpdate(
  tx: Tx,
  { actor, pictures }: { actor: Actor; pictures: PictureUrls },
  before: LockedPortal,
): Promise<PortalBody> {
  const stored = found(await queries.findPortal(tx, actor, before.id));
  const after = { ...stored, nested: await findNested(tx, before.id) };
  await recordVersion(tx, actor, before, after);
  await auditPortal(tx, actor, after, { verb: 'update', before: audited(before), after: audited(after) });
  return describePortal(tx, pictures, after);
}

/** A portal's content after the changes of a form. */
export async function changedContent(
  tx: Tx,
  { actor, pictures, portal }: { actor: Actor; pictures: PictureUrls; portal: LockedPortal },
  before: queries.PortalContent,
  form: PortalForm & PortalDraftForm,
): Promise<queries.PortalContent> {
  const lists = form.surveys ?? form.redirect_rules ?? form.advertisements;
  const had = before.nested ?? portal.nested;
  const nested = lists ? changedNested(had, form, { known: [portal.nested, had], pictures }) : before.nested;
  const { surveys } = nested ?? had;
  const page = changedPage(before.page, form.page, { pictures, surveys: surveys.map(({ id }) => id) });
  return {
    ...(nested && { nested }),
    styles: { ...before.styles, ...changedStyles(form, pictures) },
    messages: changedMessages(before.messages, form.messages ?? {}, pictures),
    agreements: changedAgreements(before.agreements, form.agreements ?? {}, pictures),
    page: withSurveys(page, surveys),
    providers: form.providers
      ? await checkedProviders(tx, actor, { ...portal, ...before }, form.providers)
      : before.providers,
  };
}

export const asColumns = ({ styles, providers, messages, agreements, page }: queries.PortalContent) => ({
  styles: JSON.stringify(styles),
  providers: JSON.stringify(providers),
  messages: JSON.stringify(messages),
  agreements: JSON.stringify(agreements),
  page: JSON.stringify(page ?? {}),
});

/** Settles the options of sign-in methods, and checks their profiles. A stored profile that was deleted since is dropped without an error. */
async function checkedProviders(
  tx: Tx,
  actor: Actor,
  before: queries.StoredPortal,
  sent: readonly Provider[],
): Promise<Provider[]> {
  const checked: Provider[] = [];
  for (const [index, whole] of sent.entries()) {
    const it = withOneMethod(whole, before.providers);
    if ((it.slug !== 'temp' && it.slug !== 'email') || !it.options.profile_id) {
      checked.push(it);
      continue;
    }
    if (await queries.profileUsable(tx, actor, it.options.profile_id, before.location_id)) {
      checked.push(it);
      continue;
    }
    const kept = before.providers.find(old => old.slug === it.slug);
    if (!kept || !('profile_id' in kept.options) || kept.options.profile_id !== it.options.profile_id)
      throw invalid({ [`providers.${index}.options.profile_id`]: 'unknown' satisfies MessageKey });
    checked.push({ ...it, options: { ...it.options, profile_id: null } });
  }
  return completeProviders(checked);
}

/** Deletes a portal and its nested items. Locations and networks that show it are left without a portal. */
export async function deletePortal(tx: Tx, actor: Actor, id: string): Promise<void> {
  const portal = await requireEditablePortal(tx, actor, id);
  await queries.deletePortal(tx, id);
  await auditPortal(tx, actor, portal, { verb: 'delete', before: { name: portal.name } });
}
