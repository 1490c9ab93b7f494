import { z } from 'zod';
import { endpoint, one, page } from './endpoint.ts';
import { emptiedByNull, id, name, pageQuery, time } from './fields.ts';
import { languageTag } from './language-tag.ts';
import { itemDates, itemParams, nested } from './portal-items.ts';
import { perLanguage } from './portal-messages.ts';

export const emojis = ['very-bad', 'bad', 'neutral', 'good', 'very-good'] as const;
/** Identifies a question or an answer in stored responses. A missing or duplicate id is replaced by a new one. */
const partId = z
  .string()
  .regex(/^[a-z0-9]{1,16}$/)
  .optional();
const answer = z.object({
  id: partId,
  label: perLanguage(255).default({}),
  /** A built-in emoji id, or the character itself. */
  emoji: z
    .union([z.string().trim().min(1).max(32), z.number().int().transform(String).pipe(z.string())])
    .nullable()
    .default(null),
});
/** A text question without answers is answered with free text. */
const question = z.object({
  id: partId,
  label: perLanguage(500),
  answer_type: z.enum(['text', 'emoji']).default('text'),
  type: z.enum(['single', 'multiple']).default('single'),
  answers: z.array(answer).max(30).default([]),
});
const questions = z.array(question).max(50);
export const surveyForm = z.object({ name, questions: questions.default([]) });
export type SurveyForm = z.output<typeof surveyForm>;
/** Omitted fields keep their value; an empty list removes all questions. */
const surveyChange = z.object({ name: name.optional(), questions: emptiedByNull(questions, []).optional() });
export type SurveyChange = z.output<typeof surveyChange>;

const hasText = (label: Partial<Record<string, string | null>>): boolean =>
  Object.values(label).some(text => text?.trim());

/**
 * The questions and answers that guests would see empty: without a text in any language, or without an emoji. Faces are
 * chosen, so a question with faces needs some.
 */
export const emptyParts = (questions: SurveyForm['questions']): { path: (string | number)[]; question: number }[] =>
  questions.flatMap(({ label, answer_type, answers }, i) => [
    ...(hasText(label) ? [] : [{ path: ['questions', i, 'label'], question: i }]),
    ...(answer_type === 'emoji' && answers.length === 0 ? [{ path: ['questions', i, 'answers'], question: i }] : []),
    ...answers.flatMap((answer, j) =>
      hasText(answer.label) || (answer_type === 'emoji' && answer.emoji)
        ? []
        : [{ path: ['questions', i, 'answers', j, answer_type === 'emoji' ? 'emoji' : 'label'], question: i }],
    ),
  ]);

/** A draft may be incomplete, but a published survey may not. */
const requireComplete = (
  { questions }: { questions?: SurveyForm['questions'] | undefined },
  context: { addIssue: (issue: { code: 'custom'; path: (string | number)[]; message: string }) => void },
): void => {
  for (const { path } of emptyParts(questions ?? [])) context.addIssue({ code: 'custom', path, message: 'required' });
};
export const survey = surveyForm.extend({ id, ...itemDates });
export type Survey = z.output<typeof survey>;

const count = z.number();
/** Guests who answered 9 or 10, 7 or 8, and 0 to 6. `score` is the share of the first minus that of the last, in percent. */
const promoters = z.object({
  promoters: count,
  passives: count,
  detractors: count,
  score: z.number().nullable(),
});
/** The results of a survey. Each guest sees it once and counts as `answered` or `skipped`. */
export const surveyResults = z.object({
  shown: count,
  answered: count,
  skipped: count,
  questions: z.array(
    z.object({
      id: z.string(),
      label: perLanguage(500),
      type: z.enum(['single', 'multiple']),
      answer_type: z.enum(['text', 'emoji']),
      /** The number of guests who answered this question. */
      answered: count,
      answers: z.array(z.object({ id: z.string(), label: perLanguage(255), emoji: z.string().nullable(), count })),
      /** The net promoter score of a question from 0 to 10; null for other questions. */
      nps: promoters.extend({ weeks: z.array(promoters.extend({ week: z.string() })) }).nullable(),
    }),
  ),
  /** The latest 30 days, including empty ones. */
  days: z.array(z.object({ day: z.string(), shown: count, answered: count })),
  /** The latest 26 weeks by their Mondays, including empty ones. */
  weeks: z.array(z.object({ week: z.string(), shown: count, answered: count })),
});
export type SurveyResults = z.output<typeof surveyResults>;
/** A written answer, without the name of the guest, because users who may not see visitors can read results too. */
export const surveyText = z.object({ id, text: z.string(), language: languageTag, created_at: time });
export type SurveyText = z.output<typeof surveyText>;

export const surveysApi = {
  ...nested(
    'surveys',
    'survey',
    survey,
    surveyForm.superRefine(requireComplete),
    surveyChange.superRefine(requireComplete),
  ),
  results: endpoint({
    method: 'GET',
    path: '/v1/panel/portal/:id/surveys/:itemId/results',
    access: 'view-portals',
    summary: 'Results of a survey',
    params: itemParams,
    reply: one(surveyResults),
  }),
  texts: endpoint({
    method: 'GET',
    path: '/v1/panel/portal/:id/surveys/:itemId/texts',
    access: 'view-portals',
    summary: 'Written answers to a question, newest first',
    params: itemParams,
    query: z.object({
      ...pageQuery(),
      question: z.string().regex(/^[a-z0-9]{1,16}$/),
      /** Only answers of guests who read the portal in this language. */
      language: languageTag.optional(),
    }),
    reply: page(surveyText),
  }),
  export: endpoint({
    method: 'GET',
    path: '/v1/panel/portal/:id/surveys/:itemId/export',
    access: 'view-portals',
    summary: 'All answers to a survey as a CSV file',
    params: itemParams,
    reply: 'csv',
  }),
} as const;
