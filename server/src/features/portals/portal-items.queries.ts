import {
  type Advertisement,
  type AdvertisementForm,
  type AdvertisementOptions,
  noOptions,
} from '@portico/contract/advertisements.ts';
import type { PerLanguage } from '@portico/contract/portal-messages.ts';
import type { Rule, RuleForm } from '@portico/contract/rules.ts';
import type { Survey, SurveyChange, SurveyForm } from '@portico/contract/surveys.ts';
import sql, { raw, type Sql } from 'sql-template-tag';
import { assignments } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';
import type { Rows } from '#http/page.ts';

/** Items nested in a portal. The caller has checked the actor's access to the portal. */

type Table = 'portal_ads' | 'portal_rules' | 'portal_surveys';
const columns: Record<Table, Sql> = {
  portal_ads: sql`id, name, type, images, embed_code, video, seconds, link, to_char(starts_on, 'YYYY-MM-DD') as starts_on,
    to_char(ends_on, 'YYYY-MM-DD') as ends_on, weekdays, languages, weight, daily_cap, created_at, updated_at, null as deleted_at`,
  portal_rules: sql`id, state, action, survey_id, url, urls, language, position as "order", created_at, updated_at, null as deleted_at`,
  portal_surveys: sql`id, name, questions, created_at, updated_at, null as deleted_at`,
};
const order = (table: Table) => (table === 'portal_rules' ? sql`position, id` : sql`id`);

interface Items {
  portal_ads: Advertisement;
  portal_rules: Rule;
  portal_surveys: Survey;
}

export async function listItems<T extends Table>(
  tx: Tx,
  table: T,
  portalId: string,
  query: { page: number; per_page: number },
): Promise<Rows<Items[T]>> {
  const from = sql`from ${raw(table)} where portal_id = ${portalId}`;
  const [rows, { total }] = await Promise.all([
    tx.many<Items[T]>(sql`select ${columns[table]} ${from} order by ${order(table)}
      limit ${query.per_page} offset ${(query.page - 1) * query.per_page}`),
    tx.one<{ total: number }>(sql`select count(*) as total ${from}`),
  ]);
  return { rows, total };
}

export const findItem = <T extends Table>(tx: Tx, table: T, portalId: string, id: string) =>
  tx.maybe<Items[T]>(sql`select ${columns[table]} from ${raw(table)} where portal_id = ${portalId} and id = ${id}`);

/** Answers how many went: none when there was no such item in this portal. */
export const deleteItem = (tx: Tx, table: Table, portalId: string, id: string) =>
  tx.run(sql`delete from ${raw(table)} where portal_id = ${portalId} and id = ${id}`);

/** A portal takes so many of each kind: its page is sent whole. */
export const maxItems = 100;
export const isFull = async (tx: Tx, table: Table, portalId: string): Promise<boolean> =>
  (await tx.one<{ total: number }>(sql`select count(*) as total from ${raw(table)} where portal_id = ${portalId}`))
    .total >= maxItems;

export async function insertAd(tx: Tx, portalId: string, id: string, ad: AdvertisementForm): Promise<void> {
  await tx.run(sql`
    insert into portal_ads (id, portal_id, name, type, images, embed_code, video, seconds, link, starts_on, ends_on, weekdays,
      languages, weight, daily_cap)
    values (${id}, ${portalId}, ${ad.name}, ${ad.type}, ${ad.images}, ${ad.embed_code ?? null}, ${ad.video}, ${ad.seconds}, ${ad.link},
      ${ad.starts_on}, ${ad.ends_on}, ${ad.weekdays}, ${ad.languages}, ${ad.weight}, ${ad.daily_cap})`);
}

const optionsOf = (ad: AdvertisementOptions) =>
  Object.fromEntries((Object.keys(noOptions) as (keyof AdvertisementOptions)[]).map(key => [key, ad[key]]));

export const updateAd = (tx: Tx, portalId: string, id: string, ad: AdvertisementForm) =>
  tx.run(sql`update portal_ads set ${assignments({ name: ad.name, type: ad.type, images: ad.images, embed_code: ad.embed_code ?? null, ...optionsOf(ad) })}
    where portal_id = ${portalId} and id = ${id}`);

/** The target that the action of a rule uses, with only those addresses that are not empty. */
export function ruleTarget({ action, survey_id, url, urls, language }: RuleForm) {
  const isAddress = action === 'redirect_to_url';
  return {
    survey_id: isAddress ? null : (survey_id ?? null),
    url: (isAddress && url) || null,
    urls: isAddress ? withoutEmpty(urls ?? {}) : {},
    language: language ?? null,
  };
}
const withoutEmpty = (urls: PerLanguage): PerLanguage =>
  Object.fromEntries(Object.entries(urls).filter(([, it]) => it));

/** A rule without a place goes to the end. */
export async function insertRule(tx: Tx, portalId: string, id: string, rule: RuleForm): Promise<void> {
  const { survey_id, url, urls, language } = ruleTarget(rule);
  await tx.run(sql`
    insert into portal_rules (id, portal_id, position, state, action, survey_id, url, urls, language)
    values (${id}, ${portalId}, coalesce(${rule.order ?? null}::int,
      (select coalesce(max(position), 0) + 1 from portal_rules where portal_id = ${portalId})),
      ${rule.state}, ${rule.action}, ${survey_id}, ${url}, ${JSON.stringify(urls)}, ${language})`);
}

export function updateRule(tx: Tx, portalId: string, id: string, rule: RuleForm): Promise<number> {
  const target = ruleTarget(rule);
  return tx.run(sql`
    update portal_rules set ${assignments({ state: rule.state, action: rule.action, position: rule.order, ...target, urls: JSON.stringify(target.urls) })}
    where portal_id = ${portalId} and id = ${id}`);
}

export async function insertSurvey(tx: Tx, portalId: string, id: string, survey: SurveyForm): Promise<void> {
  await tx.run(sql`
    insert into portal_surveys (id, portal_id, name, questions)
    values (${id}, ${portalId}, ${survey.name}, ${JSON.stringify(survey.questions)})`);
}

export const updateSurvey = (tx: Tx, portalId: string, id: string, survey: SurveyChange) =>
  tx.run(sql`
    update portal_surveys set ${assignments({ name: survey.name, questions: survey.questions && JSON.stringify(survey.questions) })}
    where portal_id = ${portalId} and id = ${id}`);

/**
 * Copies what is nested in a portal into another, in the same order; rules lead to the copies of their surveys. Returns the ids of
 * these copies.
 */
export async function copyItems(
  tx: Tx,
  from: string,
  to: string,
  newId: () => string,
): Promise<ReadonlyMap<string, string>> {
  const all = { page: 1, per_page: maxItems };
  const { rows: ads } = await listItems(tx, 'portal_ads', from, all);
  for (const ad of ads) await insertAd(tx, to, newId(), ad);
  const surveys = new Map<string, string>();
  for (const survey of (await listItems(tx, 'portal_surveys', from, all)).rows) {
    const id = newId();
    surveys.set(survey.id, id);
    await insertSurvey(tx, to, id, survey);
  }
  const { rows: rules } = await listItems(tx, 'portal_rules', from, all);
  for (const rule of rules)
    await insertRule(tx, to, newId(), { ...rule, survey_id: rule.survey_id && surveys.get(rule.survey_id) });
  return surveys;
}
