import type { Language } from '@portico/contract/errors.ts';
import type { PerLanguage } from '@portico/contract/portal-messages.ts';
import type { SurveyResults } from '@portico/contract/surveys.ts';
import type { Scope } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';
import { byteOrderMark, csvLine } from '#lib/csv.ts';
import * as queries from './survey-results.queries.ts';

/** Stores and counts a guest's answers, or that the guest skipped the survey; false when already done. */
export async function saveResponse(tx: Tx, it: queries.NewResponse): Promise<boolean> {
  if (!(await queries.insertResponse(tx, it))) return false;
  await queries.countSurvey(tx, it.surveyId, it, it.answers ? 'answered' : 'skipped');
  const chosen = Object.entries(it.answers ?? {}).flatMap(([question, answer]) => [
    { question, answer: '' },
    ...(typeof answer === 'string' ? [] : answer.map(id => ({ question, answer: id }))),
  ]);
  if (chosen.length) await queries.countAnswers(tx, it.surveyId, it, chosen);
  return true;
}

interface Reader {
  readonly scope: Scope;
  readonly timeZone: string;
}

export async function surveyResults(tx: Tx, reader: Reader, survey: queries.GuestSurvey): Promise<SurveyResults> {
  const [sums, counts, days] = await Promise.all([
    queries.sumSurvey(tx, reader.scope, survey.id),
    queries.sumAnswers(tx, reader.scope, survey.id),
    queries.surveyDays(tx, reader.scope, survey.id, reader.timeZone),
  ]);
  const countOf = (question: string, answer: string) =>
    counts.find(it => it.question_id === question && it.answer_id === answer)?.count ?? 0;
  const questions = survey.questions.map(({ id, label, type, answer_type, answers }) => ({
    id,
    label,
    type,
    answer_type,
    answered: countOf(id, ''),
    answers: answers.map(answer => ({ ...answer, count: countOf(id, answer.id) })),
  }));
  return { ...sums, questions, days };
}

const headings: Record<Language, string[]> = {
  en: ['Time', 'Language', 'Guest', 'MAC'],
  tr: ['Zaman', 'Dil', 'Misafir', 'MAC'],
};

/** A text in a language, else in the first available one. */
const inLanguage = (texts: PerLanguage, language: Language): string =>
  texts[language] || Object.values(texts).find(Boolean) || '';

interface Export extends Reader {
  readonly language: Language;
  /** Whether to include names and MACs. */
  readonly readsPersonalData: boolean;
  readonly read: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
}

/** All responses as CSV, one line per guest, read in chunks. */
export async function* exportResponses(it: Export, survey: queries.GuestSurvey): AsyncGenerator<string> {
  const { language, scope, timeZone, readsPersonalData: whole } = it;
  yield byteOrderMark +
    csvLine([...headings[language], ...survey.questions.map(({ label }) => inLanguage(label, language))]);
  const answerText = (question: (typeof survey.questions)[number], given: string[] | string | undefined): string => {
    if (given === undefined || typeof given === 'string') return given ?? '';
    return question.answers
      .filter(({ id }) => given.includes(id))
      .map(({ label, emoji }) => inLanguage(label, language) || (emoji ?? ''))
      .join('; ');
  };
  for (let after: string | null = null; ; ) {
    const at: string | null = after;
    const rows: queries.ResponseRow[] = await it.read(tx =>
      queries.listResponses(tx, scope, { surveyId: survey.id, timeZone, after: at }),
    );
    for (const row of rows) {
      const who = whole ? [row.visitor, row.mac] : ['', ''];
      yield csvLine([row.at, row.language, ...who, ...survey.questions.map(q => answerText(q, row.answers[q.id]))]);
    }
    after = rows.at(-1)?.id ?? null;
    if (rows.length < 500) return;
  }
}
