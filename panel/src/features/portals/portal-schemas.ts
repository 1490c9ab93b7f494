import { portalMessages } from '@portico/contract/portal-messages.ts';
import { advertisementForm, portalForm, portalsApi, ruleForm, surveyForm } from '@portico/contract/portals.ts';
import { z } from 'zod';

/** What the forms of a portal send. */
export const newPortal = portalsApi.create.body;
export const generalPortal = portalForm.pick({ name: true, styles: true, messages: true }).required();
export const textsPortal = portalForm.pick({ messages: true, agreements: true });
export { advertisementForm, ruleForm };

const methods = portalForm.pick({ providers: true }).required().extend({ messages: portalMessages });
interface Coded {
  require_security_code?: boolean;
  security_code?: string | null;
}

/** The contract drops a requirement without a code in silence; here the code is asked for. */
export const methodsPortal = z
  .custom<z.input<typeof methods>>()
  .superRefine(({ providers }, context) => {
    for (const [i, { options }] of providers.entries()) {
      const { require_security_code, security_code } = options as Coded;
      if (require_security_code && !security_code?.trim())
        context.addIssue({
          code: 'custom',
          path: ['providers', i, 'options', 'security_code'],
          message: 'required',
        });
    }
  })
  .pipe(methods);

/** A question that says nothing in any language would reach guests as an empty line. */
export const survey = surveyForm.superRefine(({ questions }, context) => {
  for (const [i, { label, answer_type, answers }] of questions.entries()) {
    if (!Object.values(label).some(Boolean))
      context.addIssue({ code: 'custom', path: ['questions', i, 'label'], message: 'required' });
    for (const [j, answer] of answers.entries())
      if (answer_type === 'emoji' ? !answer.emoji : !Object.values(answer.label).some(Boolean))
        context.addIssue({ code: 'custom', path: ['questions', i, 'answers', j], message: 'required' });
  }
});
