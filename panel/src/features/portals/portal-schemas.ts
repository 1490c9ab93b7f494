import { advertisementForm } from '@portico/contract/advertisements.ts';
import { portalMessages } from '@portico/contract/portal-messages.ts';
import { portalForm, portalsApi } from '@portico/contract/portals.ts';
import { ruleForm } from '@portico/contract/rules.ts';
import { surveyForm } from '@portico/contract/surveys.ts';

/** The schemas of the portal forms. */
export const newPortal = portalsApi.create.body;
export const portalCopy = portalsApi.duplicate.body;
export const generalPortal = portalForm.pick({ name: true, styles: true, messages: true, page: true }).required();
export const textsPortal = portalForm.pick({ messages: true, agreements: true });
export const blocksPortal = portalForm.pick({ page: true }).required();
export { advertisementForm, ruleForm };

export const methodsPortal = portalForm.pick({ providers: true }).required().extend({ messages: portalMessages });

/** The setup wizard edits both in one form. */
export const setupPortal = portalForm
  .pick({ name: true, styles: true, messages: true, providers: true, page: true })
  .required();

/** Requires a text for each question and answer: guests would see an empty line otherwise. */
export const survey = surveyForm.superRefine(({ questions }, context) => {
  for (const [i, { label, answer_type, answers }] of questions.entries()) {
    if (!Object.values(label).some(Boolean))
      context.addIssue({ code: 'custom', path: ['questions', i, 'label'], message: 'required' });
    for (const [j, answer] of answers.entries())
      if (answer_type === 'emoji' ? !answer.emoji : !Object.values(answer.label).some(Boolean))
        context.addIssue({ code: 'custom', path: ['questions', i, 'answers', j], message: 'required' });
  }
});
