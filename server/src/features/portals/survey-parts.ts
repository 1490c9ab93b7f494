import type { SurveyForm } from '@portico/contract/surveys.ts';
import { randomWord } from '#lib/ids.ts';

function withIds<T extends { id?: string | undefined }>(parts: readonly T[]): (T & { id: string })[] {
  const taken = new Set<string>();
  return parts.map(part => {
    const id = part.id && !taken.has(part.id) ? part.id : randomWord(8);
    taken.add(id);
    return { ...part, id };
  });
}

/** Gives every question and answer a unique id, which the stored answers refer to. */
export const namedQuestions = (questions: SurveyForm['questions']) =>
  withIds(questions).map(question => ({ ...question, answers: withIds(question.answers) }));

export type NamedQuestion = ReturnType<typeof namedQuestions>[number];
