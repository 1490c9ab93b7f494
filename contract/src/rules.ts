import { z } from 'zod';
import { portalLanguages } from './errors.ts';
import { id, numeric, optionalId, unlessEmpty } from './fields.ts';
import { itemDates, nested } from './portal-items.ts';

export const ruleStates = ['before_login', 'login_successful', 'login_failed'] as const;
export const ruleActions = ['redirect_to_survey', 'redirect_to_url'] as const;
const ruleFields = {
  state: z.enum(ruleStates),
  action: z.enum(ruleActions),
  survey_id: optionalId,
  url: z
    .url({ protocol: /^https?$/, hostname: z.regexes.domain })
    .max(2000)
    .or(z.literal(''))
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
    context.addIssue({ code: 'custom', path: ['url'], message: 'required' });
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
