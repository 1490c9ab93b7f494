import type { PortalDraftForm } from '@portico/contract/portals.ts';
import type { RuleForm } from '@portico/contract/rules.ts';
import { emptyParts } from '@portico/contract/surveys.ts';
import { invalid } from '#http/app-error.ts';
import { newId } from '#lib/ids.ts';
import type { PictureUrls } from './picture-urls.ts';
import { isEqual } from './portal-content.ts';
import { ruleTarget } from './portal-items.queries.ts';
import { adToWire, checkedAd } from './portal-items.service.ts';
import { type Nested, withOptions } from './portal-nested.queries.ts';
import type { PortalBody } from './portal-warnings.ts';
import { namedQuestions } from './survey-parts.ts';

/** Surveys, rules and advertisements as parts of a portal's draft and versions. */

/** Replaces the lists that a form contains. Items that are not in `known` get a new id. */
export function changedNested(
  before: Nested,
  form: PortalDraftForm,
  { known, pictures }: { known: readonly Nested[]; pictures: PictureUrls },
): Nested {
  const withIds = <T extends { id?: string | undefined }>(items: readonly T[], list: keyof Nested) => {
    const ids = new Set(known.flatMap(it => it[list].map(({ id }) => id)));
    // `delete` makes each id usable once: a repeated item gets a new id.
    return items.map(item => ({ ...item, id: item.id && ids.delete(item.id) ? item.id : newId() }));
  };
  const surveys = form.surveys
    ? withIds(form.surveys, 'surveys').map(it => ({ ...it, questions: namedQuestions(it.questions) }))
    : before.surveys;
  const surveyExists = (id: string | null | undefined) => surveys.some(survey => survey.id === id);
  for (const [i, { action, survey_id }] of (form.redirect_rules ?? []).entries())
    if (action === 'redirect_to_survey' && !surveyExists(survey_id))
      throw invalid({ [`redirect_rules.${i}.survey_id`]: 'unknown' });
  const rules = form.redirect_rules ? withIds(form.redirect_rules, 'redirect_rules') : before.redirect_rules;
  const ads = form.advertisements?.map((ad, i) => {
    const stored = known.flatMap(it => it.advertisements).find(({ id }) => id === ad.id);
    return checkedAd(ad, pictures, { at: `advertisements.${i}.`, stored });
  });
  return {
    surveys,
    redirect_rules: rules.map(normalizedRule).filter(rule => rule.survey_id === null || surveyExists(rule.survey_id)),
    advertisements: ads
      ? withIds(ads, 'advertisements').map(({ embed_code = null, ...ad }) => ({ ...ad, embed_code }))
      : before.advertisements,
  };
}

type Rule = Nested['redirect_rules'][number];
const normalizedRule = (rule: RuleForm & { id: string }): Rule => ({
  id: rule.id,
  state: rule.state,
  action: rule.action,
  ...ruleTarget(rule),
});

/** Published surveys must be complete; drafts need not be. */
export function requireCompleteSurveys({ surveys }: Nested): void {
  for (const [i, { name, questions }] of surveys.entries()) {
    const [empty] = emptyParts(questions);
    if (!empty) continue;
    const field = ['surveys', i, ...empty.path].join('.');
    throw invalid({ [field]: ['question_empty', { survey: name, question: empty.question + 1 }] });
  }
}

/** Applies published changes to a draft, so that publishing the draft later does not undo them. */
export function mergeIntoDraft(before: Nested, after: Nested, draft: Nested): Nested {
  const merge = <T extends { id: string }>(old: readonly T[], now: readonly T[], kept: readonly T[]): T[] => {
    const gone = new Set(old.map(({ id }) => id));
    const changed = new Map<string, T>();
    for (const item of now) {
      gone.delete(item.id);
      if (
        !isEqual(
          old.find(({ id }) => id === item.id),
          item,
        )
      )
        changed.set(item.id, item);
    }
    const list = kept.filter(({ id }) => !gone.has(id)).map(item => changed.get(item.id) ?? item);
    const added = [...changed.values()].filter(({ id }) => old.every(it => it.id !== id));
    return [...list, ...added];
  };
  const surveys = merge(before.surveys, after.surveys, draft.surveys);
  const order = new Map(after.redirect_rules.map(({ id }, i) => [id, i]));
  const rules = merge(before.redirect_rules, after.redirect_rules, draft.redirect_rules);
  // A new order of the published rules applies to the draft too. Rules that only the draft has come last.
  const moved = !isEqual(
    before.redirect_rules.map(({ id }) => id),
    after.redirect_rules.map(({ id }) => id),
  );
  const inPlace = moved
    ? rules.toSorted((a, b) => (order.get(a.id) ?? order.size) - (order.get(b.id) ?? order.size))
    : rules;
  return {
    surveys,
    redirect_rules: inPlace.filter(({ survey_id }) => survey_id === null || surveys.some(({ id }) => id === survey_id)),
    advertisements: merge(before.advertisements, after.advertisements, draft.advertisements),
  };
}

type ItemDates = Pick<PortalBody, 'created_at' | 'updated_at' | 'deleted_at'>;

/** A draft's lists for the API. Published items keep their dates; new or changed ones have the draft's. */
export function nestedToWire(
  { surveys, redirect_rules, advertisements }: Nested,
  { portal, at, pictures }: { portal: PortalBody; at: string; pictures: PictureUrls },
): Pick<PortalBody, keyof Nested> {
  const dated = <T extends { id: string }, W extends T & ItemDates>(item: T, there: readonly W[]): T & ItemDates => {
    const row = there.find(({ id }) => id === item.id);
    const { created_at = at, updated_at = at } = row ?? {};
    const same = row && Object.entries(item).every(([key, value]) => isEqual(value, row[key as keyof W]));
    return { ...item, created_at, updated_at: same ? updated_at : at, deleted_at: null };
  };
  return {
    surveys: surveys.map(it => dated(it, portal.surveys)),
    redirect_rules: redirect_rules.map((it, i) => dated({ ...it, order: i + 1 }, portal.redirect_rules)),
    advertisements: advertisements.map(it => dated(adToWire(withOptions(it), pictures), portal.advertisements)),
  };
}
