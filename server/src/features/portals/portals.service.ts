import { defaultMessages, messageKeys, type PerLanguage } from '@portico/contract/portal-messages.ts';
import { completeProviders, keptProviders, type Provider, providersFor } from '@portico/contract/portal-providers.ts';
import { defaultStyles, type PortalStyles, styleKeys } from '@portico/contract/portal-styles.ts';
import type { Portal, PortalDraftForm, PortalForm } from '@portico/contract/portals.ts';
import type { MessageKey } from '@portico/contract/validation.ts';
import type { Tx } from '#db/tenant.ts';
import { audit, type Entry } from '#features/audit/public.ts';
import { chooseLocation, givePortal } from '#features/locations/public.ts';
import type { Actor } from '#http/actor.ts';
import { AppError, found, invalid } from '#http/app-error.ts';
import { newId } from '#lib/ids.ts';
import type { PictureUrls } from './picture-urls.ts';
import { changedAgreements, changedMessages, changedStyles, isRich, mapTexts } from './portal-content.ts';
import { listItems, maxItems } from './portal-items.queries.ts';
import { adToWire } from './portal-items.service.ts';
import { findNested, type Nested } from './portal-nested.queries.ts';
import { changedNested } from './portal-nested.ts';
import { draftColumns, keepVersion } from './portal-versions.ts';
import type { PortalBody } from './portal-warnings.ts';
import * as queries from './portals.queries.ts';

const wholeList = { page: 1, per_page: maxItems };

/** A portal with everything in it, as the wire has it. */
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
    providers: keptProviders(stored.providers),
    messages: Object.fromEntries(
      messageKeys.map(key => {
        const own = stored.messages[key] ?? {};
        return [key, { ...defaultMessages[key], ...(isRich(key) ? toUrls(own) : own) }];
      }),
    ) as Portal['messages'],
    agreements: { kvkk: toUrls(stored.agreements.kvkk), general: toUrls(stored.agreements.general) },
    redirect_rules: rules.rows,
    advertisements: ads.rows.map(ad => adToWire(ad, pictures)),
    surveys: surveys.rows,
  };
}

/** The styles of a portal, its pictures as whole addresses. */
export function fullStyles(own: Partial<PortalStyles>, pictures: PictureUrls): PortalStyles {
  const styles = { ...defaultStyles, ...own };
  const url = (path: string | null) => path && pictures.toUrl(path);
  return { ...styles, portal_logo: url(styles.portal_logo), background_image: url(styles.background_image) };
}

export async function getPortal(tx: Tx, pictures: PictureUrls, actor: Actor, id: string): Promise<PortalBody> {
  return describePortal(tx, pictures, found(await queries.findPortal(tx, actor, id)));
}

/** What the audit log compares of a portal. */
function audited({ name, styles, providers, messages, agreements, nested }: HeldPortal) {
  const byId = <T extends { id: string }>(items: readonly T[]) => Object.fromEntries(items.map(it => [it.id, it]));
  return {
    name,
    styles: { ...defaultStyles, ...styles },
    providers: Object.fromEntries(providers.map(it => [it.slug, it])),
    messages,
    agreements,
    surveys: byId(nested.surveys),
    redirect_rules: byId(nested.redirect_rules),
    advertisements: byId(nested.advertisements),
  };
}

export const trace = (tx: Tx, actor: Actor, it: queries.StoredPortal, what: Pick<Entry, 'verb' | 'before' | 'after'>) =>
  audit(tx, actor, { ...what, subject: { type: 'portal', id: it.id, name: it.name }, locationId: it.location_id });

/**
 * Adds a portal to the active location, or to the tenant without one. A location without a portal shows it. The methods that
 * the location was given are on; the rest of the form may hold the first content.
 */
export async function createPortal(
  tx: Tx,
  pictures: PictureUrls,
  actor: Actor,
  { name, location_id, ...first }: PortalForm & { name: string; location_id?: string | null | undefined },
): Promise<PortalBody> {
  const inLocation = location_id || actor.activeLocationId || actor.role === 'member';
  const locationId = inLocation ? await chooseLocation(tx, actor, location_id) : null;
  const id = newId();
  const providers = providersFor(locationId ? await queries.givenMethods(tx, locationId) : []);
  await queries.insertPortal(tx, { id, name, locationId, createdBy: actor.userId, providers });
  if (Object.keys(first).length > 0) {
    const empty = { ...found(await queries.findPortal(tx, actor, id)), nested: await findNested(tx, id) };
    const content = await changedContent(tx, { actor, pictures, portal: empty }, empty, first);
    await queries.updatePortal(tx, id, asColumns(content));
  }
  if (locationId) await givePortal(tx, locationId, id);
  const made = found(await queries.findPortal(tx, actor, id));
  await keepVersion(tx, actor, undefined, made);
  await trace(tx, actor, made, { verb: 'create', after: { name } });
  return getPortal(tx, pictures, actor, id);
}

/** A portal with what is nested in it. */
export type HeldPortal = queries.StoredPortal & { nested: Nested };

/** The portal, held for a change: 404 when it is out of sight, 403 when it is another's to change. */
export async function portalToChange(tx: Tx, actor: Actor, id: string): Promise<HeldPortal> {
  const portal = found(await queries.lockPortal(tx, actor, id));
  if (!portal.editable) throw new AppError('not_allowed');
  // After the portal is held: what others were changing is there now.
  return { ...portal, nested: await findNested(tx, id) };
}

/** What guests see from now on. A draft takes the same changes, so that publishing it later does not undo them. */
export async function updatePortal(
  tx: Tx,
  pictures: PictureUrls,
  actor: Actor,
  id: string,
  form: PortalForm,
): Promise<PortalBody> {
  const before = await portalToChange(tx, actor, id);
  const content = await changedContent(tx, { actor, pictures, portal: before }, before, form);
  await queries.updatePortal(tx, id, { name: form.name, ...asColumns(content) });
  if (before.draft) {
    const draft = await changedContent(tx, { actor, pictures, portal: before }, before.draft, form);
    await queries.updatePortal(tx, id, draftColumns(content, draft, before.draft_at));
  }
  return published(tx, { actor, pictures }, before);
}

/** Notes that a portal was changed for its guests: in its history and in the audit log. */
export async function published(
  tx: Tx,
  { actor, pictures }: { actor: Actor; pictures: PictureUrls },
  before: HeldPortal,
): Promise<PortalBody> {
  const stored = found(await queries.findPortal(tx, actor, before.id));
  const after = { ...stored, nested: await findNested(tx, before.id) };
  await keepVersion(tx, actor, before, after);
  await trace(tx, actor, after, { verb: 'update', before: audited(before), after: audited(after) });
  return describePortal(tx, pictures, after);
}

/** A portal's content with what a form changes of it. */
export async function changedContent(
  tx: Tx,
  { actor, pictures, portal }: { actor: Actor; pictures: PictureUrls; portal: HeldPortal },
  before: queries.PortalContent,
  form: PortalForm & PortalDraftForm,
): Promise<queries.PortalContent> {
  const lists = form.surveys ?? form.redirect_rules ?? form.advertisements;
  const had = before.nested ?? portal.nested;
  const nested = lists ? changedNested(had, form, { known: [portal.nested, had], pictures }) : before.nested;
  return {
    ...(nested && { nested }),
    styles: { ...before.styles, ...changedStyles(form, pictures) },
    messages: changedMessages(before.messages, form.messages ?? {}, pictures),
    agreements: changedAgreements(before.agreements, form.agreements ?? {}, pictures),
    providers: form.providers
      ? await checkedProviders(tx, actor, { ...portal, ...before }, form.providers)
      : before.providers,
  };
}

export const asColumns = ({ styles, providers, messages, agreements }: queries.PortalContent) => ({
  styles: JSON.stringify(styles),
  providers: JSON.stringify(providers),
  messages: JSON.stringify(messages),
  agreements: JSON.stringify(agreements),
});

/** A method's profile must be one its guests can be given; one that went since the last save is simply left out. */
async function checkedProviders(
  tx: Tx,
  actor: Actor,
  before: queries.StoredPortal,
  sent: readonly Provider[],
): Promise<Provider[]> {
  const checked: Provider[] = [];
  for (const [index, it] of sent.entries()) {
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

/** Locations and networks that show it are left without a portal; what is nested in it goes with it. */
export async function deletePortal(tx: Tx, actor: Actor, id: string): Promise<void> {
  const portal = await portalToChange(tx, actor, id);
  await queries.deletePortal(tx, id);
  await trace(tx, actor, portal, { verb: 'delete', before: { name: portal.name } });
}
