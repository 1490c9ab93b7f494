import type { SurveyForm } from '@portico/contract/surveys.ts';
import type { Form } from '#ui/use-contract-form.ts';

export type Question = SurveyForm['questions'][number] & { key: number };
export type SurveyValues = { name: string; questions: Question[] };
export type SurveyFormState = Form<SurveyValues>;
