import { z } from 'zod';
import { changeOf } from './change.ts';
import { id, optionalId, unlessEmpty, whole } from './fields.ts';
import { languageTag } from './language-tag.ts';
import { itemDates, nested } from './portal-items.ts';
import { defaultOffered, maxOffered } from './portal-languages.ts';
import { webAddress } from './web-address.ts';

export const ruleStates = ['before_login', 'login_successful', 'login_failed'] as const;
export const ruleActions = ['redirect_to_survey', 'redirect_to_url'] as const;
const link = webAddress(/^https?$/, 'link_format');
const address = z
  .string()
  .max(2000)
  .superRefine((text, context) => {
    const message = text === '' ? undefined : link.safeParse(text).error?.issues[0]?.message;
    if (message) context.addIssue({ code: 'custom', message });
  });
const ruleFields = z.object({
  state: z.enum(ruleStates),
  action: z.enum(ruleActions),
  survey_id: optionalId,
  /** For guests whose language has no address in `urls`. */
  url: address.nullish(),
  /** One address per language. */
  urls: z
    .record(
      languageTag,
      z.preprocess<unknown, typeof address, string | null>(value => value ?? '', address),
    )
    .refine(urls => Object.keys(urls).length <= maxOffered, 'too_many_languages')
    .nullish(),
  /** Empty: guests of every language. */
  language: unlessEmpty(languageTag.nullish()),
  order: whole(1, 1000).optional(),
});
/**
 * The missing fields of a rule with their messages. Without `url`, the rule's language needs an address, or each of the
 * languages that a portal offers unless its operator chooses others.
 */
export function ruleProblems(
  it: z.output<typeof ruleFields>,
): { path: string[]; message: 'required' | 'link_empty' }[] {
  if (it.action === 'redirect_to_survey') return it.survey_id ? [] : [{ path: ['survey_id'], message: 'required' }];
  if (it.url) return [];
  const empty = (it.language ? [it.language] : [...defaultOffered]).filter(language => !it.urls?.[language]);
  const paths = it.language || empty.length === defaultOffered.length ? [['url']] : empty.map(key => ['urls', key]);
  return empty.length ? paths.map(path => ({ path, message: 'link_empty' })) : [];
}
/** A condition (`state`) and an `action`. The first matching rule of the list applies. */
export const ruleForm = ruleFields.superRefine((it, context) => {
  for (const problem of ruleProblems(it)) context.addIssue({ code: 'custom', ...problem });
});
export type RuleForm = z.output<typeof ruleForm>;
export const rule = z.object({
  id,
  state: z.enum(ruleStates),
  action: z.enum(ruleActions),
  survey_id: id.nullable(),
  url: z.string().nullable(),
  urls: z.record(z.string(), z.string()),
  language: languageTag.nullable(),
  order: z.number(),
  ...itemDates,
});
export type Rule = z.output<typeof rule>;

/** Omitted fields keep their value. The changed rule must be a complete `ruleForm`. */
const ruleChange = changeOf(ruleFields);
export type RuleChange = z.output<typeof ruleChange>;

export const rulesApi = nested('rules', 'rule', rule, ruleForm, ruleChange);
