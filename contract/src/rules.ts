import { z } from 'zod';
import { portalLanguages } from './errors.ts';
import { id, numeric, optionalId, unlessEmpty } from './fields.ts';
import { itemDates, nested } from './portal-items.ts';

export const ruleStates = ['before_login', 'login_successful', 'login_failed'] as const;
export const ruleActions = ['redirect_to_survey', 'redirect_to_url'] as const;
const link = z.url({ protocol: /^https?$/, hostname: z.regexes.domain });
const ruleFields = {
  state: z.enum(ruleStates),
  action: z.enum(ruleActions),
  survey_id: optionalId,
  url: z
    .string()
    .max(2000)
    .refine(text => text === '' || link.safeParse(text).success, 'link_format')
    .nullish(),
  /** Left empty: whatever the guest's language. */
  language: unlessEmpty(z.enum(portalLanguages).nullish()),
  order: numeric(z.number().int().min(1).max(1000)).optional(),
};
/** When (`state`), then (`action`): the first rule that matches wins, in the order of the list. */
export const ruleForm = z.object(ruleFields).superRefine((it, context) => {
  if (it.action === 'redirect_to_survey' && !it.survey_id)
    context.addIssue({ code: 'custom', path: ['survey_id'], message: 'required' });
  if (it.action === 'redirect_to_url' && !it.url)
    context.addIssue({ code: 'custom', path: ['url'], message: 'link_empty' });
});
export type RuleForm = z.output<typeof ruleForm>;
export const rule = z.object({
  id,
  state: z.enum(ruleStates),
  action: z.enum(ruleActions),
  survey_id: id.nullable(),
  url: z.string().nullable(),
  language: z.enum(portalLanguages).nullable(),
  order: z.number(),
  ...itemDates,
});
export type Rule = z.output<typeof rule>;

export const rulesApi = nested('rules', 'rule', rule, ruleForm);
