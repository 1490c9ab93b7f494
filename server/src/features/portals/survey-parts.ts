import type { SurveyForm } from '@portico/contract/surveys.ts';
import { randomWord } from '#lib/ids.ts';

function named<T extends { id?: string | undefined }>(parts: readonly T[]): (T & { id: string })[] {
  const taken = new Set<string>();
  return parts.map(part => {
    const id = part.id && !taken.has(part.id) ? part.id : randomWord(8);
    taken.add(id);
    return { ...part, id };
  });
}

/** Gives every question and answer a name that what guests answered can be kept under. */
export const namedQuestions = (questions: SurveyForm['questions']) =>
  named(questions).map(question => ({ ...question, answers: named(question.answers) }));

export type NamedQuestion = ReturnType<typeof namedQuestions>[number];
