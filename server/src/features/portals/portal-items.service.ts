import {
  type Advertisement,
  type AdvertisementChange,
  type AdvertisementForm,
  advertisementProblem,
} from '@portico/contract/advertisements.ts';
import { withChange, withLanguages } from '@portico/contract/change.ts';
import { maxOffered } from '@portico/contract/portal-languages.ts';
import { type Rule, type RuleChange, type RuleForm, ruleProblems } from '@portico/contract/rules.ts';
import type { Survey, SurveyChange, SurveyForm } from '@portico/contract/surveys.ts';
import type { Tx } from '#db/tenant.ts';
import { audit, type Entry } from '#features/audit/public.ts';
import type { Actor } from '#http/actor.ts';
import { found, invalid } from '#http/app-error.ts';
import { newId } from '#lib/ids.ts';
import { cleanEmbedCode, hasFrame } from '#lib/rich-text.ts';
import type { PictureUrls } from './picture-urls.ts';
import * as queries from './portal-items.queries.ts';
import { namedQuestions } from './survey-parts.ts';

/** The portal of an item, which the caller has checked, and the actor. */
export interface ItemContext {
  readonly actor: Actor;
  readonly portal: { readonly id: string; readonly name: string; readonly location_id: string | null };
}
type Table = Parameters<typeof queries.deleteItem>[1];

const kinds = { portal_ads: 'advertisement', portal_rules: 'portal-rule', portal_surveys: 'survey' } as const;

/** A rule has no name, so the audit log shows the name of its portal. */
const auditItem = (
  tx: Tx,
  { actor, portal }: ItemContext,
  table: Table,
  it: { id: string; name?: string },
  what: Pick<Entry, 'verb' | 'before' | 'after'>,
) =>
  audit(tx, actor, {
    ...what,
    subject: { type: kinds[table], id: it.id, name: it.name ?? portal.name },
    locationId: portal.location_id,
  });

/** Returns a new item and adds it to the audit log. */
async function auditedNew<T extends Table>(tx: Tx, place: ItemContext, table: T, id: string) {
  const item = found(await queries.findItem(tx, table, place.portal.id, id));
  await auditItem(tx, place, table, item, { verb: 'create', after: { portal: place.portal.name, ...item } });
  return item;
}

/** Applies a change, adds it to the audit log and returns the item. */
async function auditedChange<T extends Table>(
  tx: Tx,
  place: ItemContext,
  table: T,
  id: string,
  change: () => Promise<unknown>,
) {
  const before = found(await queries.findItem(tx, table, place.portal.id, id));
  await change();
  const after = found(await queries.findItem(tx, table, place.portal.id, id));
  await auditItem(tx, place, table, after, { verb: 'update', before, after });
  return after;
}

async function requireRoom(tx: Tx, table: Table, portalId: string): Promise<void> {
  if (await queries.isFull(tx, table, portalId)) throw invalid({ name: ['list_max', { limit: queries.maxItems }] });
}

export const adToWire = <A extends Pick<Advertisement, 'images' | 'video'>>(ad: A, pictures: PictureUrls): A => ({
  ...ad,
  images: ad.images.map(pictures.toUrl),
  video: ad.video && pictures.toUrl(ad.video),
});

interface AdContext {
  /** The prefix of the field names in errors. */
  readonly at?: string;
  /** The advertisement as it is stored: its embed code stays valid, even if it was stored before frames were demanded. */
  readonly stored?: Pick<Advertisement, 'embed_code'> | undefined;
}

/** Converts pictures and the video to paths and sanitises the embed code, which must contain a frame. */
export function checkedAd<Form extends AdvertisementForm>(
  form: Form,
  pictures: PictureUrls,
  { at = '', stored }: AdContext = {},
): Form {
  const images = form.images.map((url, index) => {
    const path = pictures.toPath(url);
    if (!path) throw invalid({ [`${at}images.${index}`]: 'unknown' });
    return path;
  });
  const embed_code = form.embed_code ? cleanEmbedCode(form.embed_code) : null;
  if (form.type === 'embed' && !(embed_code && (hasFrame(embed_code) || embed_code === stored?.embed_code)))
    throw invalid({ [`${at}embed_code`]: 'embed_code' });
  // Only a video has one, and only it keeps the form waiting.
  const video = form.type === 'video' && form.video ? pictures.videoToPath(form.video) : null;
  if (video === undefined) throw invalid({ [`${at}video`]: 'unknown' });
  return { ...form, images, embed_code, video, seconds: video && form.seconds };
}

export async function createAd(
  tx: Tx,
  pictures: PictureUrls,
  place: ItemContext,
  form: AdvertisementForm,
): Promise<Advertisement> {
  await requireRoom(tx, 'portal_ads', place.portal.id);
  const id = newId();
  await queries.insertAd(tx, place.portal.id, id, checkedAd(form, pictures));
  return adToWire(await auditedNew(tx, place, 'portal_ads', id), pictures);
}

export async function updateAd(
  tx: Tx,
  pictures: PictureUrls,
  at: ItemContext & { itemId: string },
  sent: AdvertisementChange,
): Promise<Advertisement> {
  const before = found(await queries.findItem(tx, 'portal_ads', at.portal.id, at.itemId));
  // Another type does not keep the content of the former one.
  const stored =
    sent.type && sent.type !== before.type
      ? { ...before, images: [], embed_code: null, video: null, seconds: null, link: null }
      : before;
  const form = withChange<AdvertisementForm>(adToWire(stored, pictures), sent);
  const problem = advertisementProblem(form);
  if (problem) throw invalid({ [problem[0]]: problem[1] });
  const ad = checkedAd(form, pictures, { stored });
  const change = () => queries.updateAd(tx, at.portal.id, at.itemId, ad);
  return adToWire(await auditedChange(tx, at, 'portal_ads', at.itemId, change), pictures);
}

async function requireSurvey(tx: Tx, portalId: string, form: RuleForm): Promise<void> {
  if (form.action !== 'redirect_to_survey') return;
  if (!(await queries.findItem(tx, 'portal_surveys', portalId, form.survey_id!)))
    throw invalid({ survey_id: 'unknown' });
}

export async function createRule(tx: Tx, place: ItemContext, form: RuleForm): Promise<Rule> {
  await requireRoom(tx, 'portal_rules', place.portal.id);
  await requireSurvey(tx, place.portal.id, form);
  const id = newId();
  await queries.insertRule(tx, place.portal.id, id, form);
  return auditedNew(tx, place, 'portal_rules', id);
}

export async function updateRule(tx: Tx, at: ItemContext & { itemId: string }, sent: RuleChange): Promise<Rule> {
  const before = found(await queries.findItem(tx, 'portal_rules', at.portal.id, at.itemId));
  const urls = withLanguages(before.urls, sent.urls);
  if (Object.keys(urls).length > maxOffered) throw invalid({ urls: 'too_many_languages' });
  const form = withChange<RuleForm>(before, { ...sent, urls });
  const problems = ruleProblems(form);
  if (problems.length) throw invalid(Object.fromEntries(problems.map(it => [it.path.join('.'), it.message])));
  await requireSurvey(tx, at.portal.id, form);
  return auditedChange(tx, at, 'portal_rules', at.itemId, () => queries.updateRule(tx, at.portal.id, at.itemId, form));
}

export async function createSurvey(tx: Tx, place: ItemContext, form: SurveyForm): Promise<Survey> {
  await requireRoom(tx, 'portal_surveys', place.portal.id);
  const id = newId();
  await queries.insertSurvey(tx, place.portal.id, id, { ...form, questions: namedQuestions(form.questions) });
  return auditedNew(tx, place, 'portal_surveys', id);
}

export async function updateSurvey(tx: Tx, at: ItemContext & { itemId: string }, form: SurveyChange): Promise<Survey> {
  const questions = form.questions && namedQuestions(form.questions);
  return auditedChange(tx, at, 'portal_surveys', at.itemId, () =>
    queries.updateSurvey(tx, at.portal.id, at.itemId, { name: form.name, questions }),
  );
}

export async function deleteItem(tx: Tx, table: Table, at: ItemContext & { itemId: string }): Promise<void> {
  const item = found(await queries.findItem(tx, table, at.portal.id, at.itemId));
  await queries.deleteItem(tx, table, at.portal.id, at.itemId);
  await auditItem(tx, at, table, item, { verb: 'delete', before: { portal: at.portal.name, ...item } });
}
