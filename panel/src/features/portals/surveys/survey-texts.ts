import type { PerLanguage } from '@portico/contract/portal-messages.ts';
import type { SurveyForm } from '@portico/contract/surveys.ts';

/** All texts of a survey that guests read. The label of an emoji is optional, so an empty one is not missing. */
export const surveyTexts = ({ questions }: Pick<SurveyForm, 'questions'>): PerLanguage[] =>
  questions.flatMap(({ label, answers }) => [label, ...answers.map(answer => answer.label)]);
