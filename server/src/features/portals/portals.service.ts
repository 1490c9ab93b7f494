import type { PortalLanguage } from '@portico/contract/errors.ts';
import {
  defaultMessages,
  messageKeys,
  type PerLanguage,
  type PortalMessages,
  richMessages,
} from '@portico/contract/portal-messages.ts';
import { completeProviders, keptProviders, type Provider } from '@portico/contract/portal-providers.ts';
import { defaultStyles, type PortalStyles, portalStyles, styleKeys } from '@portico/contract/portal-styles.ts';
import { agreementKeys, type Portal, type PortalForm } from '@portico/contract/portals.ts';
import type { MessageKey } from '@portico/contract/validation.ts';
import type { Tx } from '#db/tenant.ts';
import { audit, type Entry } from '#features/audit/public.ts';
import { chooseLocation, givePortal } from '#features/locations/public.ts';
import type { Actor } from '#http/actor.ts';
import { AppError, found, invalid } from '#http/app-error.ts';
import { newId } from '#lib/ids.ts';
import { cleanRichText } from '#lib/rich-text.ts';
import type { PictureUrls } from './picture-urls.ts';
import { listItems, mostItems } from './portal-items.queries.ts';
import { adToWire } from './portal-items.service.ts';
import * as queries from './portals.queries.ts';

const wholeList = { page: 1, per_page: mostItems };

/** A portal with everything in it, as the wire has it. */
async function describePortal(tx: Tx, pictures: PictureUrls, stored: queries.StoredPortal): Promise<Portal> {
  const [ads, rules, surveys] = await Promise.all([
    listItems(tx, 'portal_ads', stored.id, wholeList),
    listItems(tx, 'portal_rules', stored.id, wholeList),
    listItems(tx, 'portal_surveys', stored.id, wholeList),
  ]);
  const { editable: _, ...portal } = stored;
  const styles = fullStyles(stored.styles, pictures);
  const toUrls = (texts: PerLanguage = {}) => mapTexts(texts, pictures.htmlToUrls);
  return {
    ...portal,
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

const isRich = (key: string): boolean => (richMessages as readonly string[]).includes(key);

function mapTexts(texts: PerLanguage, change: (text: string) => string): PerLanguage {
  return Object.fromEntries(Object.entries(texts).map(([language, text]) => [language, change(text)]));
}

export async function getPortal(tx: Tx, pictures: PictureUrls, actor: Actor, id: string): Promise<Portal> {
  return describePortal(tx, pictures, found(await queries.findPortal(tx, actor, id)));
}

/** What the audit log compares of a portal. */
function audited({ name, styles, providers, messages, agreements }: queries.StoredPortal) {
  const all = { ...defaultStyles, ...styles };
  return { name, styles: all, providers: Object.fromEntries(providers.map(it => [it.slug, it])), messages, agreements };
}

const trace = (tx: Tx, actor: Actor, it: queries.StoredPortal, what: Pick<Entry, 'verb' | 'before' | 'after'>) =>
  audit(tx, actor, { ...what, subject: { type: 'portal', id: it.id, name: it.name }, locationId: it.location_id });

/** In an active team it is that location's (and the one it shows, when it shows none yet); without one, the tenant's. */
export async function createPortal(
  tx: Tx,
  pictures: PictureUrls,
  actor: Actor,
  form: { name: string; location_id?: string | null | undefined },
): Promise<Portal> {
  const inLocation = form.location_id || actor.activeLocationId || actor.role === 'member';
  const locationId = inLocation ? await chooseLocation(tx, actor, form.location_id) : null;
  const id = newId();
  await queries.insertPortal(tx, {
    id,
    name: form.name,
    locationId,
    createdBy: actor.userId,
  });
  if (locationId) await givePortal(tx, locationId, id);
  await trace(tx, actor, found(await queries.findPortal(tx, actor, id)), {
    verb: 'create',
    after: { name: form.name },
  });
  return getPortal(tx, pictures, actor, id);
}

/** The portal, held for a change: 404 when it is out of sight, 403 when it is another's to change. */
export async function portalToChange(tx: Tx, actor: Actor, id: string): Promise<queries.StoredPortal> {
  const portal = found(await queries.lockPortal(tx, actor, id));
  if (!portal.editable) throw new AppError('not_allowed');
  return portal;
}

export async function updatePortal(
  tx: Tx,
  pictures: PictureUrls,
  actor: Actor,
  id: string,
  form: PortalForm,
): Promise<Portal> {
  const before = await portalToChange(tx, actor, id);
  await queries.updatePortal(tx, id, {
    name: form.name,
    styles: JSON.stringify({ ...before.styles, ...changedStyles(form, pictures) }),
    messages: JSON.stringify(changedMessages(before.messages, form.messages ?? {}, pictures)),
    agreements: JSON.stringify(changedAgreements(before.agreements, form.agreements ?? {}, pictures)),
    ...(form.providers && { providers: JSON.stringify(await checkedProviders(tx, actor, before, form.providers)) }),
  });
  const after = found(await queries.findPortal(tx, actor, id));
  await trace(tx, actor, after, { verb: 'update', before: audited(before), after: audited(after) });
  return getPortal(tx, pictures, actor, id);
}

/** Styles come as an object or as the list that `style_options` is; a picture must be one of the tenant's own. */
function changedStyles(form: PortalForm, pictures: PictureUrls): Partial<PortalStyles> {
  const options = Object.fromEntries((form.style_options ?? []).map(({ key, value }) => [key, value]));
  const listed = portalStyles.partial().safeParse(options);
  if (!listed.success) throw invalid({ [`style_options.${listed.error.issues[0]!.path.join('.')}`]: 'invalid' });
  const styles: Partial<PortalStyles> = { ...present(listed.data), ...present(form.styles ?? {}) };
  if (form.color_scheme) styles.color_scheme = form.color_scheme;
  for (const key of ['portal_logo', 'background_image'] as const) {
    const url = styles[key];
    if (!url) continue;
    const path = pictures.toPath(url);
    if (!path) throw invalid({ [`styles.${key}`]: 'unknown' });
    styles[key] = path;
  }
  return styles;
}

const present = <T extends object>(values: T) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

/** Rich text as it is kept: cleaned, its pictures by path. */
function cleanTexts(texts: PerLanguage, pictures: PictureUrls): PerLanguage {
  return mapTexts(texts, html => cleanRichText(pictures.htmlToPaths(html), src => pictures.toPath(src) === src));
}

/** What equals the product's own wording is not kept, so that it follows the product. */
function changedMessages(
  before: Partial<PortalMessages>,
  sent: NonNullable<PortalForm['messages']>,
  pictures: PictureUrls,
): Partial<PortalMessages> {
  const after: Partial<PortalMessages> = { ...before };
  for (const key of messageKeys) {
    const texts = sent[key];
    if (!texts) continue;
    const merged: PerLanguage = { ...before[key], ...(isRich(key) ? cleanTexts(texts, pictures) : texts) };
    for (const language of Object.keys(merged) as PortalLanguage[])
      if (merged[language] === defaultMessages[key][language]) delete merged[language];
    after[key] = merged;
  }
  return after;
}

function changedAgreements(
  before: Partial<Portal['agreements']>,
  sent: { [K in keyof Portal['agreements']]?: PerLanguage | undefined },
  pictures: PictureUrls,
): Partial<Portal['agreements']> {
  const after = { ...before };
  for (const key of agreementKeys) {
    const texts = sent[key];
    if (texts) after[key] = { ...before[key], ...cleanTexts(texts, pictures) };
  }
  return after;
}

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
