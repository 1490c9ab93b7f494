import type {
  Advertisement,
  AdvertisementForm,
  Rule,
  RuleForm,
  Survey,
  SurveyForm,
} from '@portico/contract/portals.ts';
import type { Tx } from '#db/tenant.ts';
import { AppError, found, invalid } from '#http/app-error.ts';
import { newId } from '#lib/ids.ts';
import { cleanEmbedCode } from '#lib/rich-text.ts';
import type { PictureUrls } from './picture-urls.ts';
import * as queries from './portal-items.queries.ts';
import { withIds } from './survey-parts.ts';

/** The rules of what is nested in a portal; the portal itself was checked before. */

async function requireRoom(tx: Tx, table: Parameters<typeof queries.isFull>[1], portalId: string): Promise<void> {
  if (await queries.isFull(tx, table, portalId)) throw invalid({ name: ['list_max', { limit: queries.mostItems }] });
}

export const adToWire = (ad: Advertisement, pictures: PictureUrls): Advertisement => ({
  ...ad,
  images: ad.images.map(pictures.toUrl),
});

/** Pictures become paths of the tenant's own uploads, an embed code keeps its frames only. */
function checkedAd(form: AdvertisementForm, pictures: PictureUrls): AdvertisementForm {
  const images = form.images.map((url, index) => {
    const path = pictures.toPath(url);
    if (!path) throw invalid({ [`images.${index}`]: 'unknown' });
    return path;
  });
  const embed_code = form.embed_code ? cleanEmbedCode(form.embed_code) : null;
  if (form.type === 'embed' && !embed_code) throw invalid({ embed_code: 'embed_code' });
  return { ...form, images, embed_code };
}

export async function createAd(
  tx: Tx,
  pictures: PictureUrls,
  portalId: string,
  form: AdvertisementForm,
): Promise<Advertisement> {
  await requireRoom(tx, 'portal_ads', portalId);
  const id = newId();
  await queries.insertAd(tx, portalId, id, checkedAd(form, pictures));
  return adToWire(found(await queries.findItem(tx, 'portal_ads', portalId, id)), pictures);
}

export async function updateAd(
  tx: Tx,
  pictures: PictureUrls,
  at: { id: string; itemId: string },
  form: AdvertisementForm,
): Promise<Advertisement> {
  await queries.updateAd(tx, at.id, at.itemId, checkedAd(form, pictures));
  return adToWire(found(await queries.findItem(tx, 'portal_ads', at.id, at.itemId)), pictures);
}

async function requireSurvey(tx: Tx, portalId: string, form: RuleForm): Promise<void> {
  if (form.action !== 'redirect_to_survey') return;
  if (!(await queries.findItem(tx, 'portal_surveys', portalId, form.survey_id!)))
    throw invalid({ survey_id: 'unknown' });
}

export async function createRule(tx: Tx, portalId: string, form: RuleForm): Promise<Rule> {
  await requireRoom(tx, 'portal_rules', portalId);
  await requireSurvey(tx, portalId, form);
  const id = newId();
  await queries.insertRule(tx, portalId, id, form);
  return found(await queries.findItem(tx, 'portal_rules', portalId, id));
}

export async function updateRule(tx: Tx, at: { id: string; itemId: string }, form: RuleForm): Promise<Rule> {
  await requireSurvey(tx, at.id, form);
  await queries.updateRule(tx, at.id, at.itemId, form);
  return found(await queries.findItem(tx, 'portal_rules', at.id, at.itemId));
}

export async function createSurvey(tx: Tx, portalId: string, form: SurveyForm): Promise<Survey> {
  await requireRoom(tx, 'portal_surveys', portalId);
  const id = newId();
  await queries.insertSurvey(tx, portalId, id, withIds(form));
  return found(await queries.findItem(tx, 'portal_surveys', portalId, id));
}

export async function updateSurvey(tx: Tx, at: { id: string; itemId: string }, form: SurveyForm): Promise<Survey> {
  await queries.updateSurvey(tx, at.id, at.itemId, withIds(form));
  return found(await queries.findItem(tx, 'portal_surveys', at.id, at.itemId));
}

export async function deleteItem(
  tx: Tx,
  table: Parameters<typeof queries.deleteItem>[1],
  at: { id: string; itemId: string },
): Promise<void> {
  if (!(await queries.deleteItem(tx, table, at.id, at.itemId))) throw new AppError('not_found');
}
